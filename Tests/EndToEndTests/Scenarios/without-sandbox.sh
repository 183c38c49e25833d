#!/bin/bash
# without-sandbox.sh STATUS - a machine where the sandbox cannot be set up: in the box, where a drop-in has eggd.service
# fail with STATUS.
# shellcheck disable=SC2016,SC2034,SC2317 # claims are shell text in single quotes
. "${BASH_SOURCE[0]%/*}/checks.sh"

status=$1
dropin=$XDG_RUNTIME_DIR/systemd/user/eggd.service.d/zz-no-sandbox.conf
property() { systemctl --user show -P "$@"; }
rang() { journalctl -q --user -t eggd MESSAGE_ID=cf5f9b230d1e4ddb9d5b5e792f1015a6 EGG_ALARM_NUMBER="$1" | has .; }
noted() { journalctl -q --user -t eggd -p warning -o cat | has "without its sandbox.*status $status"; }
failures() { journalctl -q --user -u eggd.service -o cat | grep -c "status=$status/"; }
# shutdown and start of the user manager, as at a logout and the next login, and an alarm due between them
next_login() {
  systemctl --user stop eggd.service eggd.socket eggd-plain.service
  rm -f "$dropin"
  systemctl --user daemon-reload
}

check_sh "systemd-analyze verify has nothing to say" \
  'test -z "$(systemd-analyze verify --user --man=no eggd.service eggd-plain.service eggd.socket 2>&1)"'

echo "# the first command starts it, by the socket"
systemctl --user start eggd.socket
number=$(alarm 300ms)
check_sh "eggd.service failed with $status, once" 'test "$(failures)" = 1'
check_sh "it is active now, in its own unit" \
  'systemctl --user is-active eggd.service && test "$(property MainPID eggd.service)" != 0'
check "it has no sandbox" test "$(property PrivateUsers eggd.service)$(property NoNewPrivileges eggd.service)" = nono
check "the journal says so" noted
advised() { { eggctl doctor || true; } | has "^advice *sandbox"; }
check "doctor too" advised
check_sh "the other unit shows it" 'systemctl --user is-active eggd-plain.service'
eventually "the alarm rings" 'rang "$number"'

echo "# a restart and a deliberate stop"
later=$(alarm 1d)
check "restart" systemctl --user restart eggd.service
check_sh "keeps the alarms" 'eggctl show "$later"'
check "stop" systemctl --user stop eggd.service
check_sh "leaves it stopped" 'test "$(property ActiveState eggd.service)" = inactive'
check_sh "the next command starts it" 'eggctl show "$later"'
check_sh "no sandbox was tried again" 'test "$(failures)" = 1'
kill -9 "$(property MainPID eggd.service)"
eventually "it comes back from kill -9" 'eggctl show "$later"'

echo "# the next login, by the target"
missed=$(alarm 300ms)
next_login
systemctl --user start --no-block eggd.service
eventually "the sandbox was tried again" 'test "$(failures)" = 2'
eventually "eggd runs without" 'test "$(property SubState eggd.service)" = running && test -e "$dropin"'
eventually "what came due rings" 'rang "$missed"'
check_sh "and the alarms are there" 'eggctl show "$later"'

echo "# what fails for another reason is not started without the sandbox"
next_login
dropins=~/.config/systemd/user/eggd.service.d
install -Dm644 /usr/local/share/eggd/no-sandbox.conf -t "$dropins"
systemctl --user daemon-reload
check "switched off for good, no sandbox is tried" systemctl --user start eggd.service
check_sh "and eggd runs" 'eggctl show "$later" && ! test -e "$dropin"'
check_sh "doctor has nothing to say" '! advised'
printf '[Service]\nExecStart=\nExecStart=sh -c "exit 78"\n' >"$dropins/other.conf"
systemctl --user daemon-reload
systemctl --user restart eggd.service 2>/dev/null || true
check_sh "it failed with 78" 'test "$(property ExecMainStatus eggd.service)" = 78'
eventually "the other unit looked and left it" 'test "$(property Result eggd-plain.service)" = exec-condition'
check_sh "no drop-in was made" '! test -e "$dropin"'

mapfile -t directives < <(sed -n '/^# The sandbox/,/^\[Install\]/{s/^\([A-Z][A-Za-z]*\)=.*/\1/p}' \
  /usr/local/lib/systemd/user/eggd.service)
for directive in "${directives[@]}"; do
  # an error number without a filter and a mask for new files forbid nothing
  [[ $directive != @(SystemCallErrorNumber|UMask) ]] || continue
  check "the drop-in resets $directive=" grep -q "^$directive=" /usr/local/share/eggd/no-sandbox.conf
done
finish
