#!/bin/bash
# starts.sh - whatever a kill has left, whatever the disk or another program does: eggd starts, rings and answers. Below
# with-small-disk; the schedule is on that disk.
# shellcheck disable=SC2016,SC2034,SC2317 # claims are shell text in single quotes
. "${BASH_SOURCE[0]%/*}/checks.sh"
unset DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR
XDG_STATE_HOME=$SMALL_DISK
. "${BASH_SOURCE[0]%/*}/private-eggd.sh"

rings() { grep -c "^<5>Overdue " "$work/stderr" || true; }
place() { rm -rf "$SMALL_DISK/eggd" && mkdir -m 700 "$SMALL_DISK/eggd"; : >"$work/stderr"; }
keep() { for end in "" -wal; do cp "$SMALL_DISK/eggd/schedule.db$end" "$work/$1.db$end"; done; }
# lock FILE: another program's transaction, until it is killed
lock() {
  : >"$work/locked"
  python3 -c "import signal, sqlite3, sys
sqlite3.connect(sys.argv[1], isolation_level=None).execute('BEGIN IMMEDIATE')
print(flush=True)
signal.pause()" "$1" >"$work/locked" &
  locker=$!
  until_sh 'test -s "$work/locked"'
}

echo "# the files"
place
start_eggd
number=$(alarm 100ms)
until_sh 'test -n "$(field $number ".latest.firedAt // empty")"'
eggctl delete -q "$number" >"$work/said"
alarm 1h >"$work/said"
check_here "SIGTERM: exits 0" ends TERM 0
keep new
place
cp "$repository/Tests/Fixtures/version11/plain.db" "$SMALL_DISK/eggd/schedule.db"
cp "$SMALL_DISK/eggd/schedule.db" "$work/old.db"
start_eggd
check_here "SIGTERM: exits 0" ends TERM 0
keep upgraded
check "each is made" python3 "${BASH_SOURCE[0]%/*}/leftovers.py" "$work"/{new,old,upgraded}.db "$work/left"

for left in "$work"/left/*; do
  for mode in writable read-only full locked; do
    # what is damaged is salvaged when it can be written
    [[ $left != *"/a salvage "[ow]* || $mode = writable ]] || continue
    claim="a kill has left ${left##*/}, and the disk is $mode"
    [[ $mode != locked ]] || claim="a kill has left ${left##*/}, and another program has the lock"
    place
    cp "$left"/* "$SMALL_DISK/eggd"
    case $mode in
      read-only) disk-ro ;;
      full) disk-fill ;;
      locked) for file in "$SMALL_DISK"/eggd/schedule.db{.next,}; do [[ ! -e $file ]] || found=$file; done; lock "$found" ;;
    esac
    start_eggd
    eventually "$claim: what is due rings" 'test "$(rings)" = 1'
    # one question finds the damage
    eventually "$claim: list, show and history are answered" \
      'eggctl list -q | has -x 900 && eggctl show 900 | has Overdue && eggctl history | has .'
    case $mode in
      read-only) disk-rw ;;
      full) disk-free ;;
      locked) { kill -KILL "$locker"; wait "$locker"; } 2>/dev/null || true ;;
    esac
    eventually "$claim: once it can, it takes changes" 'eggctl schedule -q 1h'
    eventually "$claim: and records the ring" 'test -n "$(field 900 ".latest.firedAt // empty")"'
    check_here "$claim: SIGTERM: exits 0" ends TERM 0
    check_sh "$claim: nothing unfinished is left" \
      '! ls "$SMALL_DISK/eggd" | grep -e "\.next" -e "\.writing" -e "\.copying" -e "\.reading"'
    check_sh "$claim: the old file is whole" \
      'for old in "$SMALL_DISK"/eggd/schedule.db.v11-*Z; do [[ ! -e $old ]] || python3 -c "import sqlite3, sys
assert sqlite3.connect(sys.argv[1]).execute(\"PRAGMA integrity_check\").fetchone() == (\"ok\",)" "$old"; done'
  done
done
finish
