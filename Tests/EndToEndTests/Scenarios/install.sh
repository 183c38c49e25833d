#!/bin/bash
# install.sh - make install and make uninstall of a user and of root, in the box.
# shellcheck disable=SC2016,SC2034,SC2317 # claims are shell text in single quotes
. "${BASH_SOURCE[0]%/*}/checks.sh"

echo "# a user, into the home"
check "make install" eval 'make install >/tmp/install'
check_sh "says that lingering is off, and what to type" \
  'grep -q "Lingering is off for $USER" /tmp/install && grep -q "loginctl enable-linger" /tmp/install'
check_sh "says how root installs the catalog" 'grep -q "journalctl --update-catalog" /tmp/install'
check_sh "says how to start" 'grep -q "systemctl --user enable --now eggd.service eggd.socket" /tmp/install'
unit=~/.local/share/systemd/user/eggd.service
check "the unit starts the installed eggd" grep -qx "ExecStart=$HOME/.local/bin/eggd" "$unit"
check_sh "systemd-analyze verify has nothing to say" \
  'test -z "$(systemd-analyze verify --user --man=no "$unit" "${unit%service}socket" 2>&1)"'
check "the icon is where themes look" test -r ~/.local/share/icons/hicolor/scalable/apps/eggd.svg
check "the desktop entry is where desktops look" test -r ~/.local/share/applications/eggd.desktop
check_sh "man finds the pages" 'MANPATH=$HOME/.local/share/man man -w eggd eggctl eggctl-times'
check "the player is where eggd looks" test -x ~/.local/libexec/eggd-sound
check "it starts" systemctl --user enable --now eggd.service eggd.socket
check "and answers" ~/.local/bin/eggctl schedule 1h
check_sh "from there" \
  'test "$(readlink "/proc/$(systemctl --user show -p MainPID --value eggd)/exe")" = "$HOME/.local/bin/eggd"'
loginctl enable-linger
check_sh "with lingering on, it says that" 'make install | has "Lingering is on for $USER"'
check "make uninstall" make uninstall
check_sh "stops eggd" '! systemctl --user is-active eggd.service eggd.socket'
check_sh "removes every file" 'test -z "$(find ~/.local/bin ~/.local/libexec ~/.local/share -type f)"'
check "but the alarms" test -s ~/.local/state/eggd/schedule.db

echo "# staged"
check "make install DESTDIR= PREFIX=/usr" make install DESTDIR=/tmp/stage PREFIX=/usr
check "the unit is below lib, for the path without DESTDIR" \
  grep -qx 'ExecStart=/usr/bin/eggd' /tmp/stage/usr/lib/systemd/user/eggd.service
check "make uninstall" make uninstall DESTDIR=/tmp/stage PREFIX=/usr
check_sh "removes every file" 'test -z "$(find /tmp/stage -type f)"'
finish
