#!/bin/bash
# room.sh - large changes that find no room on the disk take none from the small ones. Below with-small-disk; the schedule
# is on that disk.
# shellcheck disable=SC2016,SC2034,SC2317 # claims are shell text in single quotes
. "${BASH_SOURCE[0]%/*}/checks.sh"
unset DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR
XDG_STATE_HOME=$SMALL_DISK
. "${BASH_SOURCE[0]%/*}/private-eggd.sh"

# lines COUNT: an export of so many alarms
lines() {
  local first=$(($(date +%s) + 864000)) i
  for ((i = 0; i < $1; i++)); do
    printf '{"alarm":{"number":0,"state":"scheduled","done":false,"category":"other","eggs":1,"kind":"at","label":"egg %d","expression":"2030-01-01","instant":%d000000},"occurrences":[]}\n' "$i" $((first + i))
  done
}
refused() { local rc=0; "$@" 2>"$work/error" || rc=$?; cat "$work/error"; test "$rc" = 1 && grep -q "^eggctl: error: " "$work/error"; }
# In KiB.
free() { df --output=avail -k "$SMALL_DISK" | tail -n 1; }
# small: what a person does
small() {
  local number
  number=$(alarm 2h small) && eggctl edit "$number" --label smaller >/dev/null && eggctl delete "$number" >/dev/null
}
# leave KIB: fills the disk but for so many
leave() {
  local room
  # eggd may still take room for what it has just stored.
  for _ in {1..20}; do
    rm -f "$SMALL_DISK/filler"
    room=$(($(free) - $1))
    ((room > 0)) || return 0
    fallocate -l "${room}K" "$SMALL_DISK/filler" && return 0
    sleep 0.1
  done
  return 1
}

echo "# an import larger than the disk"
start_eggd
alarm 3h kept >/dev/null
lines 60000 >"$work/many.jsonl"
before=$(free)
# eggd keeps 4 MiB of log and 4 MiB of free pages for its next changes; the next checkpoint shortens the file.
kept=11000
for round in 1 2; do
  check "it is refused ($round)" refused eggctl import "$work/many.jsonl"
  check "a small change works at once" small
  eventually "the room is given back" 'test "$(free)" -ge $((before - kept))'
done
check_sh "nothing of it is in the list" 'test "$(eggctl list -q | wc -l)" = 1'

echo "# changes of many while the room gets less"
check_sh "10 000 fit" "lines 10000 | eggctl import - >/dev/null"
check_sh "10 000 alarms are there" 'test "$(eggctl status --json | jq .totals.alarms)" = 10001'
sizes=(400 800 1200 1800)
changes=("done --all" "undone --all" "edit 1-19999 --label other" "move 2-4000 --top" "delete --all -y" "snooze --all" undo)
refusals=0
for size in "${sizes[@]}"; do
  for change in "${changes[@]}"; do
    leave "$size"
    # With that little room a small change may be refused too.
    small 2>/dev/null || continue
    # shellcheck disable=SC2086 # words
    if ! eggctl $change >"$work/out" 2>&1; then
      refusals=$((refusals + 1))
      # With that little room ext4 may give none of what a file gave back to a small change.
      rm -f "$SMALL_DISK/filler"
      check "with $size KiB left $change is refused, and with more a small change works" until_true small
    fi
    rm -f "$SMALL_DISK/filler"
    until_sh 'test "$(eggctl status --json | jq -r .disk)" = writable'
    while test "$(eggctl status --json | jq .totals.alarms)" -lt 10001; do eggctl undo >/dev/null || break; done
  done
done
check_sh "some of them were refused" 'test "$refusals" -gt 3'
check_sh "every alarm is there" 'test "$(eggctl status --json | jq .totals.alarms)" -ge 10001'
check_sh "the file is whole" 'test "$(sqlite3 "$SMALL_DISK/eggd/schedule.db" "PRAGMA integrity_check")" = ok'
finish
