#!/bin/bash
# monitor.sh - eggctl monitor: every change, slow readers, readers that go, restarts of eggd, Control-C.
# shellcheck disable=SC2016,SC2034,SC2317 # claims are shell text in single quotes
. "${BASH_SOURCE[0]%/*}/checks.sh"
unset DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR XDG_STATE_HOME
. "${BASH_SOURCE[0]%/*}/private-eggd.sh"

start_eggd
eggctl schedule 1h --label first >/dev/null
# a shell's background is deaf to Control-C
env --default-signal=INT eggctl monitor --list >"$work/told" 2>"$work/said" &
monitor_pid=$!
told() { jq -se "$1" "$work/told"; }
eventually "the list comes first, then word that it is complete" \
  'told ".[0].new.label == \"first\" and .[1].ready and length == 2"'
number=$(alarm 200ms ring)
eventually "a new alarm is told, and its ring with what was before" \
  'told "any(.new.label == \"ring\" and (has(\"old\") | not)) and any(.old.state == \"scheduled\" and .new.state == \"ringing\")"'
check "it is deleted" eggctl delete "$number"
eventually "a deletion is told" 'told "any(.old.number == $number and (has(\"new\") | not))"'
check_sh "in the order of the sequence" 'told "map(.sequence) | . == sort"'

check_here "eggd is killed" ends KILL 137
start_eggd
eventually "when it is back all begins anew" \
  'told "(map(.startOver) | index(true)) as \$at | .[\$at + 1:] | map(.new.label, .ready) | . == [\"first\", null, null, true]"'
kill -INT "$monitor_pid"
status=0; wait "$monitor_pid" || status=$?
check_sh "Control-C ends it with status 130" '((status == 130))'
check_sh "and without a word" '! test -s "$work/said"'

# a pipe whose reader goes
check_sh "a reader that has enough ends it" \
  'eggctl monitor 2>"$work/pipe" | head -n 1 | jq -e .ready && ! test -s "$work/pipe"'

# a reader that does not read
body=$(printf '알%.0s' {1..1000})
for _ in {1..50}; do alarm 1h --body "$body" >/dev/null; done
mkfifo "$work/fifo"
eggctl monitor >"$work/fifo" 2>"$work/why" &
slow_pid=$!
exec 3<"$work/fifo"
read -r ready <&3
check_sh "the slow reader is there" 'jq -e .ready <<<"$ready"'
eggctl monitor >"$work/quick" &
eventually "and a quick one" 'test -s "$work/quick"'
for round in {1..20}; do eggctl edit 2-60 --label "round $round" >/dev/null; done
check_sh "eggd goes on meanwhile" 'test "$(field 20 .label)" = "round 20"'
eventually "the quick reader has every change" \
  'jq -se "map(select(.new.label == \"round 20\")) | length == 50" "$work/quick"'
check_sh "the slow one has not ended: what was sent is still to be read" 'kill -0 "$slow_pid"'
cat <&3 >"$work/rest"
status=0; wait "$slow_pid" || status=$?
check_sh "it ends with status 1" '((status == 1))'
check_sh "and says why" 'grep -x "eggctl: error: the output was read too slowly, so eggd closed the stream" "$work/why"'
check_sh "what it printed is whole, and is not all" \
  'jq -se "length > 300 and all(.new.label != \"round 20\")" "$work/rest"'
finish
