#!/bin/bash
# next.sh - eggctl next --follow, as a status bar runs it.
# shellcheck disable=SC2016,SC2034,SC2317 # claims are shell text in single quotes
. "${BASH_SOURCE[0]%/*}/checks.sh"
unset DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR XDG_STATE_HOME
. "${BASH_SOURCE[0]%/*}/private-eggd.sh"

start_eggd
check_sh "nothing is an empty line" 'test "$(eggctl next --format "{left}" | wc -l)" = 1'
eggctl next --follow >"$work/bar" 2>"$work/said" &
eggctl next --follow --plain --format '{number} {time}' >"$work/plain" &
bar() { jq -se "$1" "$work/bar"; }
eventually "no alarm is waiting" 'bar ".[-1].class == \"none\""'
later=$(alarm 2h --label later)
eventually "an alarm is shown" 'bar ".[-1] | .text == \"2 h later\" and .class == \"scheduled\""'
soon=$(alarm 5s soon)
eventually "a sooner one takes its place and counts down" \
  'bar "map(.text) | index([\"2 s soon\", \"1 s soon\"]) != null"'
eventually "when it rang the later one is shown again" 'bar ".[-1].text | endswith(\"later\")"'
check_sh "an alarm that comes after it is not shown" 'alarm 3h && ! bar "any(.text | startswith(\"3 h\"))"'
check_sh "lines without what is left come with a change only" 'test "$(wc -l <"$work/plain")" = 4'
check "it gets another label" eggctl edit "$later" --label renamed
eventually "another label is shown" 'bar ".[-1].text | endswith(\"renamed\")"'
check_here "eggd is killed" ends KILL 137
start_eggd
check "all are deleted" eggctl delete --all -y
eventually "it follows the next eggd" 'bar ".[-1].class == \"none\""'
check_sh "without a word" '! test -s "$work/said"'
finish
