#!/bin/bash
# sound.sh - rings are heard: eggd, its player and a sound server whose output is recorded. Below with-notify-server
# dunst, which plays no sounds.
# shellcheck disable=SC2016,SC2034,SC2317 # claims are shell text in single quotes
. "${BASH_SOURCE[0]%/*}/checks.sh"
. "${BASH_SOURCE[0]%/*}/private-eggd.sh"

sounds=/usr/share/sounds/freedesktop/stereo
# the inputs of the sink with their properties
playing() { pactl list sink-inputs; }
silent() { test -z "$(pactl list short sink-inputs)"; }
# heard_since BYTES: samples louder than noise were recorded since then
heard_since() {
  python3 -c 'import array, sys
samples = open(sys.argv[1], "rb").read()[int(sys.argv[2]) // 2 * 2:]
loudest = max(map(abs, array.array("h", samples[:len(samples) // 2 * 2])), default=0)
print(loudest)
assert loudest > 1000' "$work/heard" "$1"
}
recorded() { stat -c %s "$work/heard"; }

pulseaudio -n --daemonize=no --exit-idle-time=-1 --disable-shm=yes -L "module-native-protocol-unix auth-anonymous=1" \
  -L "module-null-sink sink_name=egg" -L module-always-sink >/dev/null 2>&1 &
pulse_pid=$!
until_true pactl info >/dev/null 2>&1
parec --latency-msec=20 -d egg.monitor --format=s16le --rate=8000 --channels=1 >"$work/heard" &
until_sh 'test "$(recorded)" -gt 0'
start_eggd
check_sh "status says who plays" 'eggctl status | has "^sound  *by libcanberra"'

echo "# a server that plays no sounds"
before=$(recorded)
number=$(alarm 200ms)
eventually "a ring is heard" 'heard_since $before'
check_sh "it is the usual sound" 'playing | has "event.id = \"alarm-clock-elapsed\""'
other=$(alarm 50ms --sound bell)
check "another alarm that rings meanwhile" eggctl wait "$other"
check_sh "starts no second sound" 'test "$(pactl list short sink-inputs | wc -l)" = 1'
check "the first is answered" eggctl dismiss "$number"
check_sh "and the sound goes on for the other" '! silent'
check "that is answered too" eggctl dismiss "$other"
eventually "which ends the sound" silent

number=$(alarm 50ms --sound none)
check "an alarm with --sound none rings" eggctl wait "$number"
# it would hold up this one, were it heard
cp "$sounds/alarm-clock-elapsed.oga" "$work/ein Ei.oga"
number=$(cd "$work" && alarm 50ms --sound "ein Ei.oga")
eventually "and is not heard; a file is" 'playing | has "media.filename = \"$work/ein Ei.oga\""'
eggctl delete "$number" >/dev/null
eventually "deletion ends the sound" silent
check_sh "show names the sound" 'alarm 1h --sound bell >"$work/number" && eggctl show "$(<"$work/number")" | has "^ *sound  *bell"'

echo "# no server"
notify-ctl kill
before=$(recorded)
number=$(alarm 50ms --sound no-such-sound)
eventually "a ring is heard all the same, although the theme has no such sound" 'heard_since $before'
eggctl dismiss "$number" >/dev/null
eventually "silence" silent
touch "$work/fifo"
number=$(alarm 1s --sound "$work/fifo")
rm "$work/fifo" && mkfifo "$work/fifo"
before=$(recorded)
eventually "so is one whose file has become a FIFO" 'heard_since $before'
eggctl dismiss "$number" >/dev/null
eventually "silence again" silent

echo "# no sound server"
kill "$pulse_pid"
wait "$pulse_pid" 2>/dev/null || true
for _ in 1 2; do eggctl wait "$(alarm 50ms)" >/dev/null; done
eventually "status says that nothing is heard" 'eggctl status | has "^sound  *none: no sound server takes sounds"'
check_sh "and the journal, once" 'test "$(grep -c "Rings are shown but not heard" "$work/stderr")" = 1'
finish
