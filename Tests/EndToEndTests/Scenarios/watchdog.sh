#!/bin/bash
# watchdog.sh - a WatchdogSec= that was set is served, and one that is not served is acted upon.
# shellcheck disable=SC2016,SC2034,SC2317 # claims are shell text in single quotes
. "${BASH_SOURCE[0]%/*}/checks.sh"

pid() { systemctl --user show -p MainPID --value eggd.service; }
restarts() { systemctl --user show -p NRestarts --value eggd.service; }

mkdir -p ~/.config/systemd/user/eggd.service.d
printf '[Service]\nWatchdogSec=2\n' >~/.config/systemd/user/eggd.service.d/watchdog.conf
systemctl --user daemon-reload
check "eggd starts with WatchdogSec=2" systemctl --user start eggd.socket eggd.service
check_sh "the shipped unit sets none" '! grep -q "^WatchdogSec" /usr/local/lib/systemd/user/eggd.service'

first=$(pid)
number=$(alarm 4500ms)
eventually "an alarm 4.5 s ahead rings" \
  'journalctl -q --user -t eggd -o json EGG_ALARM_NUMBER=$number | has almost'
check_sh "in the same process: the watchdog was fed" 'test "$(pid)" = "$first" && test "$(restarts)" = 0'

kill -STOP "$first"
eventually "a process that hangs is killed and another started" 'test "$(restarts)" -ge 1 && test "$(pid)" != "$first"'
eventually "by the watchdog" 'journalctl -q --user -u eggd.service -o cat | has "Watchdog timeout"'
until_true systemctl --user -q is-active eggd.service
check_sh "which has the alarms" 'eggctl list -q | has -x "$number"'
finish
