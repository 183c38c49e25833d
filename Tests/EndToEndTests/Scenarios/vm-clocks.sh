#!/bin/bash
# vm-clocks.sh - the machine is really suspended for an hour and its clock really set by an hour, both ways; run by
# `make test-vm` in the virtual machine. journald is the observer: its entries and the time stamps that it gave them.
# shellcheck disable=SC2016,SC2034,SC2317 # claims are shell text in single quotes
. "${BASH_SOURCE[0]%/*}/checks.sh"
work=$(mktemp -d)
export work XDG_RUNTIME_DIR=$work/run XDG_STATE_HOME=$work/state
mkdir -m 700 "$XDG_RUNTIME_DIR"
export PATH=${BASH_SOURCE[0]%/*}/bin:$PATH
# the entries of rings, without those of changes
export ring=MESSAGE_ID=cf5f9b230d1e4ddb9d5b5e792f1015a6
rings() { journalctl -t eggd -o json "$ring" "EGG_ALARM_NUMBER=$1"; }
count() { rings "$1" | wc -l; }
rang() { test "$(count "$1")" = 1; }
value() { rings "$1" | jq -r ".$2" | tail -n 1; }
# how much later than due journald's socket had the entry, in us
late() { rings "$1" | jq -r '(._SOURCE_REALTIME_TIMESTAMP | tonumber) - (.EGG_DUE_AT | tonumber)' | tail -n 1; }
boot_micros() { awk '{ printf "%.0f\n", $1 * 1000000 }' /proc/uptime; }
# at MILLISECONDS: an alarm at a moment that many from now
at() { local due=$(($(micros) + $1 * 1000)); alarm "@${due:0:-6}.${due: -6}"; }
export -f rings count rang value late boot_micros micros has

eggd </dev/null &
trap 'kill -KILL %1; wait 2>/dev/null; rm -rf "$work" "$seen"' EXIT
until_true eval 'eggctl status >/dev/null 2>&1' || { echo "FAIL eggd does not answer"; exit 1; }

echo "# suspended for an hour"
asleep=$(alarm 30m)
many=(); for _ in {1..8}; do many+=("$(alarm 20m)"); done
at_asleep=$(at 1200000)
before=$(boot_micros)
after=$(alarm 1h20s)
at_after=$(at 3622000)
series=(); for ((i = 0; i < 20; i++)); do series+=("$(alarm "$((3624000 + i * 400))ms")"); done
echo mem >/sys/power/state
resumed=$(micros)
export asleep at_asleep after at_after resumed before
check_sh "the machine's clock since boot went on by an hour" 'test $(($(boot_micros) - before)) -gt 3500000000'
eventually "a countdown that ended meanwhile rings" 'rang $asleep'
check_sh "within two seconds of the resume" \
  'ago=$(($(value $asleep _SOURCE_REALTIME_TIMESTAMP) - resumed)); echo $ago us; test $ago -lt 2000000'
check_sh "it says that the machine was asleep" 'test "$(value $asleep EGG_LATE_REASON)" = asleep'
check_sh "and by how much it is late" \
  'late=$(value $asleep EGG_LATENESS_US); echo $late us; test $late -gt 1700000000 -a $late -lt 1900000000'
eventually "an alarm at a moment rings late for the same reason" \
  'rang $at_asleep && test "$(value $at_asleep EGG_LATE_REASON)" = asleep'
for number in "${many[@]}"; do eventually "so does #$number" "rang $number"; done
eventually "a countdown of an hour and some seconds counted the hour" 'rang $after'
check_sh "it rings on its moment" 'late=$(late $after); echo $late us; test $late -ge 0 -a $late -le 50000'
eventually "an alarm at a moment an hour and some seconds on rings" 'rang $at_after'
check_sh "on its moment" 'late=$(late $at_after); echo $late us; test $late -ge 0 -a $late -le 50000'
eventually "twenty countdowns after it ring" "rang ${series[-1]}"
mapfile -t lateness < <(for number in "${series[@]}"; do late "$number"; done | sort -n)
check "none of them early" test "${lateness[0]}" -ge 0
mapfile -t fired < <(for number in "${series[@]}"; do value "$number" EGG_LATENESS_US; done | sort -n)
# The processors are emulated, and not alone: what a bare sleep pays for waking is told beside it.
check "eggd fired half of them within a millisecond" test "${fired[9]}" -le 1000
mapfile -t bare < <(python3 -c 'import time
for _ in range(20):
    end = time.time_ns() + 400000000
    time.sleep((end - time.time_ns()) / 1e9)
    print((time.time_ns() - end) // 1000)' | sort -n)
echo "     | these 20, in us late: fired ${fired[*]}"
echo "     | journald had them: ${lateness[*]}"
echo "     | a bare sleep woke: ${bare[*]}"

echo "# the clock set ahead by an hour"
over=$(at 1800000)
ticking=$(alarm 8s)
started=$(boot_micros)
export over ticking started
date -s '+1 hour' >/dev/null
eventually "an alarm that the clock was set over rings" 'rang $over'
check_sh "it says that the clock was set" 'test "$(value $over EGG_LATE_REASON)" = clockStep'
check_sh "a countdown was not moved: it has not rung" 'test "$(count $ticking)" = 0'
eventually "it rings when its time has passed" 'rang $ticking'
check_sh "neither early nor late" \
  'late=$(late $ticking); echo $late us; passed=$(($(boot_micros) - started)); test $passed -ge 7900000 -a $late -ge 0 -a $late -le 50000'

echo "# the clock set back by an hour"
waiting=$(at 5000)
export waiting
date -s '-1 hour' >/dev/null
marker=$(alarm 7s)
export marker
eventually "the time passes in which it would have rung" 'rang $marker'
check_sh "an alarm at a moment waits again" 'test "$(count $waiting)" = 0'
check_sh "what has rung does not ring again" 'test "$(count $over) $(count $at_asleep)" = "1 1"'
date -s '+1 hour' >/dev/null
eventually "and rings when the clock shows it again" 'rang $waiting'
check_sh "each ring came once" \
  'journalctl -t eggd -o json $ring | jq -r .EGG_ALARM_NUMBER | sort | uniq -d | (! has .)'
finish
