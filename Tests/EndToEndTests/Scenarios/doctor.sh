#!/bin/bash
# doctor.sh - each command that doctor prints is run, and doctor then says ok; in the box, as a login user.
# shellcheck disable=SC2016,SC2034,SC2317 # claims are shell text in single quotes
. "${BASH_SOURCE[0]%/*}/checks.sh"

testbed=${BASH_SOURCE[0]%/*}/../../testbed
socket=$XDG_RUNTIME_DIR/eggd/eggd.sock
# finding NAME FILTER: of what is not ok
finding() { { eggctl doctor --json 2>/dev/null || true; } | jq -r ".findings[] | select(.name == \"$1\" and .verdict != \"ok\") | $2 // empty"; }
fine() { test -z "$(finding "$1" .text)"; }
# mends NAME: runs its command; after that it is ok
mends() {
  local command
  command=$(finding "$1" .command)
  echo "$(finding "$1" .text): $command"
  test -n "$command" && bash -c "$command" && until_true fine "$1"
}
says() { finding "$1" .text | has "$2"; }

rm -rf ~/.config ~/.local ~/.cache
systemctl --user enable -q --now eggd.socket eggd.service
check "nothing is wrong with eggd" fine eggd

echo "# units and the socket"
for masked in eggd.service eggd.socket "eggd.service eggd.socket"; do
  systemctl --user stop -q eggd.socket eggd.service
  # shellcheck disable=SC2086 # several words
  systemctl --user mask -q $masked
  check_sh "masked: $masked: doctor says so" 'says eggd "masked: $masked"'
  check "and its command mends that" mends eggd
done
systemctl --user start -q eggd.service
systemctl --user mask -q eggd.service
check_sh "masked while eggd runs: doctor says so" 'says unit "masked: eggd.service"'
check "and its command mends that" mends unit
rm "$socket"
check_sh "a socket that was deleted: doctor says so" 'says eggd "was deleted"'
check "and its command mends that" mends eggd
chmod 000 "$socket"
check_sh "a socket without its mode: doctor says so" 'says eggd "not permitted"'
check "and its command mends that" mends eggd
chmod 000 "${socket%/*}"
check "so is its folder mended" mends eggd

echo "# the bus and the notification server"
systemctl --user stop -q dbus.socket dbus.service
eventually "without a bus doctor says so" 'says desktop "no session bus"'
check_sh "and its command mends that" 'bash -c "$(finding desktop .command)" && until_sh "says desktop \"no notification server\""'
check "started as doctor says, a notification server shows rings" "$testbed/with-notify-server" dunst bash -c '
  for _ in {1..300}; do
    { eggctl doctor --json || true; } 2>/dev/null | jq -e ".findings[] | select(.name == \"desktop\") | .verdict == \"ok\"" && exit
    read -rt 0.02 <> <(:) || true
  done
  exit 1'

echo "# sound"
systemctl --user stop -q pulseaudio.socket pulseaudio.service
eventually "without a sound server doctor says so" 'says sound "no sound server"'
check_sh "unseen and unheard is wrong" 'test "$(finding sound .verdict)" = wrong'
check "and its command mends that" mends sound
pactl set-sink-mute @DEFAULT_SINK@ 1
check_sh "a muted output: doctor says so" 'says sound "muted"'
check "and its command mends that" mends sound
pactl set-sink-volume @DEFAULT_SINK@ 0
check_sh "an output without volume: doctor says so" 'says sound "the volume"'
check "and its command mends that" mends sound

echo "# hooks"
mkdir -p ~/.config/eggd/on-ring.d
for name in {a..e}; do echo '#!/bin/sh' >~/.config/eggd/on-ring.d/"$name one"; done
check_sh "five that are not executable: doctor says so" 'says hooks "not executable"'
check "and its command mends that" mends hooks
chmod o+w ~/.config/eggd/on-ring.d/*
check_sh "five that others could change: doctor says so" 'says hooks "others can change"'
check "and its command mends that" mends hooks
chmod 777 ~/.config/eggd/on-ring.d
check_sh "a folder that others could change: doctor says so" 'says hooks "can be written by anybody"'
check "and its command mends that" mends hooks
finish
