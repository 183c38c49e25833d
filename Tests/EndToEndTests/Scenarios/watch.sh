#!/bin/bash
# watch.sh - eggctl watch on a terminal of tmux: its screens, its keys, and what it leaves behind.
# shellcheck disable=SC2016,SC2034,SC2317 # claims are shell text in single quotes
. "${BASH_SOURCE[0]%/*}/checks.sh"
unset DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR TMUX
. "${BASH_SOURCE[0]%/*}/private-eggd.sh"

terminal() { tmux -S "$work/tmux" "$@"; }
# keys KEY...: as tmux names them; text TEXT: as it is
keys() { terminal send-keys "$@"; }
text() { terminal send-keys -l "$1"; }
# the screen as a person sees it, without colours
screen() { terminal capture-pane -p; }
line() { screen | sed -n "$1p"; }
shows() { screen | has -F -- "$1"; }
resize() { terminal resize-window -x "$1" -y "$2"; }
# state of the terminal: its settings, then whether it shows another screen, the cursor, wrapped lines
terminal_state() {
  stty -a <"$(terminal display -p '#{pane_tty}')" | sed 1d
  terminal display -p '#{alternate_on} #{cursor_flag} #{wrap_flag}'
}
as_found() { diff "$work/found" <(terminal_state); }
watch_pid() {
  local shell
  shell=$(terminal display -p '#{pane_pid}')
  tr ' ' '\n' <"/proc/$shell/task/$shell/children" | head -n 1 | has . &&
    tr ' ' '\n' <"/proc/$shell/task/$shell/children" | head -n 1
}
# starts watch, and waits for its list
watch() {
  keys 'clear; eggctl watch; echo "ended with $?"' Enter
  until_sh 'shows "q quit"'
}
# the numbers on the screen, from the top
numbers() { screen | sed -n 's/^[> ]  *\([0-9][0-9]*\)  .*/\1/p' | xargs; }

trap 'terminal kill-server || true; end_all' EXIT
terminal -f /dev/null new-session -d -x 80 -y 24 'PS1="ready> " bash --norc --noprofile'
until_sh 'shows "ready>"'
terminal_state >"$work/found"
start_eggd

echo "# 80x24"
watch
check_sh "an empty list says what to type" 'shows "no alarms yet" && shows "6m30s two soft ones"'
eggctl schedule "2036-12-24 18:00" --label "한글 달걀 🥚" --eggs 3 -q >/dev/null
eventually "what another makes is seen without a key" 'shows "한글 달걀 🥚"'
check_sh "with the totals above it" 'line 1 | grep -E "^3 eggs in 1 alarm · next rings in [0-9]+ d"'
check_sh "and everything of it in its column" 'line 2 | grep -x "    #   DUE                      LEFT          STATE      EGGS  LABEL" &&
  line 3 | grep -E "^>   1   2036\. 12\. 24\. 18:00:00   [0-9]+ d( [0-9]+ h)? +scheduled     3  한글 달걀 🥚$"'
eggctl edit 1 --label "later" -q >/dev/null
eventually "a change of another is seen" 'shows "later" && ! shows "한글"'
eggctl schedule 10m --label $'a\u202eb' -q >/dev/null
eventually "what would turn the line around is shown as an escape" 'shows "a\u{202e}b"'
eggctl delete 2 >/dev/null
eventually "a deletion too" '! shows "202e"'

echo "# keys"
keys a; text "90min soft"
eventually "a time is read as it is typed" 'line 24 | grep -E "^20.*  in 1 h 30 min  soft$"'
text " eggs"; keys Enter
eventually "Enter makes the alarm" 'eggctl list | has "soft eggs"'
eventually "the cursor is at it" 'screen | has "^>   3 .* soft eggs"'
keys a; text "6m30x"
eventually "what cannot be read is told under its place" 'line 24 | grep -xF "         ^ not a unit of time"'
keys Enter Escape
eventually "and makes no alarm" 'shows "q quit" && test "$(eggctl list -q | wc -l)" = 2'
keys p
eventually "p pauses" 'test "$(field 3 .state)" = paused && screen | has "^>   3 .* paused"'
keys p
eventually "and lets go on" 'test "$(field 3 .state)" = scheduled && screen | has "^>   3 .* scheduled"'
keys p
until_sh 'screen | has "^>   3 .* paused"'
keys x
eventually "x marks done" 'test "$(field 3 .done)" = true && screen | has "^>   3 .* done"'
keys x
eventually "and not done" 'test "$(field 3 .done)" = false'
keys m k
eventually "a move is shown" 'test "$(numbers)" = "3 1" && test "$(eggctl list -q | xargs)" = "1 3"'
keys Enter
eventually "and made with Enter" 'test "$(eggctl list -q | xargs)" = "3 1" && shows "q quit"'
keys h
eventually "h makes one that rings in five seconds" 'screen | has "^>   4 .* [1-5] s .*scheduled"'
eventually "which counts down and rings without a key" 'screen | has "^>   4 .* ringing"'
check_sh "ringing alarms come first" 'test "$(numbers)" = "4 3 1" && test "$(eggctl list -q | xargs)" = "4 3 1"'
keys s
eventually "s offers lengths of a snooze" 'screen | has "snooze #4 for: 5min"'
keys Enter
eventually "which Enter takes" 'test "$(field 4 .state)" = snoozed && screen | has "^>   4 .* snoozed"'
keys Space
eventually "Space dismisses it" 'test "$(field 4 .state)" = rung && screen | has "^>   4 .* rung"'
keys s
eventually "what eggd refuses is told" 'line 24 | grep -F "alarm 4 is rung: only ringing alarms can be snoozed"'
keys /; text "soft"
eventually "a filter shows what passes, as it is typed" 'test "$(numbers)" = 3'
check_sh "with the totals of that" 'line 1 | grep "^1 egg in 1 alarm"'
keys Escape
eventually "Escape takes it away" 'test "$(numbers)" = "3 1 4"'
keys u
eventually "u asks with what would be taken back" 'line 24 | grep -E "^undo dismissed #4.*y/n$"'
keys n
until_sh 'shows "nothing was changed"'
keys G d
eventually "d asks" 'line 24 | grep -xF "delete #4? y/n"'
keys y
eventually "y deletes" 'test "$(eggctl list -q | xargs)" = "3 1" && test "$(numbers)" = "3 1"'
keys u
eventually "u asks with that" 'line 24 | grep -E "^undo deleted #4, .*y/n$"'
keys y
eventually "y takes it back" 'test "$(numbers)" = "3 1 4"'
keys U
eventually "U deletes it again" 'test "$(numbers)" = "3 1" && line 24 | grep -x redone'
keys Home r
eventually "r makes another of the same text" 'test "$(eggctl list -q | xargs)" = "3 1 5" && screen | has "^>   5 .* scheduled"'
keys e; text "2h again"; keys Enter
eventually "e changes time and label" 'test "$(field 5 .label)" = again && screen | has "^>   5 .* 1 h 59 min .* again"'
keys + C-u; text "1h"; keys Enter
eventually "+ makes it ring later" 'screen | has "^>   5 .* 2 h 59 min .* again"'
keys Enter
eventually "Enter shows all of it" 'line 2 | grep "^#5 .* again$" && screen | has "^entered  *2h$"'
keys Escape o
eventually "o sorts by due" 'test "$(numbers)" = "5 1 3" && line 24 | grep -x "sorted by due"'
keys o o
eventually "and back" 'test "$(numbers)" = "3 1 5" && line 24 | grep -x "in list order"'
eggctl delete 5 >/dev/null
until_sh 'test "$(numbers)" = "3 1"'

echo "# what is written"
eggctl schedule 59m --label "counts" -q >/dev/null
until_sh 'shows counts'
terminal pipe-pane "cat >$work/written"
before=$(screen | grep counts)
eventually "a countdown goes on" '[[ $(screen | grep counts) != "$before" ]] && test -s "$work/written"'
terminal pipe-pane
check_sh "what did not change is not written" 'has counts "$work/written" && ! has -e later -e "q quit" "$work/written"'

echo "# 40x10 and other sizes"
keys Escape
resize 40 10
eventually "the totals and the rows fit" 'line 1 | grep -E "^5 eggs in 3 alarms · 5[0-9] min"'
eventually "with heading, rows and keys" 'line 2 | grep -x "    #  LEFT         LABEL" &&
  line 3 | grep -E "^[> ]   3  paused       soft eggs$" &&
  line 4 | grep -E "^[> ]   1  [0-9]+ d( [0-9]+ h)? +later$" &&
  line 10 | grep -x "a add  e edit  d delete  ? help  q quit"'
keys '?'
eventually "the keys are told on it" 'line 2 | grep "^up down" && line 10 | grep -x "any key: back to the list"'
keys Escape
for size in "3 1" "1 1" "7 3" "250 60" "80 24"; do
  # shellcheck disable=SC2086 # two words
  resize $size
done
eventually "it comes back from any size" 'shows "DUE" && line 24 | grep "q quit"'

echo "# groups"
eggctl group create Sunday --color green >/dev/null
eggctl edit 1 3 --group Sunday -q >/dev/null
eventually "a group has its bar" 'line 2 | grep -E "^Sunday +░{10}  0 %  0 of 2$"'
eggctl "done" 3 >/dev/null
eventually "which follows what is done" 'line 2 | grep -E "^Sunday +█{5}░{5}  50 %  1 of 2$"'

echo "# leaving"
keys C-z
eventually "Control-Z gives the terminal back" 'shows "Stopped" && as_found'
keys fg Enter
eventually "fg goes on" 'line 2 | has Sunday && shows "q quit"'
kill -TSTP "$(watch_pid)"
eventually "so does a stop from elsewhere" 'shows "Stopped" && as_found'
keys fg Enter
until_sh 'shows "q quit"'
keys C-c
until_true as_found
keys 'echo "ended with $?"' Enter
eventually "Control-C ends it by SIGINT" 'shows "ended with 130"'
check "and leaves the terminal as it was found" as_found
watch
keys q
eventually "q ends it well" 'shows "ended with 0"'
check "and leaves the terminal as it was found" as_found
for signal in SEGV:139 ABRT:134 TERM:143 HUP:129 QUIT:131; do
  watch
  kill -"${signal%:*}" "$(watch_pid)"
  eventually "SIG${signal%:*} ends it by that signal" 'shows "ended with ${signal#*:}"'
  check "and leaves the terminal as it was found" as_found
done

echo "# eggd goes and comes"
watch
check_here "eggd ends" ends TERM 0
eventually "that is told in the first line" 'line 1 | grep "eggd is not running"'
start_eggd
eventually "and that it is back" 'shows "eggd is back" && line 1 | grep "^5 eggs in 3 alarms"'
eggctl schedule 20m --label "made anew" -q >/dev/null
eventually "changes are followed again" 'shows "made anew"'
keys q
until_sh 'shows "ended with 0"'
ends KILL 137 >/dev/null 2>&1
keys 'clear; eggctl watch; echo "ended with $?"' Enter
eventually "without eggd it is the error of every verb" 'shows "ended with 69"'
check "on a terminal as it was found" as_found
start_eggd

echo "# colours"
keys 'clear; NO_COLOR= eggctl watch; echo "ended with $?"' Enter
until_sh 'shows "q quit"'
check_sh "the row of the cursor is reversed" 'terminal capture-pane -pe | has "7m[^ ]*> "'
check_sh "a group has its colour" 'terminal capture-pane -pe | has -E "32m(.\[49m)?Sunday"'
keys q
until_sh 'shows "ended with 0"'

echo "# where there is no terminal"
eggctl watch >"$work/lines" &
eventually "the list is lines" 'grep "^#1 .* later$" "$work/lines"'
eggctl schedule 30m --label "one more" -q >/dev/null
eventually "and every change" 'grep "^created  #.* one more$" "$work/lines"'
check_sh "a terminal that can only print gets lines too" \
  'TERM=dumb timeout 30 script -qec "eggctl watch | head -n 1" /dev/null | has "^#"'

echo "# 100 000 alarms"
eggctl export | jq -c 'select(.alarm.label == "later")' >"$work/one"
jq -c 'range(100000) as $i | .alarm |= (del(.id, .position, .group) | .number = 1000 + $i | .label = "egg \($i)")' \
  "$work/one" >"$work/many"
check "are imported" eggctl import "$work/many"
watch
eventually "are shown" 'line 1 | has "in 100005 alarms"'
# used: the processor time that watch has taken, in ms. Others on the machine do not change it.
used() {
  local fields
  read -ra fields <"/proc/$(watch_pid)/stat"
  echo $(((fields[13] + fields[14]) * 1000 / $(getconf CLK_TCK)))
}
began=$(used)
keys G
eventually "the end of the list is a key away" 'screen | has " egg 99999"'
keys /; text "egg 7777"
eventually "so is a filter" 'line 2 | has Sunday && screen | has "egg 77779"'
check_sh "both in less than five seconds of processor time" 'took=$(($(used) - began)); echo $took; test $took -lt 5000'
keys Escape
made=$(used)
eggctl schedule 1h --label "the last" -q >/dev/null
eventually "and what another makes" 'keys G && shows "the last"'
check_sh "in less than five seconds of processor time" 'took=$(($(used) - made)); echo $took; test $took -lt 5000'
keys q
until_sh 'shows "ended with 0"'
finish
