#!/bin/bash
# install-packages.sh - installs the Debian packages that are missing, as root or through sudo.
#
# usage: install-packages.sh GROUP...     GROUP: build, demo, screenshots, bubbles, test, model, bench, compared, vm, deb,
#        test-deb
# Says which packages it installs and why; silent when all are there. Waits for another apt's lock.
set -euo pipefail

declare -A packages=(
  # what the two libraries, the static runtime and the link of a static eggctl take; compiles the translations
  [build]="libsystemd-dev libsqlite3-dev pkg-config libc6-dev libstdc++-12-dev gettext"
  # the observers of make demo
  [demo]="dbus-bin jq python3"
  # a desktop with a notification server and a terminal, and who takes a picture of it
  [screenshots]="dbus-daemon libglib2.0-bin xvfb xdotool xterm imagemagick fonts-dejavu-core fonts-noto-color-emoji
    hicolor-icon-theme librsvg2-common"
  # four desktops' notification servers, and who takes pictures of them
  [bubbles]="dbus-daemon libglib2.0-bin jq xvfb imagemagick dunst xfce4-notifyd xfconf sway mako-notifier grim gnome-shell
    gjs libgl1-mesa-dri fonts-dejavu-core hicolor-icon-theme librsvg2-common systemd systemd-sysv dbus dbus-user-session
    libpam-systemd libnss-systemd"
  # a booted systemd with journald, logind, session bus; two notification servers on a virtual display;
  # small disks, and one over a network; a foreign writer of the database; a Varlink client of other people; a terminal;
  # D-Bus from Python; sshd as the door of another machine; three shells that complete; a sound server, and what eggd
  # plays with; a Korean locale; what a hook pushes with; a calendar server and its clients
  [test]="systemd systemd-sysv dbus dbus-bin dbus-daemon dbus-user-session libpam-systemd libnss-systemd polkitd
    util-linux mount passwd hostname libglib2.0-bin xvfb xauth xdotool dunst xfce4-notifyd xfconf
    fonts-dejavu-core e2fsprogs sshfs openssh-client openssh-server openssh-sftp-server strace sqlite3 jq man-db python3
    python3-venv shellcheck
    binutils tmux bash-completion zsh fish python3-jeepney pulseaudio pulseaudio-utils
    libcanberra0 libcanberra-pulse sound-theme-freedesktop locales curl vdirsyncer radicale khal"
  # checks the model of the ring
  [model]="spin gcc libc6-dev"
  # what stands beside eggd: at, notify-send, systemd-run in a booted systemd; who watches, and fills a database
  [bench]="at libnotify-bin systemd systemd-sysv dbus dbus-daemon dbus-user-session libpam-systemd libnss-systemd polkitd
    util-linux mount passwd hostname iproute2 jq python3 python3-venv sqlite3 strace gcc valgrind"
  # what stands beside eggd there; a mail program is of the test's own
  [compared]="at cron libnotify-bin systemd systemd-sysv dbus dbus-user-session libpam-systemd libnss-systemd polkitd
    util-linux mount passwd hostname e2fsprogs python3 python3-venv"
  # makes the Debian package and looks for mistakes in it
  [deb]="debhelper lintian libsystemd-dev libsqlite3-dev pkg-config appstream"
  # a bare Debian, booted
  [test-deb]="mmdebstrap systemd util-linux jq"
  # a virtual machine with a Debian of its own
  [vm]="qemu-system-x86 qemu-system-common busybox-static cpio mmdebstrap e2fsprogs libfaketime python3"
)

wanted=()
for group in "$@"; do
  [[ -n ${packages[$group]-} ]] || { echo "install-packages.sh: no group '$group'" >&2; exit 2; }
  read -rd '' -a names <<<"${packages[$group]}" || true
  wanted+=("${names[@]}")
done

missing=()
for name in "${wanted[@]}"; do
  [[ " ${missing[*]-} " != *" $name "* ]] || continue
  dpkg-query -W -f '${db:Status-Status}\n' "$name" 2>/dev/null | grep -qx installed || missing+=("$name")
done
((${#missing[@]})) || exit 0

as_root=()
if ((EUID != 0)); then
  if ! type -P sudo >/dev/null || { [[ ! -t 0 ]] && ! sudo -n true 2>/dev/null; }; then
    echo "Debian packages are missing, and installing them takes root. As root:" >&2
    echo "  apt-get update && apt-get install --no-install-recommends ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi
echo "Installing Debian packages ($*): ${missing[*]}"
# Tests start their own; the machine must not begin to serve.
declare -A services=([openssh-server]=ssh [radicale]=radicale)
for name in "${!services[@]}"; do
  unit=/etc/systemd/system/${services[$name]}.service
  if [[ " ${missing[*]} " == *" $name "* && ! -e $unit ]]; then
    "${as_root[@]}" mkdir -p /etc/systemd/system
    "${as_root[@]}" ln -s /dev/null "$unit"
    echo "$name is for a test only and stays off; to use it: systemctl unmask ${services[$name]}"
  fi
done
install=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -qq
  install -y --no-install-recommends "${missing[@]}")
"${install[@]}" </dev/null >/dev/null 2>&1 || {
  # the lists may be absent, as on a fresh image, or old
  "${as_root[@]}" apt-get -o DPkg::Lock::Timeout=300 -qq update </dev/null
  "${install[@]}" </dev/null >/dev/null
}
