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
# fails_as_json NAME FILTER WORD...: with --json a failure is one object with the error's name, of which the filter holds
fails_as_json() {
  local name=$1 filter=$2
  shift 2
  ! eggctl "$@" --json >"$work/out" 2>"$work/messages" && cat "$work/messages" && [[ ! -s $work/out ]] &&
    jq -es --arg name "$name" "length == 1 and (.[0] | .error == \$name and (.message | length > 0) and ($filter))" "$work/messages"
}
check "with --json an error has its name and fields" fails_as_json io.eggd.Schedule.NoSuchAlarm '.parameters.numbers == [99]' delete 99
check "also one that eggctl finds" fails_as_json io.eggd.Schedule.InvalidExpression '.parameters.offset == 4' schedule 6m30x
check "an error of eggctl alone has the name of its status, and a hint" fails_as_json usage '.hint == "eggctl help list"' list due
check "help for what is no command fails" ends_with 64 "unknown command 'nosuch'" help nosuch
check "as does an unknown command that asks for help" ends_with 64 "unknown command 'nosuch'" nosuch --help
check "deleting a group that there is not does not offer to create it" ends_with 1 "eggctl: hint: eggctl group" group delete Nope
check_sh "at all" '! has create "$work/messages"'

# Typical mistakes. $n waits and is called tea, $p is paused, $r rings. The command that the hint names is run: all of
# them, where it names several.
mend() {
  local mistake=$1 n p r hint command commands status=0
  eggctl delete --all -y >/dev/null
  n=$(eggctl schedule 1h tea -q)
  p=$(eggctl schedule 2h -q)
  eggctl pause "$p" >/dev/null
  if [[ $mistake == *'$r'* ]]; then
    r=$(eggctl schedule 1s -q)
    eggctl wait "$r" >/dev/null
  fi
  eval "eggctl $mistake" </dev/null >"$work/out" 2>"$work/messages" || status=$?
  cat "$work/messages"
  ((status)) || return 1
  hint=$(sed -n 's/^eggctl: hint: //p' "$work/messages")
  [[ $hint == *"eggctl "* ]] || return 1
  hinted="eggctl ${hint#*eggctl }"
  mapfile -t commands <<<"${hinted//, or eggctl /$'\n'eggctl }"
  for command in "${commands[@]}"; do
    echo "+ $command"
    eval "$command" </dev/null
  done
}
while read -r mistake; do
  check "'$mistake' leads to a command that works" mend "$mistake"
done <<'MISTAKES'
add 10m tea
new 10m
set 7:30
create tomorrow 9:00 dentist
remind 10m call mom
alarm 7:30
start 10m
start $p
10m tea
7:30
tomorrow 9:00
in 10 minutes tea
every monday 9:00 gym
noon lunch
5분 뒤
schedule
schedule -5m
schedule 6m30x
schedule 7am gym monday
schedule 6m "a label that is longer than thirty characters"
schedule 6m --lable tea
schedule 1h --count 2
schedule daily 9:00 --from 02/03/2027
edit $n daily 9:00 --from=02/03/2027
edit $n --label "a label that is longer than thirty characters"
schedule 6m --eggs two
ls
lst
list due
list --srot due
view $n
info $n
show 9999
rm $n
delet $n
cancel $n
delete --all
stop $r
dismis $r
sleep $r
snoze $r 10m
postpone $r 10m
rename $n coffee
rename tea coffee
change $n 20m
edt $n 20m
edit $n
delay $n 5m
extend $n
extend tea
extend --all
unpause $p
continue $p
finish $n
mv $n --top
undoo
revert
nxt
histroy
settings
health
birthday Ada 1990-12-10
holidays
group delete Nope
group nwe Sunday
help lst
help nosuch
MISTAKES
kill -KILL "$eggd_pid"
wait "$eggd_pid" 2>/dev/null || true
check "a socket that nobody serves" ends_with 69 "nothing listens on $XDG_RUNTIME_DIR/eggd/eggd.sock" list
finish
