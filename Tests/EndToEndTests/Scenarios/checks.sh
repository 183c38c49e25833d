# shellcheck shell=bash
# checks.sh - what the scenarios share; sourced. Each claim is a line, "ok" or "FAIL" with what was seen.
set -euo pipefail
export SYSTEMD_PAGER='' SYSTEMD_COLORS=0 NO_COLOR=1 LC_ALL=C.UTF-8
seen=$(mktemp)
failed=0

# check CLAIM CMD...: the claim holds if CMD succeeds
check() {
  local claim=$1; shift
  if "$@" >"$seen" 2>&1; then echo "ok   $claim"
  else
    echo "FAIL $claim"; sed 's/^/     | /' "$seen"
    failed=$((failed + 1))
  fi
}
# check_sh CLAIM 'SHELL': the same for a piece of shell, in a shell of its own
check_sh() { check "$1" subshell "$2"; }
subshell() (eval "$1")
# until_true CMD...: runs it until it succeeds, for half a minute at most
until_true() {
  local end=$((SECONDS + 30))
  until "$@"; do
    ((SECONDS < end)) || return 1
    poll
  done
}
until_sh() { until_true subshell "$1"; }
# eventually CLAIM 'SHELL': the claim comes to hold
eventually() { check "$1" until_sh "$2"; }
# the pause between two looks
poll() { read -rt 0.02 <> <(:) || true; }
micros() { echo "${EPOCHREALTIME/[.,]/}"; }
# grep -q that reads to the end: a producer that is cut off would count as failed
has() { grep "$@" >/dev/null; }
# json NUMBER: the alarm as eggctl shows it
json() { eggctl show "$1" --json | jq .alarm; }
# field NUMBER FILTER: one of its fields
field() { json "$1" | jq -r "$2"; }
# make an alarm, print its number
alarm() { eggctl schedule -q "$@"; }
finish() { rm -f "$seen"; exit "$((failed > 0))"; }
