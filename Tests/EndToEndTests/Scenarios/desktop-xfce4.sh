#!/bin/bash
# desktop-xfce4.sh - rings on xfce4-notifyd: its log, a click of a mouse. Below with-notify-server xfce4-notifyd.
# shellcheck disable=SC2016,SC2034,SC2317 # claims are shell text in single quotes
. "${BASH_SOURCE[0]%/*}/checks.sh"
. "${BASH_SOURCE[0]%/*}/private-eggd.sh"

start_eggd
number=$(alarm 300ms "two soft ones")
# the log names the application by its desktop entry, and has \n for a new line
eventually "the server's own log has summary, body and label" 'notify-ctl list | jq -se "length == 1
  and .[0].app == \"eggd\" and .[0].summary == \"Wait!\"
  and .[0].body == \"Your eggs are almost done!\\\\ntwo soft ones\""'
eventually "the alarm is ringing" 'test "$(field $number .state)" = ringing'
check "delete" eggctl delete "$number"

number=$(alarm 300ms)
eventually "shown" 'test -n "$(field $number ".latest.shownAt // empty")"'
# the server draws its window a moment later, at the top right; a click on its text is the default action
eventually "a click of the mouse dismisses" \
  'notify-ctl click 650 40; test -n "$(field $number ".latest.dismissedAt // empty")"'

notify-ctl stop
number=$(alarm 300ms "was away")
eventually "without the server it rings" 'test "$(field $number .state)" = ringing'
notify-ctl start xfce4-notifyd
eventually "and is shown when the server is there" 'notify-ctl list | has "was away"'
finish
