#!/bin/bash
# late-bus.sh - no session bus when eggd starts: rings are kept, and shown when a bus and a server come up.
# shellcheck disable=SC2016,SC2034,SC2317 # claims are shell text in single quotes
. "${BASH_SOURCE[0]%/*}/checks.sh"
unset DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR DISPLAY WAYLAND_DISPLAY
. "${BASH_SOURCE[0]%/*}/private-eggd.sh"

start_eggd
check_sh "status says that there is no bus" 'eggctl status --json | jq -e ".desktop == \"noBus\""'
check_sh "eggd says so once" 'test "$(grep -ci "bus" "$work/stderr")" = 1'
number=$(alarm 200ms)
eventually "the alarm rings on standard error" 'grep -q "^<5>Wait! Your eggs are almost done!" "$work/stderr"'
check_sh "and is kept: not shown" 'test -z "$(field $number ".latest.shownAt // empty")"'

dbus-daemon --session --nofork --nopidfile --address="unix:path=$XDG_RUNTIME_DIR/bus" >"$work/bus" 2>&1 &
export DBUS_SESSION_BUS_ADDRESS=unix:path=$XDG_RUNTIME_DIR/bus
until_true test -S "$XDG_RUNTIME_DIR/bus"
check "with a bus and a server it is shown" \
  "$repository/Tests/testbed/with-notify-server" dunst bash -c '
    . "$1/checks.sh"
    until_sh "test \"\$(notify-ctl shown)\" = 1" && notify-ctl list | jq -se ".[0].summary == \"Wait!\""' \
  bash "$repository/Tests/EndToEndTests/Scenarios"

# Dispatch traps where it watches a socket whose peer hangs up at the wrong moment: it is to watch none. Its instance of
# epoll is the one that watches others.
eggctl monitor >"$work/monitor" &
dispatch_watches() {
  local info watched
  for info in /proc/"$eggd_pid"/fdinfo/*; do
    watched=$(awk '$1 == "tfd:" { print $2 }' "$info" | sed "s|^|/proc/$eggd_pid/fd/|" | xargs -r readlink)
    if has -F "[eventpoll]" <<<"$watched"; then echo "$watched"; fi
  done
}
eventually "the bus and a client are connected" \
  'test "$(find "/proc/$eggd_pid/fd" -lname "socket:*" | wc -l)" -ge 3 && grep -q . "$work/monitor"'
check_sh "their sockets are not Dispatch's to watch" 'dispatch_watches | has eventpoll && ! dispatch_watches | has socket'
finish
