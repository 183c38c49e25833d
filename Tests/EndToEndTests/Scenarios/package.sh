#!/bin/bash
# package.sh OLD.deb NEW.deb - the Debian package's life in a bare Debian, as root in the box. egg is a user who is logged
# in meanwhile, hen one who comes later.
# shellcheck disable=SC2016,SC2034,SC2317 # claims are shell text in single quotes
. "${BASH_SOURCE[0]%/*}/checks.sh"
export DEBIAN_FRONTEND=noninteractive

# by USER CMD...: in a login of that user
by() { systemd-run -q --wait --pipe --collect -p PAMName=login --uid="$1" --setenv=LC_ALL=C.UTF-8 -- "${@:2}"; }
apt() { apt-get -o Dpkg::Use-Pty=0 -qq "$@" 2>&1 | tee /tmp/apt; }
rings() { by egg journalctl -q --user -t eggd -p notice -o cat EGG_ALARM_NUMBER="$1"; }
active() { by "$1" systemctl --user is-active "$2"; }
loginctl enable-linger egg
until_true active egg default.target >/dev/null

echo "# install"
check "apt install ./eggd.deb" apt install -y "./$1"
check_sh "without a complaint" 'test -s /tmp/apt && ! grep -iE "error|fail|warning" /tmp/apt'
check "eggctl hungry" by egg eggctl hungry
eventually "rings, five seconds later" 'rings 1 | has -x "Wait! Your eggs are almost done!"'
check_sh "journalctl -x explains it" 'by egg journalctl -q --user -t eggd -x | has "Subject: "'
check_sh "the manual is there" 'by egg man -w eggctl eggd && by egg man eggctl | has "schedule"'
check_sh "and nobody enabled anything" 'test ! -e ~egg/.config/systemd/user'
check_sh "eggctl status answers" 'by egg eggctl status'

echo "# upgrade"
soon=$(by egg eggctl schedule -q 4s)
later=$(by egg eggctl schedule -q 1h)
before=$(by egg systemctl --user show -P MainPID eggd)
check "apt install ./eggd-next.deb" apt install -y "./$2"
check_sh "without a complaint" 'test -s /tmp/apt && ! grep -iE "error|fail|warning" /tmp/apt'
check_sh "another eggd runs" 'after=$(by egg systemctl --user show -P MainPID eggd) && test "$after" != "$before" -a "$after" != 0'
eventually "what was pending rings" 'rings "$soon" | has .'
check_sh "once" 'test "$(rings "$soon" | wc -l)" = 1'
check_sh "and the other is in the list" 'test "$(by egg eggctl list -q | tail -n 1)" = "$later"'

echo "# logout and login"
loginctl disable-linger egg
systemctl stop "user@$(id -u egg).service"
useradd -m hen
for user in egg hen; do loginctl enable-linger "$user"; done
eventually "the socket waits for one who comes later" 'active hen eggd.socket'
check_sh "who has no eggd yet" '! active hen eggd.service'
eventually "one who has alarms has eggd running" 'active egg eggd.service'

echo "# remove"
check "apt remove eggd" apt remove -y eggd
check_sh "no eggd runs" '! (cat /proc/[0-9]*/comm 2>/dev/null || true) | has -x eggd'
check_sh "the alarms stay" 'test -s ~egg/.local/state/eggd/schedule.db'
check "apt install ./eggd-next.deb" apt install -y "./$2"
check_sh "brings them back" 'test "$(by egg eggctl list -q | tail -n 1)" = "$later"'
check "apt purge eggd" apt purge -y eggd
check_sh "which says where the alarms are" 'has "local/state/eggd" /tmp/apt'
check_sh "and leaves nothing else" '! find /usr /etc /var/lib/systemd -name "*eggd*" -o -name "*eggctl*" | has .'
check_sh "the alarms stay" 'test -s ~egg/.local/state/eggd/schedule.db'
finish
