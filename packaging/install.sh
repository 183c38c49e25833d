#!/bin/bash
# install.sh - installs eggd, from a clone after make build or from the unpacked archive; uninstall removes it again.
#
# usage: install.sh [install|uninstall]
#   PREFIX    where to, by default ~/.local, as root /usr/local
#   DESTDIR   put before each path: stages a package
set -euo pipefail
here=$(cd "${BASH_SOURCE[0]%/*}" && pwd)
# In the archive the programs lie beside this script, in a clone where the build leaves them.
if [[ -d $here/bin ]]; then source=$here programs=$here/bin; else source=${here%/*} programs=$source/.build/release; fi

user=$(id -un)
# sudo make install is for the one who typed it
person=${SUDO_USER:-$user}
if [[ $user == root ]]; then PREFIX=${PREFIX:-/usr/local}; else PREFIX=${PREFIX:-$HOME/.local}; fi
DESTDIR=${DESTDIR:-}
bin=$PREFIX/bin libexec=$PREFIX/libexec data=$PREFIX/share
# systemctl --user looks below share in ~/.local, elsewhere below lib.
units=$PREFIX/lib/systemd/user system_units=$PREFIX/lib/systemd/system
[[ $PREFIX != "$HOME/.local" ]] || units=$data/systemd/user
# The session bus looks there.
bus=$data/dbus-1/services
catalog=$PREFIX/lib/systemd/catalog/eggd.catalog
preset=$PREFIX/lib/systemd/user-preset/90-eggd.preset
declare -A completions=(
  [bash]=$data/bash-completion/completions/eggctl [zsh]=$data/zsh/site-functions/_eggctl
  [fish]=$data/fish/vendor_completions.d/eggctl.fish
)
mapfile -t shared < <(cd "$source/share" && find . -type f -printf '%P\n')
# The archive has the translations in share.
translations=$source/.build/locale
# Files for all users, which only root installs, or somebody who stages a package.
for_all=
[[ $user != root && -z $DESTDIR ]] || for_all=1

put() { install -Dm"$1" "$2" "$DESTDIR$3"; }
# from standard input
write() { install -Dm644 /dev/stdin "$DESTDIR$1"; }

install_files() {
  put 755 "$programs/eggd" "$bin/eggd"
  put 755 "$programs/eggctl" "$bin/eggctl"
  put 755 "$programs/eggd-sound" "$libexec/eggd-sound"
  put 755 "$programs/eggd-wake" "$libexec/eggd-wake"
  put 755 "$programs/eggd-search" "$libexec/eggd-search"
  sed "s|@bindir@|$bin|; s|@libexecdir@|$libexec|" "$source/systemd/eggd.service" | write "$units/eggd.service"
  sed "s|@datadir@|$data|" "$source/systemd/eggd-plain.service" | write "$units/eggd-plain.service"
  sed "s|@libexecdir@|$libexec|" "$source/systemd/eggd-wake.service" | write "$units/eggd-wake.service"
  put 644 "$source/systemd/eggd-wake.socket" "$units/eggd-wake.socket"
  sed "s|@libexecdir@|$libexec|" "$source/systemd/io.eggd.Search.service" | write "$bus/io.eggd.Search.service"
  put 644 "$source/systemd/eggd.socket" "$units/eggd.socket"
  put 644 "$source/systemd/eggd-login.service" "$units/eggd-login.service"
  sed "s|@bindir@|$bin|" "$source/systemd/eggd-sync.service" | write "$units/eggd-sync.service"
  sed "s|@bindir@|$bin|" "$source/systemd/eggd-sync@.service" | write "$units/eggd-sync@.service"
  for kind in service timer path; do
    put 644 "$source/systemd/eggd-vdirsyncer@.$kind" "$units/eggd-vdirsyncer@.$kind"
  done
  put 644 "$source/systemd/no-sandbox.conf" "$data/eggd/no-sandbox.conf"
  for file in "${shared[@]}"; do put 644 "$source/share/$file" "$data/$file"; done
  # Desktops leave out an entry whose program is not on their PATH, and with it GNOME's search.
  sed "s|^Exec=|&$bin/|" "$source/share/applications/eggd.desktop" | write "$data/applications/eggd.desktop"
  if [[ -d $translations ]]; then
    (cd "$translations" && find . -name eggd.mo -printf '%P\n') | while read -r file; do
      put 644 "$translations/$file" "$data/locale/$file"
    done
  fi
  for shell in "${!completions[@]}"; do LC_ALL=C "$programs/eggctl" completion "$shell" | write "${completions[$shell]}"; done
  [[ -n $for_all ]] || return 0
  put 644 "$source/systemd/eggd.catalog" "$catalog"
  put 644 "$source/systemd/90-eggd.preset" "$preset"
  sed "s|@libexecdir@|$libexec|" "$source/systemd/eggd-wake@.service" | write "$system_units/eggd-wake@.service"
  put 644 "$source/systemd/eggd-wake@.socket" "$system_units/eggd-wake@.socket"
}

remove_files() {
  rm -f "$DESTDIR$bin"/{eggd,eggctl} "$DESTDIR$libexec"/eggd-{sound,wake,search} "$DESTDIR$bus/io.eggd.Search.service"
  rm -f "$DESTDIR$units"/eggd{.service,-plain.service,-login.service,-sync.service,-sync@.service,-wake.service,.socket,-wake.socket}
  rm -f "$DESTDIR$units"/eggd-vdirsyncer@.{service,timer,path}
  for file in "${shared[@]}"; do rm -f "$DESTDIR$data/$file"; done
  for file in "${completions[@]}"; do rm -f "$DESTDIR$file"; done
  rm -f "$DESTDIR$data"/locale/*/LC_MESSAGES/eggd.mo
  rm -f "$DESTDIR$data/eggd/no-sandbox.conf"
  [[ ! -d $DESTDIR$data/eggd ]] || rmdir --ignore-fail-on-non-empty "$DESTDIR$data/eggd"
  [[ -z $for_all ]] || rm -f "$DESTDIR$catalog" "$DESTDIR$preset" "$DESTDIR$system_units"/eggd-wake@.{service,socket}
}

# What this person's shells do not look through yet, each with the line that mends it.
missing_paths() {
  local shell=${SHELL##*/} home="~${PREFIX#"$HOME"}"
  [[ $PREFIX == "$HOME"/* ]] || home=$PREFIX
  if [[ :$PATH: != *:$bin:* ]]; then
    echo "Your PATH has no $home/bin. To find eggctl there, run this line and open a new shell:"
    case $shell in
      fish) echo "  fish_add_path $home/bin" ;;
      zsh) echo "  echo 'export PATH=$home/bin:\$PATH' >>~/.zshrc" ;;
      *) echo "  echo 'export PATH=$home/bin:\$PATH' >>~/.bashrc" ;;
    esac
  fi
  # man looks beside the directories of PATH, unless MANPATH is set to others.
  if type -P manpath >/dev/null && [[ :$(PATH=$bin:$PATH manpath -q 2>/dev/null): != *:$data/man:* ]]; then
    echo "Your MANPATH has no $home/share/man. To find the manual there, run this line and open a new shell:"
    case $shell in
      fish) echo "  set -Ua MANPATH $home/share/man" ;;
      zsh) echo "  echo 'export MANPATH=$home/share/man:\$MANPATH' >>~/.zshrc" ;;
      *) echo "  echo 'export MANPATH=$home/share/man:\$MANPATH' >>~/.bashrc" ;;
    esac
  fi
  # Only an interactive zsh has read ~/.zshrc.
  if [[ $shell == zsh ]] && type -P zsh >/dev/null &&
    ! zsh -ic 'print -rl -- $fpath' </dev/null 2>/dev/null | grep -Fx "$data/zsh/site-functions" >/dev/null; then
    echo "Your zsh's fpath has no $home/share/zsh/site-functions. To complete eggctl's words, run this line and open a new shell:"
    echo "  echo 'fpath=($home/share/zsh/site-functions \$fpath); autoload -Uz compinit; compinit' >>~/.zshrc"
  fi
}

say_what_is_next() {
  # Root's own shell is not the one in which eggctl is typed.
  [[ $user == root ]] || missing_paths
  if [[ $user == root ]]; then
    journalctl --update-catalog
    echo "To wake the machine for alarms with --wake of $person where systemd is older than 254, run as root:"
    echo "  systemctl daemon-reload && systemctl enable --now eggd-wake@$person.socket"
  else
    # Root runs nothing that is this user's, nor has others run it.
    echo 'Where journalctl -x is to explain entries, or systemd is older than 254 and is to wake the machine for alarms with'
    echo '--wake, root installs eggd, too: the package, or an archive that root has unpacked.'
  fi
  if [[ -e /var/lib/systemd/linger/$person ]]; then
    echo "Lingering is on for $person: eggd keeps running after logout."
  else
    echo "Lingering is off for $person: eggd stops at logout and starts at login. To keep it running:"
    echo "  loginctl enable-linger $person"
  fi
  echo "To start eggd now and at each login, run as $person:"
  echo '  systemctl --user enable --now eggd.service eggd.socket'
}

case ${1-install} in
  install)
    install_files
    [[ -n $DESTDIR ]] || say_what_is_next
    ;;
  uninstall)
    # A unit that is not there, or no service manager, keeps nothing from being removed.
    [[ -n $for_all ]] || systemctl --user disable --now eggd.service eggd.socket eggd-wake.socket || true
    remove_files
    [[ $user != root || -n $DESTDIR ]] || journalctl --update-catalog
    ;;
  *)
    sed -n '2,/^set -euo/{/^set/d;s/^# \{0,1\}//;p}' "${BASH_SOURCE[0]}" >&2
    exit 64
    ;;
esac
