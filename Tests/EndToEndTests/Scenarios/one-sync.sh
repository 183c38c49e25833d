#!/bin/bash
# one-sync.sh - what a commit costs: one fdatasync(2) of the log, and nothing is answered before it.
# shellcheck disable=SC2016,SC2034,SC2317 # claims are shell text in single quotes
. "${BASH_SOURCE[0]%/*}/checks.sh"
unset DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR XDG_STATE_HOME
. "${BASH_SOURCE[0]%/*}/private-eggd.sh"

# strace is eggd's parent: that needs no right to look into other processes
strace -f -y -o "$work/trace" -e trace=fdatasync,fsync,sync_file_range,msync \
  "$repository/Tests/testbed/without-journald" eggd 2>>"$work/stderr" </dev/null &
strace_pid=$!
until_true answers || { echo "FAIL eggd does not answer"; cat "$work/stderr"; exit 1; }
syncs() { grep -c "^[0-9]* *f.*sync([0-9]*<$XDG_STATE_HOME/" "$work/trace" || true; }
log_syncs() { grep -c "fdatasync([0-9]*<$XDG_STATE_HOME/eggd/schedule.db-wal>" "$work/trace" || true; }

all=$(syncs) log=$(log_syncs)
for _ in 1 2 3 4 5; do
  eggctl schedule 1h >/dev/null
  log=$((log + 1))
  check_sh "a commit syncs the log before the reply" 'test "$(log_syncs)" = "$log"'
done
check_sh "and nothing else" 'test "$(syncs)" = "$((all + 5))"'
# strace would not take it along
check_sh "SIGTERM ends it" 'kill -TERM "$(cat "$XDG_STATE_HOME/eggd/lock")"'
eventually "and strace with it" '! kill -0 "$strace_pid" 2>/dev/null'
finish
