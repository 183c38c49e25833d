#!/bin/bash
# doctor.sh - each command that doctor prints is run, and doctor then says ok; in the box, behind doctor-setup.sh, as a
# login user. hosts.sh has doctor on another machine, sync-setup.sh and wake.sh what belongs to them.
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

# What root's commands do here. A package brings back what takes took away.
mkdir -p ~/bin ~/packages
cat >~/bin/sudo <<'END'
#!/bin/sh
if test "$1 $2" != "apt install"; then PATH=$PATH:/usr/sbin exec "$@"; fi
shift 2
for package; do test ! -e ~/packages/"$package" || tar -C / -xf ~/packages/"$package"; done
END
chmod +x ~/bin/sudo
PATH=~/bin:$PATH
# takes PACKAGE PATH: takes away what the package has at that path
takes() { tar -C / -cf ~/packages/"$1" "${2#/}" && rm -r "$2"; }

rm -rf ~/.config ~/.cache
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
check_sh "masked while eggd runs: doctor says so" 'says unit "nothing can start eggd again: masked: eggd.service"'
check "and its command mends that" mends unit
for now in "" --now; do
  # shellcheck disable=SC2086 # one word or none
  systemctl --user mask -q $now eggd.socket
  check_sh "its socket masked $now while eggd runs is no more than advice" '
    says unit "eggctl cannot start eggd: masked: eggd.socket" && test "$(finding unit .verdict)" = advice'
  check "and its command mends that" mends unit
  check_sh "eggd runs, and its socket too" 'test "$(systemctl --user is-active eggd.service eggd.socket | sort -u)" = active'
done
rm "$socket"
check_sh "a socket that was deleted: doctor says so" 'says eggd "was deleted"'
check "and its command mends that" mends eggd
chmod 000 "$socket"
check_sh "a socket without its mode: doctor says so" 'says eggd "not permitted"'
check "and its command mends that" mends eggd
chmod 000 "${socket%/*}"
check "so is its folder mended" mends eggd
chmod 000 "$XDG_RUNTIME_DIR"
check "and the one above" mends eggd
check_sh "the folder of another user: doctor names one's own" '
  (XDG_RUNTIME_DIR=/root; eval "$(finding eggd .command)" && test "$XDG_RUNTIME_DIR" = "/run/user/$UID" && fine eggd)'

echo "# the disk"
head -c 8M /dev/zero >~/.local/state/eggd/fill 2>/dev/null || true
until_sh '! eggctl schedule 1d --body "$(printf %900s x)" 2>/dev/null' >/dev/null
check_sh "a full disk: doctor says so, and what to do" 'says database "is full.*: delete something, then make a change$"'
check_sh "and that mends it" 'rm ~/.local/state/eggd/fill && eggctl schedule 1d && fine database'

echo "# the sandbox"
dropin=~/.config/systemd/user/eggd.service.d/forbidden.conf
mkdir -p "${dropin%/*}"
# the status that systemd gives while the setting forbids user namespaces
cat >"$dropin" <<'END'
[Service]
ExecStart=
ExecStart=+sh -c 'test -z "$$EGGD_SANDBOX" || ! grep -qx 0 /proc/sys/user/max_user_namespaces || exit 217; exec /usr/local/bin/eggd'
END
echo 0 >/proc/sys/user/max_user_namespaces
systemctl --user daemon-reload
systemctl --user restart eggd.service 2>/dev/null || true
eventually "without user namespaces doctor says so" 'says sandbox "this machine forbids user namespaces"'
check_sh "eggd runs, so it is advice" 'test "$(finding sandbox .verdict)" = advice && fine eggd'
check "and its command mends that" mends sandbox
check_sh "eggd has its sandbox again" 'test "$(systemctl --user show -P PrivateUsers eggd.service)" = yes'
rm "$dropin"
systemctl --user daemon-reload
systemctl --user restart eggd.service

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
takes sound-theme-freedesktop /usr/share/sounds/freedesktop
check_sh "no sound theme: doctor says so" 'says sound "no sound theme is installed"'
check "and its command mends that" mends sound
takes libcanberra0 "$(echo /usr/lib/*-linux-gnu/libcanberra.so.0)"
eventually "no libcanberra: doctor says so" 'says sound "libcanberra0 is not installed"'
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
echo 'snooze = "7m"' >~/.config/eggd/config.toml
chmod 777 ~/.config/eggd
eggctl reload 2>/dev/null || true
check_sh "the folder above: doctor says so" 'says hooks "anybody can replace what is in" && says settings "anybody can replace what is in"'
check "and its command mends that" mends settings
check "once for both" fine hooks
finish
