#!/bin/bash
# list.sh - the list with the real eggd: groups, marks, moves, undo across a restart, export and import, two clients.
# shellcheck disable=SC2016,SC2034,SC2317 # claims are shell text in single quotes
. "${BASH_SOURCE[0]%/*}/checks.sh"
unset DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR XDG_STATE_HOME
. "${BASH_SOURCE[0]%/*}/private-eggd.sh"

start_eggd
plain='.alarms | map(if .kind == "in" then del(.due) else . end)'
listed() { eggctl list --json | jq -S "$plain"; }

check "a group is made" eggctl group create Sunday --color yellow --icon food-egg
check "and another" eggctl group create 일요일
check "alarms go into it" eggctl schedule 1h "two soft ones" --eggs 2 --category soft --group Sunday
check "or into none" eggctl schedule 2099-12-24 18:00 --eggs 3
check "one recurs" eggctl schedule Mon..Fri 07:30 up --group 일요일 --count 9
check "one rings" eggctl schedule 50ms 달걀 --group Sunday
eventually "it is ringing" 'eggctl list --rung | has ringing'
check "one is marked done" eggctl "done" 2
check "one is moved" eggctl move 3 --top
check_sh "the group shows its progress" 'eggctl group show Sunday | has "0 %  0 of 2"'

listed >"$work/before"
eggctl export >"$work/eggs.jsonl"
eggctl export --format ics >"$work/eggs.ics"
check "all are deleted" eggctl delete --all -y
check "and imported" eggctl import "$work/eggs.jsonl"
check_sh "the list is what it was" 'listed | diff "$work/before" -'
check_sh "imported again, nothing is added" 'eggctl import "$work/eggs.jsonl" | has "4 already there"'

check_here "eggd is killed" ends KILL 137
start_eggd
check_sh "after kill -9 the import can be taken back" 'eggctl undo | has "undone: added #"'
check_sh "it took its alarms with it" '[ -z "$(eggctl list -q)" ]'
check_sh "and the deletion too" 'eggctl undo | has "undone: deleted #1 .two soft ones., #2-4"'
check_sh "the list is what it was before both" 'listed | diff "$work/before" -'
check_sh "a group deleted with its alarms comes back with them" \
  'eggctl group delete Sunday --delete-alarms -y && eggctl undo && listed | diff "$work/before" -'
check "what is to come soon is deleted" eggctl delete "$(alarm 1s)"
over=$(($(micros) + 1000000))
until_sh '(($(micros) > over))'
check_sh "brought back late it is missed" 'eggctl undo | has "missed meanwhile"'
check_sh "and never rings" '! eggctl list --rung -q | has -x 5 && eggctl history 5 | has missed'

printf '%s\n' "$(tail -n 1 "$work/eggs.jsonl" | jq -c 'del(.alarm.id) | .alarm.label = "new"')" 'no json' >"$work/bad.jsonl"
check_sh "a bad line is named and nothing is imported" \
  '! eggctl import "$work/bad.jsonl" 2>"$work/said" && grep -q "^eggctl: line 2: cannot be imported: not a JSON object" "$work/said" && ! eggctl list | has new'
check "unless it is to be passed over" eggctl import "$work/bad.jsonl" --skip-bad
check_sh "then the others are there" 'eggctl list | has new'
check "a calendar is imported" eggctl import "$work/eggs.ics" --group calendar
check_sh "what was there already by its UUID is passed over, and makes no group" '! eggctl group show calendar'

check_sh "an alarm that is undone is gone" 'eggctl schedule 3h again -q && eggctl undo && ! listed | has again'
check_here "eggd is killed" ends KILL 137
start_eggd
check_sh "redo brings it back" 'eggctl redo | has "redone: scheduled #" && listed | has again'
check_sh "nothing more can be redone" '! eggctl redo 2>"$work/said" && has "there is nothing to redo" "$work/said"'
check "it is undone once more" eggctl undo

# Two clients at once: each one's changes are whole, and undo asks for the change that it saw.
one() { for i in {1..20}; do eggctl schedule 1h "one $i" --group Sunday -q; done; }
two() { for i in {1..20}; do eggctl schedule 2h "two $i" -q; done; }
one >"$work/one" &
first=$!
two >"$work/two"
wait "$first"
check_sh "two clients make alarms at once, each number is given once" \
  '[ "$(sort -u "$work/one" "$work/two" | wc -l)" = 40 ]'
check_sh "they stand in the list in the order of their numbers" \
  'eggctl list -q --label "o" | tail -n 40 | sort -nc'
move_all() { xargs -P 8 -I{} eggctl move {} --top -q <"$1" >/dev/null; }
check_sh "moved by both at once, none is lost" \
  'move_all "$work/one" & move_all "$work/two" && wait $! &&
   [ "$(eggctl list -q | sort -n | uniq -d | wc -l)" = 0 ] && [ "$(eggctl list --label "one " -q | wc -l)" = 20 ]'
check_sh "another session's change is not one's own" \
  'setsid -w eggctl "done" "$(head -n 1 "$work/one")" >/dev/null && [ "$(eggctl undo --preview --json | jq .own)" = false ]'
check "without a terminal it is taken back unasked" eggctl undo

# five alarms: the first passes every filter, each other all but one
eggctl delete --all -y >/dev/null
passes=$(alarm 1h --eggs 2 --category soft --group Sunday)
paused=$(alarm 1h --category soft --group Sunday)
alarm 1h --category hard --group Sunday >/dev/null
alarm 1h --category soft >/dev/null
alarm 3h --category soft --group Sunday >/dev/null
check "one is paused" eggctl pause "$paused"
filtered() { eggctl list --category soft --group Sunday --state scheduled --due-before "in 2h" "$@"; }
check_sh "what is listed passes all filters" 'test "$(filtered -q)" = "$passes"'
check_sh "with the totals of that" 'filtered | sed -n 1p | tee /dev/stderr | has -xE "2 eggs in 1 alarm · next rings in (1 h|59 min( [0-9]+ s)?)"'
finish
