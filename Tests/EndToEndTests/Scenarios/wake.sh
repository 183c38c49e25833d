#!/bin/bash
# wake.sh user|system - who wakes the machine, as root in the box. user: the manager of egg has CAP_WAKE_ALARM, as from
# systemd 254 on. system: it has not, and root enables the system's unit. The kernel's timer is the observer. A machine of
# the test has no clock that wakes it, or has one: eggd says what is true.
# shellcheck disable=SC2016,SC2034,SC2317 # claims are shell text in single quotes
. "${BASH_SOURCE[0]%/*}/checks.sh"

by() { systemd-run -q --wait --pipe --collect -p PAMName=login --uid=egg --setenv=LC_ALL=C.UTF-8 -- "$@"; }
waker() { pgrep -x eggd-wake; }
# left: the seconds until the machine wakes
left() { sed -n 's/^it_value: (\([0-9]*\), .*/\1/p' /proc/"$(waker)"/fdinfo/*; }
# wakes_in SECONDS: give or take ten
wakes_in() { local left; left=$(left) && echo "$left s" && test "$left" -gt $(($1 - 10)) -a "$left" -le "$1"; }
clock=noClock
! cat /sys/class/rtc/*/device/power/wakeup 2>/dev/null | has -x enabled || clock=ready
state() { by eggctl status --json | jq -r .wake; }
wait_for() { test "$(state)" = "$1"; }
loginctl enable-linger egg
until_true by systemctl --user is-active default.target >/dev/null
by systemctl --user enable --now eggd.service eggd.socket eggd-wake.socket 2>/dev/null

echo "# nothing is needed"
by eggctl schedule -q 20m >/dev/null
check_sh "without an alarm that asks for it nobody is started" '! waker && test "$(state)" = null'

if [[ $1 == system ]]; then
  echo "# the user's manager lacks the capability"
  by eggctl schedule 1h --wake 2>/tmp/said >/dev/null
  check_sh "schedule says that the machine will not wake" 'has "will not wake from suspend: eggd-wake lacks the capability" /tmp/said'
  check_sh "and what to type" 'has -x "eggctl: hint: sudo systemctl enable --now eggd-wake@egg.socket" /tmp/said'
  check_sh "doctor fails for it" '! by eggctl doctor && ! waker'
  check_sh "no unit has failed" '! by systemctl --user list-units --failed --plain --no-legend | has eggd'
  by eggctl schedule -q 2h --wake >/dev/null 2>&1
  eventually "the service was tried once" \
    'test "$(journalctl -q -o cat --output-fields=MESSAGE _SYSTEMD_USER_UNIT=eggd-wake.service + USER_UNIT=eggd-wake.service | grep -c "Started ")" = 1'
  check_sh "what it said to type" 'eval "$(sed -n "s/^eggctl: hint: sudo //p" /tmp/said)"'
else
  by eggctl schedule -q 1h --wake >/dev/null 2>&1
fi

echo "# armed"
eventually "eggd says whether a clock wakes the machine" 'wait_for $clock'
check_sh "the timer is for ten seconds before the alarm" 'wakes_in 3590'
check_sh "on the clock that wakes a machine" 'has "^clockid:.8$" /proc/"$(waker)"/fdinfo/*'
check_sh "eggd-wake is the user's, and can do nothing else" \
  'test "$(stat -c %U /proc/"$(waker)")" = egg && has "CapEff:.0000000800000000" /proc/"$(waker)"/status'
by eggctl schedule -q 30m --wake >/dev/null 2>&1
eventually "an earlier alarm moves it" 'wakes_in 1790'
pid=$(waker)
by systemctl --user kill -s KILL --kill-whom=main eggd.service
eventually "eggd is killed and comes back" 'by eggctl list -q --wait 2>/dev/null | has . || by eggctl list -q | has .'
check_sh "the timer is as it was" 'wakes_in 1790 && test "$(waker)" = $pid'
kill -KILL "$pid"
eventually "eggd-wake is killed, started anew and armed" 'waker && wakes_in 1790'
soon=$(by eggctl schedule -q 3s --wake 2>/dev/null)
eventually "an alarm within the ten seconds is waited for itself" 'by eggctl log "$soon" | has rang'
eventually "then the next is armed" 'wakes_in 1790'
by eggctl delete --all -y >/dev/null
eventually "without alarms nobody is left to wake the machine" '! waker'
check_sh "eggd knows that nothing is needed" 'wait_for null'

echo "# started twenty times"
if [[ $1 == system ]]; then manager=(systemctl) service=eggd-wake@egg.service
else manager=(by systemctl --user) service=eggd-wake.service; fi
changes() {
  by bash -c 'for _ in {1..20}; do number=$(eggctl schedule -q 1h --wake) && eggctl delete -qy "$number" || exit; done'
}
check "twenty alarms come and go" changes
check_sh "eggd-wake stays a little for the next" waker
starts() {
  for _ in {1..20}; do
    "${manager[@]}" stop "$service" && number=$(by eggctl schedule -q 1h --wake) && wait_for "$clock" && wakes_in 3590 &&
      by eggctl delete -qy "$number" || return
  done
}
check "it is stopped twenty times, and started anew and armed for the next alarm" starts
by eggctl schedule -q 30m --wake >/dev/null
eventually "then the timer is armed" 'wait_for $clock && wakes_in 1790'

echo "# it does not start"
tries() { journalctl -q -o cat _SYSTEMD_UNIT="$service" + UNIT="$service" + USER_UNIT="$service" | grep -c "203/EXEC$"; }
by eggctl delete --all -y >/dev/null
chmod -x /usr/local/libexec/eggd-wake
"${manager[@]}" stop "$service"
by eggctl schedule 20m --wake 2>/tmp/said >/dev/null
check_sh "schedule says so" 'has "will not wake from suspend: eggd-wake does not answer" /tmp/said'
check_sh "what it says to type tells why" \
  'hint=$(sed -n "s/^eggctl: hint: //p" /tmp/said) && $hint | has "eggd-wake.*203/EXEC"'
# The journal may be behind.
eventually "it was tried twice" 'tries | has -x 2'
check_sh "doctor fails for it" '! by eggctl doctor'
check_sh "and not more often" 'tries | has -x 2'
chmod +x /usr/local/libexec/eggd-wake
by eggctl schedule -q 10m --wake >/dev/null
eventually "once it can start, the next alarm starts it" 'wait_for $clock && wakes_in 590'
finish
