#!/bin/bash
# disks.sh - a full disk and a read-only one. Below with-small-disk; the schedule is on that disk.
# shellcheck disable=SC2016,SC2034,SC2317 # claims are shell text in single quotes
. "${BASH_SOURCE[0]%/*}/checks.sh"
unset DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR
XDG_STATE_HOME=$SMALL_DISK
. "${BASH_SOURCE[0]%/*}/private-eggd.sh"

rings() { grep -c "^<5>$1 " "$work/stderr" || true; }
refused() { local rc=0; "$@" 2>"$work/error" || rc=$?; cat "$work/error"; test "$rc" = 1 && grep -q "^eggctl: error: " "$work/error"; }

echo "# the disk fills up"
start_eggd
number=$(alarm 1s --title Full)
disk-fill
# The log may have room for some changes.
refused_at_last() {
  local i
  for ((i = 0; i < 40; i++)); do
    refused eggctl schedule 1h --body "$(head -c 900 /dev/zero | tr '\0' x)" && return
    stored=$((stored + 1))
  done
  return 1
}
stored=1
check_here "a change is refused, exit 1" refused_at_last
eventually "the alarm rings all the same" 'test "$(rings Full)" = 1'
check_sh "status tells, and is answered from what is stored" \
  'eggctl status --json | jq -e ".disk == \"failing\" and .totals.alarms == $stored"'
check_sh "so does doctor" '! eggctl doctor >"$work/said" && grep "^wrong *database" "$work/said"'
disk-free
eventually "with room again the ring is recorded" 'test -n "$(field $number ".latest.firedAt // empty")"'
check "and changes are taken" eggctl schedule 1h
check_sh "status tells that, too" 'eggctl status --json | jq -e ".disk == \"writable\""'

echo "# the disk is full when eggd starts"
numbers=$(eggctl list -q | sort -n | tr '\n' ' ')
late=$(alarm 2s --title Start)
check_here "kill -9" ends KILL 137
disk-fill
start_eggd
check_sh "every acknowledged alarm is there" 'test "$(eggctl list -q | sort -n | tr "\n" " ")" = "$numbers$late "'
eventually "an alarm rings" 'test "$(rings Start)" = 1'
disk-free
eventually "with room again the ring is recorded" 'test -n "$(field $late ".latest.firedAt // empty")"'
check_here "SIGTERM: exits 0" ends TERM 0
start_eggd
check_sh "nothing rings twice" 'test "$(rings Full)$(rings Start)" = 11'

echo "# the disk is read-only when eggd starts"
late=$(alarm 2s --title Readonly)
check_here "SIGTERM: exits 0" ends TERM 0
before=$(sha256sum <"$SMALL_DISK/eggd/schedule.db")
disk-ro
start_eggd
check_sh "every acknowledged alarm is there" 'eggctl list -q | has -x "$late"'
check "a change is refused, exit 1" refused eggctl schedule 1h
check_sh "status tells" 'eggctl status --json | jq -e ".disk == \"readOnly\""'
eventually "an alarm rings" 'test "$(rings Readonly)" = 1'
check_sh "the database is as it was" 'test "$(sha256sum <"$SMALL_DISK/eggd/schedule.db")" = "$before"'
disk-rw
eventually "once it takes writes changes are taken" 'eggctl schedule 1h'
check_sh "status tells that" 'eggctl status --json | jq -e ".disk == \"writable\""'
eventually "the ring is recorded" 'test -n "$(field $late ".latest.firedAt // empty")"'
check_here "SIGTERM: exits 0" ends TERM 0
start_eggd
check_sh "nothing rings twice" 'test "$(rings Readonly)" = 1'
finish
