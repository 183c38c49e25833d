#!/bin/bash
# idle.sh - between alarms eggd does nothing: started on a database that is there, asked everything, with clients that
# follow and wait. No thread of it is scheduled in ten seconds, fifteen after the last event.
# shellcheck disable=SC2016,SC2034,SC2317 # claims are shell text in single quotes
. "${BASH_SOURCE[0]%/*}/checks.sh"
unset DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR XDG_STATE_HOME
. "${BASH_SOURCE[0]%/*}/private-eggd.sh"

start_eggd
check "alarms of every sort are made" eggctl schedule 1h
check_sh "a recurring one, one in a group, one that rings" '
  eggctl group create Sunday && alarm "Mon..Fri 07:30" && alarm tomorrow 07:30 --group Sunday && alarm 100ms'
check_here "it ends" ends TERM 0
start_eggd
first=$(alarm 200ms) other=$(alarm 2h)
check "one rings" eggctl wait "$first"
check_sh "every question is asked" '
  for question in list "list --today" next "show $other" history status group "resolve tomorrow" export; do
    eggctl $question >/dev/null
  done'
check_sh "changes are made and taken back" '
  eggctl export >"$work/all.jsonl" && eggctl dismiss "$first" && soon=$(alarm 50ms) && eggctl wait "$soon" &&
  eggctl snooze "$soon" 1h && eggctl move "$other" --top && eggctl done "$other" && eggctl undo &&
  eggctl pause "$other" && eggctl resume "$other" &&
  eggctl delete --all --yes && eggctl undo && eggctl import "$work/all.jsonl"'
eggctl monitor >/dev/null &
eggctl next --follow >/dev/null 2>&1 &
eggctl wait "$other" &
until_sh '(($(eggctl status --json | jq .connections) > 3))'

# seconds of CPU time and every thread's switches
state() { cat /proc/"$eggd_pid"/task/*/status | grep -E '^Pid:|ctxt_switches'; cut -d' ' -f14,15 "/proc/$eggd_pid/stat"; }
later() { local end=$(($(micros) + $1 * 1000000)); until (($(micros) >= end)); do poll; done; }
later 15
before=$(state)
later 10
check "eggd was never scheduled in ten seconds" diff <(echo "$before") <(state)
check_sh "and is there" 'eggctl now >/dev/null && eggctl list >/dev/null'
finish
