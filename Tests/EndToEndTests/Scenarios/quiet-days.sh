#!/bin/bash
# quiet-days.sh - days off, days to skip and leads with the real eggd: a new user's school mornings.
# shellcheck disable=SC2016,SC2034,SC2317 # claims are shell text in single quotes
. "${BASH_SOURCE[0]%/*}/checks.sh"
unset DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR XDG_STATE_HOME
. "${BASH_SOURCE[0]%/*}/private-eggd.sh"
export TZ=Asia/Seoul

start_eggd
year=$(($(date +%Y) + 1))
# mornings NUMBER: the dates of its next moments
mornings() { eggctl show "$1" --json | jq -r '.upcoming[] / 1000000 | . + 32400 | strftime("%F")'; }
# weekdays FIRST COUNT QUIET...: so many weekdays from that date on without the quiet ones
weekdays() {
  local day=$1 count=$2; shift 2
  while ((count)); do
    if (($(date -d "$day" +%u) < 6)) && [[ " $* " != *" $day "* ]]; then echo "$day"; count=$((count - 1)); fi
    day=$(date -d "$day + 1 day" +%F)
  done
}
# days FIRST LAST: the days between, both included
days() { for ((i = 0; i <= ($(date -d "$2" +%s) - $(date -d "$1" +%s)) / 86400; i++)); do date -d "$1 + $i days" +%F; done; }
cat >"$work/공휴일.ics" <<ICS
BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//test//KR
BEGIN:VEVENT
UID:1
DTSTART;VALUE=DATE:20100301
RRULE:FREQ=YEARLY
SUMMARY:삼일절
END:VEVENT
BEGIN:VEVENT
UID:2
DTSTART;VALUE=DATE:20101003
RRULE:FREQ=YEARLY
SUMMARY:개천절
END:VEVENT
BEGIN:VEVENT
UID:3
DTSTART;VALUE=DATE:20101009
RRULE:FREQ=YEARLY
SUMMARY:한글날
END:VEVENT
BEGIN:VEVENT
UID:4
DTSTART;VALUE=DATE:20101225
RRULE:FREQ=YEARLY
SUMMARY:성탄절
END:VEVENT
END:VCALENDAR
ICS

echo "# three alarms for school mornings, three commands"
check "get up" eggctl schedule weekdays 6:50 "get up" --from "$year-12-20"
check "breakfast" eggctl schedule weekdays 7:20 breakfast --from "$year-12-20"
check "the bus" eggctl schedule weekdays 7:50 bus --from "$year-12-20" --before 10m
check_sh "holidays come from a calendar" 'eggctl daysoff import "$work/공휴일.ics" --name holidays | has "^holidays: 1[12][0-9] days"'
check_sh "the trip is entered" \
  'eggctl daysoff add "$year-12-24" --until "$((year + 1))-01-02" --name trip | has "^trip: 10 days, the next on 24 Dec"'
check "the alarms name both" eggctl edit 1-3 --except holidays --except trip
mapfile -t trip < <(days "$year-12-24" "$((year + 1))-01-02")
for number in 1 2; do
  check_sh "alarm $number rings on the other weekdays" \
    'diff <(mornings $number) <(weekdays "$year-12-20" 5 "${trip[@]}")'
done
check_sh "the bus rings ten minutes before, too" \
  '[ "$(mornings 3 | sort | uniq -c | head -n 1 | awk "{print \$1}")" = 2 ]'

echo "# other ways to say so"
check "a sentence" eggctl schedule "평일 7시 holidays 제외 기상"
check_sh "is the option" '[ "$(field 4 ".except[0]")" = holidays ]'
check_sh "skip until a day says when it rings again" \
  'eggctl skip 4 --until "$((year + 1))-01-10" | has "next rings .* 07:00 .*skips "'
check_sh "the list says what it skips" 'eggctl list | has "· skips "'
check_sh "and clear takes it back" 'eggctl skip 4 --clear && ! eggctl list | has "· skips "'

echo "# what is refused, and undone"
check_sh "an unknown name" '! eggctl edit 1 --except holiday 2>"$work/said" && has "eggctl daysoff lists them: holidays and trip" "$work/said"'
check_sh "the deletion of days off in use" \
  '! eggctl daysoff delete trip 2>"$work/said" && has "^eggctl: hint: eggctl edit 1 .*; eggctl edit 3 --except holidays\$" "$work/said"'
check "freed of alarms" eggctl edit 1-3 --except holidays
check "they are deleted" eggctl daysoff delete trip
check_sh "undo brings them back" 'eggctl undo && [ "$(eggctl daysoff list trip | wc -l)" = 1 ]'
eggctl export >"$work/eggs.jsonl"
check_sh "an export holds them" '[ "$(grep -c "^{\"daysOff\"" "$work/eggs.jsonl")" = 2 ]'
check "all are deleted" eggctl delete --all -y
for name in holidays trip; do check "also the days off $name" eggctl daysoff delete "$name"; done
check "imported" eggctl import "$work/eggs.jsonl"
check_sh "they are there again with their alarms" \
  '[ "$(eggctl daysoff list --json | jq ".daysOff[0].alarms")" = 4 ] && [ "$(field 4 ".except[0]")" = holidays ]'

finish
