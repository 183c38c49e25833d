#!/bin/bash
# install.sh - make install and make uninstall of a user and of root, in the box.
# shellcheck disable=SC2016,SC2034,SC2317 # claims are shell text in single quotes
. "${BASH_SOURCE[0]%/*}/checks.sh"

echo "# a user, into the home"
check "make install" eval 'make install >/tmp/install'
check_sh "says that lingering is off, and what to type" \
  'grep -q "Lingering is off for $USER" /tmp/install && grep -q "loginctl enable-linger" /tmp/install'
check_sh "says what root may install, and has root run nothing" \
  'has "root installs eggd, too" /tmp/install && ! has "as root" /tmp/install'
check_sh "says how to start" 'grep -q "systemctl --user enable --now eggd.service eggd.socket" /tmp/install'
echo "# what the shells do not look through"
line() { sed -n "/^Your $1 has no/{n;s/^  //p}" /tmp/install; }
check_sh "PATH is named once, with the line that mends it" 'test "$(grep -c "^Your PATH has no ~/.local/bin" /tmp/install)" = 1'
check_sh "which mends it" 'eval "$(line PATH)" && test "$(bash -ic "type -P eggctl" 2>/dev/null)" = ~/.local/bin/eggctl'
check_sh "then nothing is said of it" '! PATH=$HOME/.local/bin:$PATH make install | has "PATH has no"'
check_sh "where MANPATH leads elsewhere, that is said with the line that mends it" \
  'MANPATH=/usr/share/man make install >/tmp/install && test -n "$(line MANPATH)"'
check_sh "which mends it" \
  'eval "$(line MANPATH)" && MANPATH=/usr/share/man bash -ic "man -w eggctl" 2>/dev/null | has "$HOME/.local/share/man"'
check_sh "of zsh nothing is said to one who uses bash" '! has "fpath" /tmp/install'
if type -P zsh >/dev/null; then
  touch ~/.zshrc
  check_sh "zsh's fpath is named with the line that mends it" \
    "SHELL=/bin/zsh make install >/tmp/install && test -n \"\$(line \"zsh's fpath\")\""
  check_sh "which mends it" \
    "eval \"\$(line \"zsh's fpath\")\" && zsh -ic 'print \$_comps[eggctl]' 2>/dev/null | has _eggctl"
  check_sh "then nothing is said of it" '! SHELL=/bin/zsh make install | has "fpath has no"'
fi

echo "# the unit"
unit=~/.local/share/systemd/user/eggd.service
check "the unit starts the installed eggd" grep -qx "ExecStart=$HOME/.local/bin/eggd" "$unit"
check_sh "systemd-analyze verify has nothing to say" \
  'test -z "$(systemd-analyze verify --user --man=no "$unit" "${unit%service}socket" 2>&1)"'
check "the icon is where themes look" test -r ~/.local/share/icons/hicolor/scalable/apps/eggd.svg
check "the desktop entry is where desktops look, for any PATH" \
  grep -qx "Exec=$HOME/.local/bin/eggctl watch" ~/.local/share/applications/eggd.desktop
check_sh "man finds the pages" 'MANPATH=$HOME/.local/share/man man -w eggd eggctl eggctl-times'
check "the translations are where eggctl looks" test -r ~/.local/share/locale/ko/LC_MESSAGES/eggd.mo
check "the player is where eggd looks" test -x ~/.local/libexec/eggd-sound
check "the program of the search boxes is where the session bus looks" \
  grep -qx "Exec=$HOME/.local/libexec/eggd-search 30" ~/.local/share/dbus-1/services/io.eggd.Search.service
check_sh "and where the desktops look" 'cd ~/.local/share && ls gnome-shell/search-providers/io.eggd.Search.ini krunner/dbusplugins/io.eggd.Search.desktop'
mkdir ~/fake
printf '#!/bin/sh\necho $$ "$@" >~/opened\nexec sleep infinity\n' >~/fake/gio
chmod +x ~/fake/gio
check_sh "a terminal that it opens outlives it, where the bus starts it as a unit" '
  systemd-run --user --quiet --unit=searching -E PATH="$HOME/fake:$PATH" ~/.local/libexec/eggd-search 5 &&
  gdbus wait --session io.eggd.Search &&
  busctl --user call io.eggd.Search /io/eggd/Search org.gnome.Shell.SearchProvider2 LaunchSearch asu 0 0 &&
  until_sh "test -s ~/opened" && until_sh "! systemctl --user is-active searching" && read -r process words <~/opened &&
  [[ $words == "launch $HOME/.local/share/applications/eggd.desktop" ]] && kill "$process"'
check "it starts" systemctl --user enable --now eggd.service eggd.socket
check "and answers" ~/.local/bin/eggctl schedule 1h
check_sh "from there" \
  'test "$(readlink "/proc/$(systemctl --user show -p MainPID --value eggd)/exe")" = "$HOME/.local/bin/eggd"'
lines=$(sed -n '/^    make install$/,/^$/s/^    //p' README.md)
check_sh "README's lines work in one shell whose PATH lacks ~/.local/bin" \
  'test "$(wc -l <<<"$lines")" = 4 && PATH=/usr/local/bin:/usr/bin:/bin bash -exc "$lines"'
loginctl enable-linger
check_sh "with lingering on, it says that" 'make install | has "Lingering is on for $USER"'
check "make uninstall" make uninstall
check_sh "stops eggd" '! systemctl --user is-active eggd.service eggd.socket'
check_sh "removes every file" 'test -z "$(find ~/.local/bin ~/.local/libexec ~/.local/share -type f)"'
check "but the alarms" test -s ~/.local/state/eggd/schedule.db

echo "# from the archive"
make install DESTDIR=/tmp/installed PREFIX=/opt >/dev/null
mkdir -p /tmp/archive/bin
cp .build/release/{eggd,eggctl,eggd-sound,eggd-wake,eggd-search} /tmp/archive/bin
cp -r share systemd packaging/install.sh /tmp/archive
cp -r .build/locale /tmp/archive/share
check "install.sh" env DESTDIR=/tmp/unpacked PREFIX=/opt /tmp/archive/install.sh
check "installs what make install does" diff -r /tmp/installed /tmp/unpacked
check "install.sh uninstall" env DESTDIR=/tmp/unpacked PREFIX=/opt /tmp/archive/install.sh uninstall
check_sh "removes every file" 'test -z "$(find /tmp/unpacked -type f)"'

echo "# staged"
check "make install DESTDIR= PREFIX=/usr" make install DESTDIR=/tmp/stage PREFIX=/usr
check "the unit is below lib, for the path without DESTDIR" \
  grep -qx 'ExecStart=/usr/bin/eggd' /tmp/stage/usr/lib/systemd/user/eggd.service
check "make uninstall" make uninstall DESTDIR=/tmp/stage PREFIX=/usr
check_sh "removes every file" 'test -z "$(find /tmp/stage -type f)"'
finish
