#!/bin/bash
# desktop-dunst.sh - rings on dunst: what it shows, its actions, deletion, its absence. Below
# with-notify-server dunst.
# shellcheck disable=SC2016,SC2034,SC2317 # claims are shell text in single quotes
. "${BASH_SOURCE[0]%/*}/checks.sh"
. "${BASH_SOURCE[0]%/*}/private-eggd.sh"

shown() { test "$(notify-ctl shown)" = "$1"; }
state() { field "$1" .state; }
latest() { field "$1" ".latest.$2 // empty"; }

start_eggd
eventually "status names the server" 'eggctl status --json | jq -e ".desktop == \"shown\" and (.server | test(\"dunst\"))"'

echo "# what dunst shows"
number=$(eggctl hungry -q)
due=$(field "$number" .due)
eventually "a bubble is on the screen" 'shown 1 && test -n "$(latest $number shownAt)"'
check_sh "no earlier than due, and soon after" \
  'late=$(($(latest $number shownAt) - due)); echo $late; test $late -ge 0 -a $late -lt 1000000'
check_sh "it stays, and the alarm is ringing" 'test "$(state $number)" = ringing'
check_sh "dunst's own history has summary and body" 'notify-ctl list | jq -se "length == 1 and .[0].app == \"Egg Timer\"
  and .[0].summary == \"Wait!\" and .[0].body == \"Your eggs are almost done!\""'
eventually "closed by the user, the alarm is dismissed" 'test "$(state $number)" = rung && test -n "$(latest $number dismissedAt)"'

echo "# texts"
number=$(alarm 200ms "Tom & <Jerry>" --title "Eggs!" --body "Out with them.")
eventually "a bubble with a title, a body and a label" 'shown 1'
notify-ctl list >"$work/list"
check_sh "title and body are those of the alarm, the label is a second line, escaped for a server with markup" \
  'jq -se ".[0] | .summary == \"Eggs!\" and (.body | gsub(\"&amp;\"; \"&\") | gsub(\"&lt;\"; \"<\") | gsub(\"&gt;\"; \">\"))
   == \"Out with them.\nTom & <Jerry>\"" "$work/list"'

echo "# actions"
number=$(alarm 200ms)
eventually "a bubble" 'shown 1'
notify-ctl action default
eventually "Dismiss ends the ring" 'test "$(state $number)" = rung && test -n "$(latest $number dismissedAt)"'
eventually "and the bubble" 'shown 0'

number=$(alarm 200ms)
eventually "a bubble" 'shown 1'
before=$(micros)
notify-ctl action snooze
eventually "Snooze snoozes" 'test "$(state $number)" = snoozed'
check_sh "for five minutes" \
  'span=$(($(latest $number snoozedUntil) - before)); test $span -ge 300000000 -a $span -lt 302000000'
eventually "and ends the bubble" 'shown 0'

number=$(alarm 200ms)
eventually "a bubble" 'shown 1'
last=$(eggctl list -q | sort -n | tail -n 1)
notify-ctl action again
eventually "Again makes a new alarm from the same text" \
  'new=$(eggctl list -q | sort -n | tail -n 1); test "$new" -gt "$last" && test "$(field "$new" .expression)" = 200ms'
eventually "which rings in its turn" 'test "$(state "$(eggctl list -q | sort -n | tail -n 1)")" = ringing'
eggctl dismiss "$(eggctl list -q | sort -n | tail -n 1)" >/dev/null
eventually "eggctl dismiss closes the bubble" 'shown 0'

echo "# deletion"
number=$(alarm 200ms)
eventually "a bubble" 'shown 1'
check "delete of a ringing alarm" eggctl delete "$number"
eventually "closes its bubble" 'shown 0'

echo "# a restart of eggd"
number=$(alarm 200ms)
eventually "a bubble" 'shown 1'
until_sh 'test -n "$(latest $number shownAt)"'
check_here "SIGTERM: exits 0" ends TERM 0
start_eggd
check_sh "the bubble is still the only one" 'shown 1'
check "and is still the alarm's" eggctl delete "$number"
eventually "so that deletion closes it" 'shown 0'

echo "# the server is away"
notify-ctl kill
number=$(alarm 200ms --title "Away!")
eventually "the alarm rings all the same" 'test "$(state $number)" = ringing'
due=$(latest "$number" dueAt)
check_sh "and is kept: not shown" 'test -z "$(latest $number shownAt)"'
check_sh "status says that there is no server" 'eggctl status --json | jq -e ".desktop == \"noServer\""'
check_here "it is kept across kill -9" ends KILL 137
start_eggd
until_sh 'test "$(micros)" -gt $((due + 1100000))'
notify-ctl start dunst
eventually "a server appears: it is shown" 'shown 1'
notify-ctl list >"$work/list"
check_sh "with its texts, and the moment at which it was due" 'jq -se ".[0].summary == \"Away!\"
  and (.[0].body | startswith(\"Your eggs are almost done!\n\"))" "$work/list"'
check_sh "it rang once" 'test "$(grep -c "^<5>Away!" "$work/stderr")" = 1'

echo "# many at once"
eggctl delete --all -y >/dev/null
moment=$(date -d '+2 seconds' '+%F %T')
for _ in {1..8}; do alarm "$moment" >/dev/null; done
eventually "eight alarms of one moment share one bubble" 'shown 1'
notify-ctl list >"$work/list"
check_sh "that says how many, and names six" 'jq -se ".[0].body | test(\"\\n8 alarms: #[0-9]+(, #[0-9]+){5} and 2 more$\")" "$work/list"'

echo "# alike"
eggctl delete --all -y >/dev/null
until_sh 'shown 0'
number=$(alarm 200ms)
eventually "a bubble" 'shown 1'
other=$(alarm 200ms)
eventually "another that reads the same is beside it, not stacked on it" 'shown 2'
eggctl delete "$other" >/dev/null
eventually "and goes alone" 'shown 1'
check_sh "while the first rings on" 'test "$(state $number)" = ringing'

echo "# removed, but not by the person"
until_sh 'test "$(micros)" -gt $(($(latest $number shownAt) + 1100000))'
id=$(python3 -c 'import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute(
  "SELECT bubble FROM occurrence WHERE alarm = ? ORDER BY id DESC", [sys.argv[2]]).fetchone()[0])' \
  "$XDG_STATE_HOME/eggd/schedule.db" "$number")
check_sh "another program closes the bubble" 'gdbus call --session -d org.freedesktop.Notifications \
  -o /org/freedesktop/Notifications -m org.freedesktop.Notifications.CloseNotification "$id"'
eventually "a bubble that another program closes is shown again" 'shown 1'
check_sh "and the alarm rings on" 'test "$(state $number)" = ringing'
finish
