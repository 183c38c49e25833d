#!/bin/bash
# sound.sh - rings are heard: eggd, its player and a sound server whose output is recorded. Below with-notify-server
# dunst, which plays no sounds.
# shellcheck disable=SC2016,SC2034,SC2317 # claims are shell text in single quotes
. "${BASH_SOURCE[0]%/*}/checks.sh"
. "${BASH_SOURCE[0]%/*}/private-eggd.sh"
export XDG_CONFIG_HOME=$work/config

sounds=/usr/share/sounds/freedesktop/stereo
# the inputs of the sink with their properties
playing() { pactl list sink-inputs; }
silent() { ! pgrep -P "$eggd_pid" -x eggd-sound >/dev/null && test -z "$(pactl list short sink-inputs)"; }
# loudness BYTES: the loudest samples since then of each second in which something was heard
loudness() {
  python3 -c 'import array, sys
samples = open(sys.argv[1], "rb").read()[int(sys.argv[2]) // 2 * 2:]
samples = array.array("h", samples[:len(samples) // 2 * 2])
for start in range(0, len(samples), 8000):
  loudest = max(map(abs, samples[start:start + 8000]))
  if loudest > 100: print(loudest)' "$work/heard" "$1"
}
# rises: each line is a number above the last one, and the last is 1.3 to 2 times the first
rises() { awk 'NR == 1 { first = $1 } $1 <= last { exit 1 } { last = $1 } END { exit !(last > 1.3 * first && last < 2.1 * first) }'; }
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
check_sh "status says who plays" 'eggctl status | has "^sound  *eggd plays the sound of a ring with libcanberra"'

echo "# a server that plays no sounds"
before=$(recorded)
number=$(alarm 200ms)
eventually "a ring is heard" 'heard_since $before'
check_sh "it is the usual sound" 'playing | has "event.id = \"alarm-clock-elapsed\""'
other=$(alarm 50ms --sound bell)
check "another alarm that rings meanwhile" eggctl wait "$other"
check_sh "starts no second sound" 'test "$(pactl list short sink-inputs | wc -l)" = 1'
check "the first is answered" eggctl dismiss "$number"
eventually "and the other is heard" 'playing | has "event.id = \"bell\""'
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
echo "# how long and how loud"
mkdir -p "$XDG_CONFIG_HOME/eggd"
config="$XDG_CONFIG_HOME/eggd/config.toml"
printf 'sound = "bell"\nsound-for = "8s"\n' >"$config"
check "the sound is to last for 8 seconds" eggctl reload
before=$(recorded)
number=$(alarm 50ms)
eggctl wait "$number" >/dev/null
begun=$(micros)
eventually "it begins" '! silent'
eventually "and ends by itself" silent
lasted=$((($(micros) - begun) / 1000))
check_sh "after 8 seconds" 'echo "$lasted ms"; ((lasted > 7000 && lasted < 9500))'
check_sh "each time louder, from half volume" 'loudness $before | tee /dev/stderr | rises'
eggctl dismiss "$number" >/dev/null
printf 'sound = "bell"\nsound-for = "0"\n' >"$config"
check "it is to be heard once" eggctl reload
number=$(alarm 50ms)
eventually "it is" '! silent'
eventually "and ends" silent
check_sh "while the alarm rings" 'eggctl show "$number" | has "ringing"'
eggctl dismiss "$number" >/dev/null
rm "$config"
eggctl reload >/dev/null

echo "# what cannot be played"
printf 'ID3' >"$work/song.mp3"
printf 'OggS%024d\1\023OpusHead' 0 >"$work/song.opus"
printf 'fLaC' >"$work/song.flac"
printf '....ftypM4A ' >"$work/song.m4a"
printf 'RIFF\044\0\0\0WAVEfmt \020\0\0\0\1\0\1\0\100\037\0\0\200\076\0\0\2\0\020\0data\0\0\0\0' >"$work/empty.wav"
for sound in "$work"/song.{mp3,opus,flac,m4a} "$work/empty.wav" alram-clock; do
  number=$(alarm 1s --sound "$sound")
  check_sh "schedule says that ${sound##*/} cannot be played" \
    'eggctl schedule 1h --sound "$sound" 2>&1 | has "the usual sound is heard instead"'
  check_sh "show too" 'eggctl show "$number" 2>&1 | has "the usual sound is heard instead"'
  eventually "the usual sound is heard" 'playing | has "event.id = \"alarm-clock-elapsed\""'
  check_sh "and the journal says so" 'grep -q "The sound of #$number cannot be played, another is heard: .*${sound##*/}" "$work/stderr"'
  other=$(alarm 50ms --sound bell)
  eggctl wait "$other" >/dev/null
  eggctl dismiss "$number" >/dev/null
  eventually "the next alarm is heard" 'playing | has "event.id = \"bell\""'
  eggctl delete "$other" >/dev/null
  eventually "until it is deleted" silent
done
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
eventually "status says that nothing is heard" 'eggctl status | has "^sound  *rings are not heard: no sound server takes sounds"'
check_sh "and the journal, once" 'test "$(grep -c "Rings are not heard" "$work/stderr")" = 1'
finish
