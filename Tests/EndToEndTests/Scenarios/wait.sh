#!/bin/bash
# wait.sh - eggctl wait: for what rings, is deleted, or does neither; while eggd is killed and started again.
# shellcheck disable=SC2016,SC2034,SC2317 # claims are shell text in single quotes
. "${BASH_SOURCE[0]%/*}/checks.sh"
unset DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR XDG_STATE_HOME
. "${BASH_SOURCE[0]%/*}/private-eggd.sh"

start_eggd
connections() { eggctl status --json | jq .connections; }
# waiting NAME ALARM...: a wait in the background, once eggd has it; its output and end are in files of that name
waiting() {
  local name=$1 before; shift
  before=$(connections)
  { eggctl wait "$@" >"$work/$name" 2>&1 && echo 0 >"$work/$name.end" || echo $? >"$work/$name.end"; } &
  until_sh "((\$(connections) > $before))"
}
ended() { until_true test -s "$work/$1.end"; [[ $(<"$work/$1.end") == "$2" ]] || { cat "$work/$1"*; false; }; }

number=$(alarm 300ms)
check_sh "a ring ends it with status 0" 'eggctl wait "$number" | tee /dev/stderr | has -x "rang: #$number"'
check_sh "what has rung is not waited for" 'eggctl wait "$number" -q | has -x "$number"'
check_sh "a time that is out ends it with status 75" '
  status=0; eggctl wait "$(alarm 1h)" --timeout 50ms || status=$?; test "$status" = 75'

eggctl wait "$(alarm 1h)" &
idle=$!
switches() { awk '/ctxt_switches/ { count += $2 } END { print count }' "/proc/$idle/status"; }
# sleeps N: through so many changes of other alarms
sleeps() {
  local before i
  before=$(switches)
  for ((i = 0; i < $1; i++)); do alarm 1h >/dev/null; done
  (($(switches) == before))
}
eventually "a wait falls asleep" '(($(connections) > 1)) && sleeps 2'
check "and sleeps, whatever becomes of other alarms" sleeps 20
kill "$idle"

first=$(alarm 1h) second=$(alarm 1h) third=$(alarm 1h)
waiting all "$first" "$second"
waiting any "$first" "$third" --any
check "one is deleted" eggctl delete "$first"
check "--any ends with the first, deleted: status 2" ended any 2
check_sh "the other goes on" '! test -e "$work/all.end"'
check "the other is to ring" eggctl edit "$second" 100ms
check "a deleted one is told though the other rang: status 2" ended all 2
check_sh "both are named" 'has -x "rang: #$second" "$work/all" && has "#$first was deleted" "$work/all"'

# killed and started again: once it rings afterwards, once while eggd is away, once it is deleted meanwhile
after=$(alarm 1h) away=$(alarm 1h) gone=$(alarm 1h) skipped=$(alarm 1h)
waiting after "$after"
waiting away "$away"
waiting gone "$gone"
waiting skipped "$skipped"
check_sh "two come soon" 'eggctl edit "$after" 2s && eggctl edit "$away" 1s'
check_here "eggd is killed" ends KILL 137
eventually "an alarm comes due meanwhile" "(($(micros) + 1000000 < \$(micros)))"
check "another program deletes one" python3 -c '
import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as database:
    database.execute("DELETE FROM alarm WHERE number = ?", [sys.argv[2]])
' "$XDG_STATE_HOME/eggd/schedule.db" "$gone"
check_sh "no wait has ended" '! ls "$work"/{after,away,gone,skipped}.end 2>/dev/null'
start_eggd
check "what rang late at the start was waited for" ended away 0
check "what was deleted meanwhile ends with status 2" ended gone 2
check "what rings afterwards ends with status 0" ended after 0
check_sh "the others wait" '! test -e "$work/skipped.end"'
check "one is skipped" eggctl skip "$skipped"
check "what will not ring ends with status 1" ended skipped 1

waiting stopped "$(alarm 1h)" --timeout 3s
started=$(micros)
check_here "eggd ends at SIGTERM" ends TERM 0
check_sh "and does not wait for those who wait" "((\$(micros) - $started < 450000)) || { echo \$((\$(micros) - $started)); false; }"
check "while it is away the time goes on" ended stopped 75
finish
