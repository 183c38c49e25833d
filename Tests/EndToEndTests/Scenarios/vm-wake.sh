#!/bin/bash
# vm-wake.sh - a suspended machine is woken for an alarm; run by `make test-vm` in a virtual machine of its own: QEMU's
# clock, once it was set ahead, ends each further suspend at once. QEMU is woken from outside after an hour, at the moment
# for which the kernel's timer is armed, give or take seconds. journald is the observer of the ring.
# shellcheck disable=SC2016,SC2034,SC2317 # claims are shell text in single quotes
. "${BASH_SOURCE[0]%/*}/checks.sh"
work=$(mktemp -d)
export work XDG_RUNTIME_DIR=$work/run XDG_STATE_HOME=$work/state
mkdir -m 700 "$XDG_RUNTIME_DIR" "$XDG_RUNTIME_DIR/eggd"
export PATH=${BASH_SOURCE[0]%/*}/bin:$PATH
rings() { journalctl -t eggd -o json MESSAGE_ID=cf5f9b230d1e4ddb9d5b5e792f1015a6 "EGG_ALARM_NUMBER=$1"; }
# how much later than due journald's socket had the entry, in us
late() { rings "$1" | jq -r '(._SOURCE_REALTIME_TIMESTAMP | tonumber) - (.EGG_DUE_AT | tonumber)'; }
timers() { cat /proc/"$(pgrep -x eggd-wake)"/fdinfo/*; }
# left: the seconds until the timer ends
left() { timers | sed -n 's/^it_value: (\([0-9]*\), .*/\1/p'; }
export -f rings late timers left has field json

eggd </dev/null &
systemd-socket-activate -l "$XDG_RUNTIME_DIR/eggd/wake.sock" eggd-wake 2>/dev/null &
trap 'kill -KILL %1 %2; wait 2>/dev/null; rm -rf "$work" "$seen"' EXIT
until_true test -S "$XDG_RUNTIME_DIR/eggd/wake.sock"
until_true eval 'eggctl status >/dev/null 2>&1' || { echo "FAIL eggd does not answer"; exit 1; }

echo "# woken for an alarm"
echo "     | the clock: $(cat /sys/class/rtc/rtc0/{name,device/power/wakeup} | tr '\n' ' ')"
woken=$(eggctl schedule -q 1h20s --wake 2>"$work/said")
export woken
eventually "the timer is armed for ten seconds before it" 'left=$(left) && echo $left s && test $left -ge 3595 -a $left -le 3610'
check_sh "on the clock that wakes a machine" 'timers | has "^clockid:.8$"'
check_sh "schedule has nothing to say against it" '! has . "$work/said"'
check_sh "status says when" 'eggctl status | has "this machine wakes from suspend for "'
echo mem >/sys/power/state
resumed=$(micros)
export resumed
check_sh "the machine has slept for an hour, and is up before the alarm" \
  'ahead=$(($(field $woken .due) - resumed)); echo $ahead us; test $ahead -gt 0 -a $ahead -lt 25000000'
eventually "it rings" 'rings $woken | has .'
check_sh "on its moment" 'late=$(late $woken); echo $late us; test $late -ge 0 -a $late -le 250000'
echo "     | $(late "$woken") us after it"
eventually "then nobody is left to wake the machine" '! pgrep -x eggd-wake'
finish
