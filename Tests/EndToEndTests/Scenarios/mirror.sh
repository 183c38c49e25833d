#!/bin/bash
# mirror.sh - a Python program follows what two clients do at once, by what it is told alone.
# shellcheck disable=SC2016,SC2034,SC2317 # claims are shell text in single quotes
. "${BASH_SOURCE[0]%/*}/checks.sh"
unset DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR XDG_STATE_HOME
. "${BASH_SOURCE[0]%/*}/private-eggd.sh"

python=$("$repository/Tests/testbed/python-venv.sh")
start_eggd
address=unix:$XDG_RUNTIME_DIR/eggd/eggd.sock
program() { "$python" "$repository/Tests/EndToEndTests/Scenarios/mirror.py" "$address" "$@"; }
eggctl schedule 1h --label before >/dev/null
program mirror 'the end' >"$work/mirror" 2>"$work/told" &
mirror_pid=$!
eventually "the list as it was is complete" 'has ready "$work/told"'

one() {
  local number
  for i in {1..15}; do
    number=$(alarm "2099-01-01 12:00:$i" "one $i" --eggs "$i")
    case $((i % 5)) in
      0) eggctl delete "$number" ;;
      1) eggctl edit "$number" 2099-02-02 09:00 --label "edited $i" --category hard ;;
      2) eggctl skip "$number" ;;
      3) eggctl edit "$number" 50ms ;;
    esac
  done
}
two() {
  program fill 40
  for i in {1..15}; do alarm --every "Mon..Fri 07:$i" "two $i"; done
  eggctl pause --all
  eggctl resume --all
}
large() {
  local first
  first=$(alarm 1h)
  program fill 300
  eggctl delete "$first-$((first + 290))"
}
one >"$work/one" 2>&1 &
one_pid=$!
check "two clients make, change and delete alarms at once" two
check_here "each to its end" wait "$one_pid"
check "many are deleted" large
eventually "what was to ring rang" 'eggctl list --json | jq -e "[.alarms[] | select(.state == \"ringing\")] | length == 3"'
check "the end is made" eggctl schedule '2099-03-03 10:00' 'the end'
check_here "the program has seen the end" wait "$mirror_pid"

# a countdown's moment on the wall clock is worked out anew each time, to the microsecond
# and what rings is listed first
plain='.alarms | sort_by(.number) | map(if .kind == "in" then del(.due) else . end)'
check_sh "it has the list as it is" \
  'diff <(jq -S "$plain" "$work/mirror") <(eggctl list --json | jq -S "$plain")'
check_sh "which is no short one" 'jq -e ".alarms | length > 50" "$work/mirror"'
check_sh "the large deletion was told as one" 'jq -e ".anew >= 1" "$work/mirror"'
finish
