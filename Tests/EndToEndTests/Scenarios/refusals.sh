#!/bin/bash
# refusals.sh - what eggctl says and how it ends where it cannot do what was asked, on a real eggd.
# shellcheck disable=SC2016,SC2034,SC2317 # claims are shell text in single quotes
. "${BASH_SOURCE[0]%/*}/checks.sh"
. "${BASH_SOURCE[0]%/*}/private-eggd.sh"

# ends_with STATUS TEXT WORD...: eggctl ends with that status and has that in its messages
ends_with() {
  local expected=$1 text=$2 status=0
  shift 2
  eggctl "$@" >/dev/null 2>"$work/messages" || status=$?
  cat "$work/messages"
  [[ $status == "$expected" ]] && grep -qF -- "$text" "$work/messages"
}

check "without a socket both causes and the path are named" ends_with 69 "there is no $XDG_RUNTIME_DIR/eggd/eggd.sock" list
start_eggd
check_sh "a reply that cannot be written has a status of its own" 'eggctl schedule 1h >/dev/full || test $? = 74'
check_sh "and says that the alarm was made" '{ eggctl schedule 1h 2>&1 >/dev/full || true; } | grep "alarm 2 is scheduled, but"'
check_sh "which it was" 'test "$(eggctl list -q | wc -l)" = 2'
check "bytes that are no UTF-8 are refused" ends_with 64 "is not UTF-8" schedule 1h $'a\xff'
check_sh "and nothing was made of them" 'test "$(eggctl list -q | wc -l)" = 2'
check "a number that is too large" ends_with 64 "too large" delete 99999999999999999999
check "none of a range and a number" ends_with 1 "there are no alarms 3-7 and 15" delete 3-7 15
check "another program's word leads to the verb" ends_with 64 "did you mean: eggctl delete 1" rm 1
kill -KILL "$eggd_pid"
wait "$eggd_pid" 2>/dev/null || true
check "a socket that nobody serves" ends_with 69 "nothing listens on $XDG_RUNTIME_DIR/eggd/eggd.sock" list
finish
