#!/bin/bash
# clock-step.sh - the machine's wall clock is really set, by a second and a half, and put back at once.
# shellcheck disable=SC2016,SC2034,SC2317 # claims are shell text in single quotes
. "${BASH_SOURCE[0]%/*}/checks.sh"
. "${BASH_SOURCE[0]%/*}/private-eggd.sh"
step=$repository/Tests/testbed/step-clock.py
said() { grep -c "$1" "$work/stderr"; }
export -f said field json has until_sh until_true attempt poll
export work

start_eggd
eggctl schedule 3s "boiled" >/dev/null
countdown=$(eggctl list -q)
read=$(field "$countdown" .createdAt)
moment=$(($(micros) + 1200000))
at=$(alarm "@${moment:0:-6}.${moment: -6}")
later=$(alarm "@$((${moment:0:-6} + 2)).${moment: -6}")
check_sh "the clock set over the moment of an alarm rings it, before its time has passed" \
  '"$step" 1500000 bash -c "until_sh \"test \\\"\\\$(field $at .state)\\\" = ringing\""'
check_sh "it says that the clock was set" 'test "$(field $at .latest.lateReason)" = clockStep'
eventually "the journal tells of both steps" 'test "$(said "The wall clock was set by")" -ge 2'
eventually "set back, what was still to come rings at its moment" 'test "$(field $later .state)" = ringing'
check_sh "neither early nor late" \
  'late=$(($(field $later .latest.firedAt) - $(field $later .latest.dueAt))); echo $late
   test $late -ge 0 -a $late -lt 1000000'
eventually "a countdown rings when its time has passed, whatever the clock showed" \
  'test "$(field $countdown .state)" = ringing'
check_sh "neither early nor late" \
  'late=$(($(field $countdown .latest.firedAt) - read - 3000000)); echo $late; test $late -ge -2000 -a $late -lt 1000000'
until_sh 'test "$(micros)" -gt $((moment + 1000000))'
check_sh "what has rung does not ring again" 'test "$(said "^<5>Wait!")" = 3'
finish
