#!/bin/bash
# user-service.sh - eggd as a service of systemd --user, in the box, as a login user with an empty home.
# shellcheck disable=SC2016,SC2034,SC2317 # claims are shell text in single quotes
. "${BASH_SOURCE[0]%/*}/checks.sh"

rang() { journalctl -q --user -o json MESSAGE_ID=cf5f9b230d1e4ddb9d5b5e792f1015a6 "$@"; }
pid() { systemctl --user show -p MainPID --value eggd.service; }

echo "# first start"
rm -rf ~/.config ~/.local ~/.cache
check "enable --now starts both units in an empty home" \
  systemctl --user enable --now eggd.service eggd.socket
check "both are active" systemctl --user is-active eggd.service eggd.socket
check "both are enabled" systemctl --user is-enabled eggd.service eggd.socket
check_sh "the socket is 0600 in a directory 0700" \
  'test "$(stat -c %a "$XDG_RUNTIME_DIR/eggd/eggd.sock")$(stat -c %a "$XDG_RUNTIME_DIR/eggd")" = 600700'
check_sh "the database is 0600 in a directory 0700" \
  'test "$(stat -c %a ~/.local/state/eggd/schedule.db)$(stat -c %a ~/.local/state/eggd)" = 600700'
check_sh "systemctl status shows what it does" 'systemctl --user status eggd.service | has "Status: "'

echo "# a ring in the journal"
eggctl schedule 1s "two soft ones" --eggs 2 --category soft --json >/tmp/alarm
number=$(jq .number /tmp/alarm) due=$(jq .due /tmp/alarm)
for _ in 1 2; do alarm 1s >/dev/null; done
eventually "the ring is in the journal" 'rang EGG_ALARM_NUMBER=$number | has .'
rang EGG_ALARM_NUMBER="$number" >/tmp/entry
check_sh "once" 'test "$(wc -l </tmp/entry)" = 1'
check_sh "under this unit and user" \
  'jq -e "._SYSTEMD_USER_UNIT == \"eggd.service\" and ._UID == \"$(id -u)\"" /tmp/entry'
check_sh "with message, priority and identifier" 'jq -e ".MESSAGE == \"Wait! Your eggs are almost done! (two soft ones, #$number)\"
  and .PRIORITY == \"5\" and .SYSLOG_IDENTIFIER == \"eggd\"" /tmp/entry'
check_sh "with summary, body and label" 'jq -e ".EGG_SUMMARY == \"Wait!\"
  and .EGG_BODY == \"Your eggs are almost done!\" and .EGG_LABEL == \"two soft ones\"" /tmp/entry'
check_sh "with the alarm's number, identity and due moment" 'jq -e --slurpfile alarm /tmp/alarm "
  .EGG_ALARM_NUMBER == (\$alarm[0].number | tostring) and .EGG_ALARM_ID == \$alarm[0].id
  and .EGG_DUE_AT == (\$alarm[0].due | tostring)" /tmp/entry'
check_sh "with its lateness, and no reason where it was not late" \
  'jq -e "(.EGG_LATENESS_US | tonumber) as \$late | \$late >= 0 and \$late < 1000000
  and (has(\"EGG_LATE_REASON\") | not)" /tmp/entry'
# one of them may be late where the machine was elsewhere
eventually "so are two more" 'test "$(rang | wc -l)" = 3'
rang >/tmp/entries
check_sh "journald got each no earlier than due, and the quickest at most 50 ms after" \
  'jq -es "map((._SOURCE_REALTIME_TIMESTAMP | tonumber) - (.EGG_DUE_AT | tonumber)) | min >= 0 and min <= 50000" /tmp/entries'
check_sh "journalctl --user -t eggd -p notice -o cat shows it" \
  'journalctl -q --user -t eggd -p notice -o cat | has -x "Wait! Your eggs are almost done!"'
check_sh "journalctl -x explains it" \
  'journalctl -q --user -x MESSAGE_ID=cf5f9b230d1e4ddb9d5b5e792f1015a6 | has "Subject: .*"'
check_sh "eggctl log shows it" 'eggctl log "$number" | has -F "#$number \"two soft ones\" rang"'
check_sh "eggctl list keeps it, as ringing or rung" 'eggctl list | has -E " $number .*(ringing|rung)"'

echo "# the life of an alarm"
eggctl schedule 2s pills --category soft --json >/tmp/alarm
number=$(jq .number /tmp/alarm)
eggctl edit "$number" --label "two pills" >/dev/null
until_sh 'eggctl snooze "$number" 1h >/dev/null 2>&1'
eggctl delete "$number" >/dev/null
journalctl --user --sync 2>/dev/null || true
cat >/tmp/life <<LIFE
#$number "pills" scheduled for TIME, by eggctl (PID)
#$number "two pills" edited, due TIME, by eggctl (PID)
#$number "two pills" rang
#$number "two pills" snoozed until TIME, by eggctl (PID)
#$number "two pills" deleted, by eggctl (PID)
LIFE
# a busy machine may be late
life() {
  eggctl log "$number" | sed -E 's/[0-9]{4}\. [0-9]{2}\. [0-9]{2}\. [0-9:]{8}/TIME/g;
    s/\(([0-9]+)\)/(PID)/; s/( rang), .* late.*/\1/; s/^TIME   //'
}
eventually "eggctl log tells it" 'life | diff /tmp/life -'
check_sh "history says that it was deleted" 'eggctl history "$number" | has " rung, deleted "'
check_sh "eggctl log alone tells of the start of eggd too" 'eggctl log | has " Ready, serving"'

echo "# an alarm that was deleted"
number=$(alarm 3s)
check "delete is answered" eggctl delete "$number"
after=$(alarm 3200ms)
eventually "a later alarm rings" 'rang EGG_ALARM_NUMBER=$after | has .'
check_sh "the deleted one has not" 'test -z "$(rang EGG_ALARM_NUMBER=$number)"'

echo "# kill -9"
eggctl schedule "2036-12-24 18:00" --label later -q >/dev/null
numbers=$(eggctl list -q | sort -n | xargs)
old=$(pid)
missed=$(alarm 500ms)
kill -9 "$old"
eventually "it is started again" 'test "$(pid)" != 0 -a "$(pid)" != "$old"'
check_sh "every acknowledged alarm is there" \
  'test "$(eggctl list -q | sort -n | xargs)" = "$numbers $missed"'
eventually "the alarm that came due meanwhile rings" 'rang EGG_ALARM_NUMBER=$missed | has .'
check_sh "and says how late" \
  'rang EGG_ALARM_NUMBER=$missed | jq -e "(.EGG_LATENESS_US | tonumber) > 100000"'
check_sh "once" 'test "$(rang EGG_ALARM_NUMBER=$missed | wc -l)" = 1'

echo "# stop, and activation by the socket"
started=$(micros)
check "systemctl --user stop" systemctl --user stop eggd.service
check_sh "takes less than 1 s" 'test $(($(micros) - started)) -lt 1000000'
check_sh "eggd exited with 0" 'test "$(systemctl --user show -p ExecMainStatus --value eggd.service)" = 0 &&
  test "$(systemctl --user show -p Result --value eggd.service)" = success'
check_sh "the socket is still there" 'test -S "$XDG_RUNTIME_DIR/eggd/eggd.sock"'
check_sh "eggctl list starts it again" \
  'test "$(eggctl list -q | sort -n | xargs)" = "$numbers $missed"'
check "it is active" systemctl --user is-active eggd.service
starts() { for _ in {1..20}; do systemctl --user stop eggd.service && eggctl list -q || return; done; }
check "so it does twenty times in quick succession" starts
number=$(alarm 1s)
eventually "then an alarm rings" 'rang EGG_ALARM_NUMBER=$number | has .'

echo "# stopped, socket and all"
eggctl schedule 2s --json >/tmp/alarm
missed=$(jq .number /tmp/alarm) due=$(jq .due /tmp/alarm)
systemctl --user stop eggd.socket eggd.service
until_sh 'test "$(micros)" -gt $((due + 1100000))'
systemctl --user start eggd.socket eggd.service
eventually "what came due meanwhile rings" 'rang EGG_ALARM_NUMBER=$missed | has .'
check_sh "late, because eggd was down, and says how late" \
  'rang EGG_ALARM_NUMBER=$missed | jq -e ".EGG_LATE_REASON == \"down\" and (.EGG_LATENESS_US | tonumber) > 1000000"'

echo "# a stray SIGTERM"
old=$(pid)
kill -TERM "$old"
eventually "it is started again" 'test "$(pid)" != 0 -a "$(pid)" != "$old"'
until_true systemctl --user -q is-active eggd.service

echo "# a second eggd"
# second SETTING...: an eggd refuses to start, and names the first
second() {
  local rc=0
  env "$@" eggd 2>/tmp/second || rc=$?
  cat /tmp/second
  [[ $rc == 1 ]] && grep -q "^eggd: error: .*process $(pid)" /tmp/second
}
check "on the same socket: refused, naming the first" second
check "on another socket but the same database: refused, naming the first" \
  second XDG_RUNTIME_DIR="$(mktemp -d)"
check "the first is untouched" eggctl list

echo "# a folder of calendar files"
folder=~/.local/share/eggd/calendars/alarms
mkdir -p "$folder"
printf '%s\r\n' BEGIN:VCALENDAR VERSION:2.0 BEGIN:VEVENT UID:shared DTSTAMP:20260101T000000Z DTSTART:20990101T070000Z \
  SUMMARY:shared END:VEVENT END:VCALENDAR >"$folder/shared.ics"
chmod 660 "$folder/shared.ics"
systemctl --user start eggd-sync.service
eventually "eggd-sync.service takes its entries" 'eggctl list --label shared -q | has .'
eggctl edit "$(eggctl list --label shared -q)" --note changed >/dev/null
eventually "and carries changes back" 'has COMMENT:changed "$folder/shared.ics"'
check_sh "a file keeps its mode" 'test "$(stat -c %a "$folder/shared.ics")" = 660'
systemctl --user stop eggd-sync.service

echo "# lingering"
check_sh "status says that it is off, and what to type" \
  'eggctl status | has "loginctl enable-linger"'
loginctl enable-linger
check_sh "and that it is on" '! eggctl status | has "loginctl enable-linger" &&
  eggctl status --json | jq -e .linger'

echo "# the catalog"
check_sh "explains every entry that was written" \
  'journalctl -q --user -t eggd -o json | jq -r "select(.MESSAGE_ID) | .MESSAGE_ID" | sort -u >/tmp/ids &&
   test -s /tmp/ids &&
   for id in $(cat /tmp/ids); do journalctl --dump-catalog "$id" | has "Subject: ." || { echo "$id"; exit 1; }; done'
finish
