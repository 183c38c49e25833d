#!/bin/bash
# planted.sh - what another user puts where eggctl and eggd create or read files. As root, who acts as two users without
# names.
# shellcheck disable=SC2016,SC2034,SC2317 # claims are shell text in single quotes
. "${BASH_SOURCE[0]%/*}/checks.sh"
unset DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR
. "${BASH_SOURCE[0]%/*}/private-eggd.sh"

me=4241 other=4242
chmod 711 "$work"
# with exec=1 in place of the shell, so that its process can be ended
as() {
  ${exec:+exec} setpriv --reuid "$1" --regid "$1" --clear-groups env -i PATH="$PATH" LC_ALL=C.UTF-8 HOME="$work/home" \
    XDG_RUNTIME_DIR="$work/home/run" "${@:2}"
}
egg() { as "$me" "$@"; }
mallory() { as "$other" "$@"; }
install -d -o "$me" -g "$me" -m 711 "$work/home"
install -d -o "$me" -g "$me" -m 700 "$work/home/run"
exec=1 egg "$repository/Tests/testbed/without-journald" eggd 2>"$work/stderr" </dev/null &
until_true egg eggctl status >/dev/null 2>&1 || { cat "$work/stderr"; exit 1; }
folder=$work/folder
state=$work/home/.local/state/eggctl/sync
precious=$work/home/precious
# the owner's file, which nothing may change
keep() { egg sh -c 'rm -rf "$0" "$0.new"; echo mine >"$0"; chmod 644 "$0"' "$precious"; }
kept() { [[ $(<"$precious") == mine && $(stat -c %a "$precious") == 644 && ! -e $precious.new ]]; }
# a folder that others may write
open_folder() { rm -rf "$folder"; install -d -o "$me" -g "$me" -m "${1-777}" "$folder"; }
sync() { egg timeout 20 eggctl sync "$folder" "$@"; }
event() {
  printf '%s\r\n' BEGIN:VCALENDAR VERSION:2.0 PRODID:-//other//EN BEGIN:VEVENT "UID:$1" DTSTAMP:20260101T000000Z \
    "DTSTART:$2" "SUMMARY:$3" "${@:4}" BEGIN:VALARM ACTION:DISPLAY DESCRIPTION:x TRIGGER:PT0S END:VALARM END:VEVENT END:VCALENDAR
}
start="$(($(date +%Y) + 1))0612T090000Z"

echo "# a folder that another user may write"
# plant KIND PATH: what mallory has put there
plant() {
  case $1 in
    link) ln -s "$precious" "$2" ;;
    "link to nowhere") ln -s "$precious.new" "$2" ;;
    fifo) mkfifo -m 666 "$2" ;;
    directory) mkdir -m 777 "$2" ;;
    file) echo theirs >"$2" && chmod 666 "$2" ;;
  esac
  chown -h "$other:$other" "$2"
}
# An alarm whose file is changed on both sides is written anew beside its place.
for kind in link "link to nowhere" fifo directory file; do
  for mode in 777 1777; do
    open_folder "$mode"
    rm -rf "$state"
    keep
    egg eggctl delete --all -y >/dev/null 2>&1 || true
    event meet@example.org "$start" meet >"$folder/meet.ics"
    chown "$me:$me" "$folder/meet.ics"
    check "sync reads it" sync
    number=$(egg eggctl list -q)
    egg eggctl edit "$number" --note "see you" >/dev/null
    plant "$kind" "$folder/.eggctl-meet.ics.tmp"
    check "a planted $kind in a folder of mode $mode: sync writes its file" eval 'sync && grep "COMMENT:see you" "$folder/meet.ics"'
    check "and the owner's file is as it was" kept
  done
done
check_sh "the name beside its place is another each time" '
  for i in 1 2; do
    egg eggctl edit "$number" --note "again $i" >/dev/null
    egg strace -f -qq -e trace=rename -o "$work/home/trace" eggctl sync "$folder" >/dev/null
    grep -o "[.]eggctl-[^\"]*" "$work/home/trace"
  done | sort -u | wc -l | has -x 2'
for kind in link fifo directory; do
  open_folder
  keep
  plant "$kind" "$folder/meet.ics"
  check "a planted $kind with the name of an entry ends no sync, and is not written" \
    eval 'sync --accept-empty; kept'
done

echo "# sync's own files"
for kind in link "link to nowhere" fifo directory file; do
  for end in .lock .tmp .next .next.tmp ""; do
    open_folder 700
    rm -rf "$state"
    keep
    event meet@example.org "$start" meet >"$folder/meet.ics"
    chown "$me:$me" "$folder/meet.ics"
    egg eggctl delete --all -y >/dev/null 2>&1 || true
    check "sync makes them" sync
    name=$(find "$state" -name '*.lock') && name=${name%.lock}
    egg rm -f "$name$end"
    plant "$kind" "$name$end"
    egg eggctl edit "$(egg eggctl list -q)" --note "see you" >/dev/null
    # what is refused says why
    check "a planted $kind in the place of state${end}: sync ends" eval '
      status=0; sync 2>"$work/said" || status=$?; cat "$work/said"; [[ $status == [01] ]] && { [[ $status == 0 ]] || has "^eggctl: error: .*$name" "$work/said"; }'
    check "and the owner's file is as it was" kept
  done
done
rm -rf "$state"
check "sync makes its folder" sync
chmod 777 "$state"
check_sh "where others may write, it keeps no state" '
  ! sync 2>"$work/said" && has "^eggctl: error: $state cannot be used: it can be written by anybody" "$work/said"'
rm -rf "$state"
install -d -o "$other" -m 777 "$state"
check_sh "nor in another's folder" '
  ! sync 2>"$work/said" && has "^eggctl: error: $state cannot be used: it belongs to user $other" "$work/said"'
rm -rf "$state"

echo "# files that are too large, or no files"
open_folder
truncate -s 3G "$folder/large.ics"
event meet@example.org "$start" meet >"$folder/meet.ics"
chmod 644 "$folder"/*
check_sh "a file of 3 GiB is read to the limit and no further" '
  egg sh -c "ulimit -v 400000; eggctl sync $folder" >"$work/said" 2>&1; cat "$work/said"; has "large.ics: it is too large" "$work/said"'
check_sh "and the others are synchronised" 'egg eggctl list | has meet'

echo "# what another user could change"
config=$work/home/.config/eggd
egg mkdir -p "$config/on-ring.d"
egg sh -c 'echo "snooze = \"7m\"" >"$0"; chmod 644 "$0"' "$config/config.toml"
egg sh -c 'printf "#!/bin/sh\necho \$EGG_ALARM_NUMBER >>~/ran\n" >"$0"; chmod 755 "$0"' "$config/on-ring.d/each"
doctor() { egg eggctl doctor 2>&1 || true; }
obeyed() { egg eggctl reload >"$work/said" 2>&1 && egg eggctl config | has -E "^snooze .*7 ?m"; }
check "config.toml is obeyed" obeyed
# rings an alarm, with its number in $rang, and waits for the program's end
ring() {
  rm -f "$work/home/ran"
  egg eggctl schedule -q 50ms >"$work/rang"
  rang=$(<"$work/rang")
  until_sh 'egg eggctl show "$rang" --json | jq -e ".occurrences[0].hooks[0].result != \"running\" and .occurrences[0].hooks[0].result != null" >/dev/null'
}
ran() { ring && has -x "$rang" "$work/home/ran"; }
check "a program of on-ring.d runs" ran
# not_obeyed PATH MODE|other REASON: while another user could change PATH
not_obeyed() {
  local path=$1 change=$2 reason=$3
  local was
  was=$(stat -c %a "$path")
  if [[ $change == other ]]; then chown "$other:$other" "$path"; else chmod "$change" "$path"; fi
  check_sh "config.toml is not obeyed, and reload says why: $path $change" '
    ! egg eggctl reload 2>"$work/said" >&2 && has "config.toml: $reason" "$work/said"'
  check_sh "doctor names it" 'doctor | has "config.toml: $reason; the file is not used"'
  chown "$me:$me" "$path" && chmod "$was" "$path"
  check "closed, it is obeyed again" obeyed
}
not_obeyed "$config/config.toml" 646 "it can be written by anybody"
not_obeyed "$config/config.toml" other "it belongs to user $other"
not_obeyed "$config" 777 "anybody can replace what is in '$config'"
not_run() {
  local path=$1 change=$2 reason=$3 named=$4
  local was
  was=$(stat -c %a "$path")
  if [[ $change == other ]]; then chown "$other:$other" "$path"; else chmod "$change" "$path"; fi
  check_sh "a program of on-ring.d does not run: $path $change" 'ring && [[ ! -e $work/home/ran ]]'
  check_sh "show and the journal say why" '
    rang=$(<"$work/rang") && egg eggctl show "$rang" | has "$reason" && has "A command of alarm #$rang did not start: .*$reason" "$work/stderr"'
  check_sh "doctor names it" 'doctor | has -E "^wrong +hooks +$named"'
  chown "$me:$me" "$path" && chmod "$was" "$path"
  check "closed, it runs again" ran
}
not_run "$config/on-ring.d/each" 757 "it can be written by anybody" "on-ring.d has programs that do not run, because others can change them: each"
not_run "$config/on-ring.d/each" other "it belongs to user $other" "on-ring.d has programs that do not run, because others can change them: each"
not_run "$config/on-ring.d" 777 "on-ring.d: it can be written by anybody" "nothing in $config/on-ring.d runs: it can be written by anybody"
not_run "$config/on-ring.d" 1777 "on-ring.d: it can be written by anybody" "nothing in $config/on-ring.d runs: it can be written by anybody"
not_run "$config" 777 "anybody can replace what is in '$config'" "nothing in $config/on-ring.d runs: anybody can replace what is in '$config'"
mkdir -m 777 "$work/tools"
mv "$config/on-ring.d/each" "$work/tools/each" && egg ln -s "$work/tools/each" "$config/on-ring.d/each"
check_sh "nor does a link to one that others could replace" 'ring && [[ ! -e $work/home/ran ]]'
finish
