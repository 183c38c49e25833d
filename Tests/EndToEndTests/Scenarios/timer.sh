#!/bin/bash
# timer.sh - eggctl timer on a terminal of tmux: its screen and its keys; what is left after q, a kill of it and of eggd.
# shellcheck disable=SC2016,SC2034,SC2317 # claims are shell text in single quotes
. "${BASH_SOURCE[0]%/*}/checks.sh"
unset DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR TMUX
. "${BASH_SOURCE[0]%/*}/private-eggd.sh"

terminal() { tmux -S "$work/tmux" "$@"; }
keys() { terminal send-keys "$@"; }
text() { terminal send-keys -l "$1"; }
screen() { terminal capture-pane -p; }
shows() { screen | has -F -- "$1"; }
timer_pid() {
  local shell
  shell=$(terminal display -p '#{pane_pid}')
  tr ' ' '\n' <"/proc/$shell/task/$shell/children" | head -n 1
}
timer() {
  # what the one before has left on the screen
  keys clear Enter
  until_sh '! shows "q leave"'
  keys "eggctl timer $1" Enter
  until_sh 'shows "q leave"'
}
trap 'terminal kill-server || true; end_all' EXIT
terminal -f /dev/null new-session -d -x 60 -y 16 'PS1="ready> " bash --norc --noprofile'
until_sh 'shows "ready>"'
start_eggd

timer '10m tea --eggs 2'
check_sh "the alarm is stored, with what schedule takes" '[[ $(field 1 "[.label, .eggs, .span] | @csv") == "\"tea\",2,600000000" ]]'
check_sh "digits, bar, label and moment are on the screen" 'shows "██████" && shows "░░░░" && shows tea && shows "rings at 20"'
due=$(field 1 .due)
keys +
eventually "+ adds a minute" '[[ $(field 1 .due) == $((due + 60000000)) ]]'
keys -- -
eventually "- takes it back" '[[ $(field 1 .due) == "$due" ]]'
keys Space
eventually "Space pauses" '[[ $(field 1 .state) == paused ]] && shows paused'
keys Space
eventually "and resumes" '[[ $(field 1 .state) == scheduled ]] && shows "rings at"'
terminal resize-window -x 20 -y 5
eventually "five lines of twenty columns have the time in digits" 'screen | head -n 1 | has -E "^ +(9|10):[0-9][0-9]$"'
terminal resize-window -x 60 -y 16
keys q
eventually "q leaves, and says that the alarm stays" 'shows "the alarm stays: eggctl timer 1 shows it again" && shows "ready>"'
check_sh "so it does" '[[ $(field 1 .state) == scheduled ]]'

timer 1
check_sh "a number shows an alarm that exists" 'shows tea && [[ $(eggctl list -q | wc -l) == 1 ]]'
kill -KILL "$(timer_pid)"
eventually "killed it leaves the alarm, too" 'shows Killed && [[ $(field 1 .state) == scheduled ]]'
keys 'reset' Enter
until_sh 'shows "ready>"'

timer 1
check_here "eggd ends" ends TERM 0
eventually "the screen says so" 'shows "eggd is not running"'
start_eggd
eventually "and goes on when it is back" 'shows "Space pause"'
eggctl edit 1 1s -q >/dev/null
eventually "the ring is on the screen" 'shows "it rings" && shows "Enter dismiss"'
keys Enter
eventually "Enter dismisses it and leaves" '[[ $(field 1 .state) == rung ]] && ! shows "it rings" && shows "ready>"'
check_sh "without a terminal it schedules and waits" 'timeout 30 eggctl timer 1s egg | tee /dev/stderr | has "rang: #2"'
check_sh "a wrong option is told as one of schedule" '! eggctl timer 10m --nosuch 2>"$work/refused" && has nosuch "$work/refused"'
check_sh "a number without an alarm is refused" '! eggctl timer 4711 2>"$work/refused" && has 4711 "$work/refused"'
exit $((failed > 0))
