# shellcheck shell=bash
# checks.sh - what the scenarios share; sourced. Each claim is a line, "ok" or "FAIL" with what was seen.
set -euo pipefail
export SYSTEMD_PAGER='' SYSTEMD_COLORS=0 NO_COLOR=1 LC_ALL=C.UTF-8
seen=$(mktemp)
trap 'rm -f "$seen"' EXIT
failed=0

# attempt CMD...: its status in the caller's $outcome. In a shell of its own and in no condition, where errexit would be
# out of force: the first command of a claim that fails ends it. Itself to be called in no condition.
attempt() {
  set +e
  (set -e; "$@")
  outcome=$?
  set -e
}
# check CLAIM CMD...: the claim holds if CMD succeeds
check() {
  local claim=$1 outcome; shift
  attempt "$@" >"$seen" 2>&1
  judge
}
# check_here CLAIM CMD...: the same in this shell, for what waits for its processes; judged by the status of CMD alone
check_here() {
  local claim=$1 outcome=0; shift
  "$@" >"$seen" 2>&1 || outcome=$?
  judge
}
judge() {
  if ((outcome == 0)); then echo "ok   $claim"
  else
    echo "FAIL $claim"; sed 's/^/     | /' "$seen"
    failed=$((failed + 1))
  fi
}
# check_sh CLAIM 'SHELL': the same for a piece of shell. Errexit does not see what fails before && or behind !: a claim
# of several commands joins these with &&
check_sh() { check "$1" eval "$2"; }
# until_true CMD...: runs it until it succeeds, for half a minute at most
until_true() {
  local end=$((SECONDS + 30)) outcome
  while true; do
    attempt "$@"
    ((outcome)) || return 0
    ((SECONDS < end)) || return 1
    poll
  done
}
until_sh() { until_true eval "$1"; }
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
finish() { exit "$((failed > 0))"; }
