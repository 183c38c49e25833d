#!/bin/bash
# install-two.sh - one user installs eggd, and root does what install.sh prints: neither root nor another user then runs
# anything that is that user's. As root in the box, where mallory is a user beside egg.
# shellcheck disable=SC2016,SC2034,SC2317 # claims are shell text in single quotes
. "${BASH_SOURCE[0]%/*}/checks.sh"

# archive USER DIRECTORY: the unpacked archive, as that user's
archive() {
  mkdir -p "$2/bin"
  cp .build/release/{eggd,eggctl,eggd-sound,eggd-wake,eggd-search} "$2/bin"
  cp -r share systemd packaging/install.sh "$2"
  cp -r .build/locale "$2/share"
  chown -R "$1:" "$2"
}
# printed_for NAME FILE: the lines that this person is to type
printed_for() { awk -v name="$1" '/^[^ ]/ { theirs = $0 ~ "as " name ":" } /^  / && theirs' "$2"; }
# followed FILE: root has typed what is printed for root
followed() {
  printed_for root "$1" >/tmp/typed
  cat /tmp/typed
  (cd / && bash -e /tmp/typed)
}
# everything on the way to a file is root's
roots() {
  local path
  path=$(realpath "$1")
  while true; do
    [[ $(stat -c %U "$path") == root ]] || { echo "$path is $(stat -c %U "$path")'s"; return 1; }
    [[ $path != / ]] || return 0
    path=${path%/*} path=${path:-/}
  done
}
# nothing of eggd's that the system's systemd, or all users', has is another's
all_roots() {
  local unit program
  while read -r unit; do
    roots "$unit"
    while read -r program; do roots "$(type -P "$program")"; done < <(sed -n 's/^Exec[A-Za-z]*=[-+@!:]*\([^ ]*\).*/\1/p' "$unit")
  done < <(find {/etc,/usr/local/lib,/usr/lib}/systemd/{system,user} -name '*eggd*' 2>/dev/null)
}
# mallory changes what is mallory's: it tells who runs it
change() {
  find /home/mallory -name 'eggd*' -type f -perm -u+x | while read -r program; do
    printf '#!/bin/sh\necho "mallory has run by $(id -un)"\n' >"$program"
  done
}
theirs_ran() { journalctl --sync && journalctl -q -o cat | grep "mallory has run"; }
# ask USER: that user's eggd asks to be woken
ask() {
  systemctl start "eggd-wake@$1.socket" || return 0
  runuser -u "$1" -- python3 -c 'import socket, sys
asked = socket.socket(socket.AF_UNIX); asked.connect(sys.argv[1]); asked.settimeout(5)
asked.recv(1)' "$(systemctl show -P Listen "eggd-wake@$1.socket" | sed 's/ (.*//')" || true
}

echo "# a user installs"
archive mallory /home/mallory/archive
check "install.sh" eval 'runuser -u mallory -- env -i HOME=/home/mallory PATH="$PATH" /home/mallory/archive/install.sh >/tmp/printed'
check "root follows what is printed for root" followed /tmp/printed
check "all that the system's systemd has is root's" all_roots
change
for user in egg mallory root; do
  check_sh "then $user's eggd asks to be woken, and mallory's program runs for nobody" "ask $user; ! theirs_ran"
done
check_sh "nor has root put anything of mallory's anywhere" '
  ! find /etc /usr/local /usr/lib/systemd -user mallory 2>/dev/null | grep . && ! grep -rl /home/mallory /etc/systemd /usr/local/lib 2>/dev/null | grep .'

echo "# root installs"
archive root /opt/eggd
check "install.sh" eval 'env SUDO_USER=egg /opt/eggd/install.sh >/tmp/printed'
check "root follows what is printed for root" followed /tmp/printed
check_sh "which is to let the machine be woken" 'has -F "eggd-wake@egg.socket" /tmp/typed'
check "all that the system's systemd has is root's" all_roots
check_sh "egg's eggd asks to be woken, and root's program answers" '
  ask egg; systemctl show -P ExecMainStartTimestampMonotonic eggd-wake@egg.service | has -v "^0\?$" && ! theirs_ran'
loginctl enable-linger egg
printed_for egg /tmp/printed >/tmp/typed
check_sh "egg follows what is printed for egg" '
  has "systemctl --user enable" /tmp/typed && systemd-run -q --wait --pipe --collect -p PAMName=login --uid=egg -- bash -e /tmp/typed'
check_sh "and runs root's eggd" '
  until_sh "pgrep -u egg -x eggd" && [[ $(readlink "/proc/$(pgrep -u egg -x eggd)/exe") == /usr/local/bin/eggd ]]'
finish
