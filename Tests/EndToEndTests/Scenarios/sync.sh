#!/bin/bash
# sync.sh - eggctl sync: a folder and the list; two machines over vdirsyncer and a real Radicale, with khal and a raw PUT
# as third clients.
# shellcheck disable=SC2016,SC2034,SC2317 # claims are shell text in single quotes
. "${BASH_SOURCE[0]%/*}/checks.sh"
unset DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR
. "${BASH_SOURCE[0]%/*}/private-eggd.sh"

# as NAME: in the place of that machine's user
as() {
  export HOME=$work/$1 XDG_RUNTIME_DIR=$work/$1/run XDG_STATE_HOME=$work/$1/state XDG_DATA_HOME=$work/$1/data \
    XDG_CONFIG_HOME=$work/$1/config
}
# on NAME CMD...: runs it there
on() { (as "$1" && exec "${@:2}"); }
declare -A eggd
eggd_on() {
  mkdir -p "$work/$1/run" && chmod 700 "$work/$1/run"
  (as "$1" && exec "$repository/Tests/testbed/without-journald" eggd) 2>>"$work/stderr" </dev/null &
  eggd[$1]=$!
  until_true on "$1" eggctl list -q >/dev/null 2>&1
}
folder=$work/folder
sync() { on laptop eggctl sync "$folder"; }
laptop() { on laptop eggctl "$@"; }
labels() { on "$1" eggctl list --json | jq -r '.alarms[].label' | sort | paste -sd,; }
# event UID START LABEL [LINE...]: a file
event() {
  printf '%s\r\n' BEGIN:VCALENDAR VERSION:2.0 PRODID:-//other//EN BEGIN:VEVENT "UID:$1" DTSTAMP:20260101T000000Z \
    "DTSTART:$2" "SUMMARY:$3" "${@:4}" BEGIN:VALARM ACTION:DISPLAY DESCRIPTION:x TRIGGER:PT0S END:VALARM END:VEVENT END:VCALENDAR
}
year=$(($(date +%Y) + 1))

echo "# a folder"
eggd_on laptop
laptop schedule -q "$year-05-01 07:30" "may day" >/dev/null
laptop schedule -q "Mon..Fri 07:30" work >/dev/null
laptop schedule -q 3h tea --run true --sound none >/dev/null
check_sh "each alarm becomes a file" 'sync | has -x "folder: added 3" && [[ $(ls "$folder" | wc -l) == 4 ]]'
check_sh "then both are equal" 'sync | has -x "list and folder are equal"'
check_sh "and no file is read" '
  on laptop strace -f -e trace=openat,open -o "$work/trace" eggctl sync "$folder" && cat "$work/trace" && ! grep "[.]ics" "$work/trace" && has sync/ "$work/trace"'
check_sh "an event becomes an alarm" '
  event dentist-1@example.org "${year}0612T090000Z" dentist "LOCATION:Main Street" >"$folder/dentist.ics" &&
  sync | has -x "list: added 1" && labels laptop | has dentist'
check_sh "a change there arrives here" '
  sed -i "s/SUMMARY:dentist/SUMMARY:doctor/" "$folder/dentist.ics" && sync | has -x "list: changed 1" && labels laptop | has doctor'
number=$(laptop list --json | jq '.alarms[] | select(.label == "doctor").number')
check_sh "a change here arrives there" '
  laptop edit "$number" --note "bring the card" && sync | has -x "folder: changed 1" &&
  has -x "COMMENT:bring the card."  "$folder/dentist.ics"'
check_sh "and leaves the rest alone" '
  has "LOCATION:Main Street" "$folder/dentist.ics" && has "UID:dentist-1@example.org" "$folder/dentist.ics"'
check_sh "a file that is changed keeps its mode, and a link leads to it still" '
  mv "$folder/dentist.ics" "$work/real.ics" && chmod 664 "$work/real.ics" && ln -s ../real.ics "$folder/dentist.ics" &&
  laptop edit "$number" --note "two cards" && sync | has -x "folder: changed 1" && has "COMMENT:two cards" "$work/real.ics" &&
  [[ -L $folder/dentist.ics && $(stat -c %a "$work/real.ics") == 664 ]] && mv "$work/real.ics" "$folder/dentist.ics"'
check_sh "different fields of one alarm are merged" '
  laptop edit "$number" --note "no card" && sed -i "s/SUMMARY:doctor/SUMMARY:surgeon/" "$folder/dentist.ics" &&
  sync | has -x "list: changed 1 · folder: changed 1" && labels laptop | has surgeon &&
  has "COMMENT:no card" "$folder/dentist.ics" && has "SUMMARY:surgeon" "$folder/dentist.ics"'
check_sh "the same field: the later change stays, and it is said" '
  laptop edit "$number" --label "here first" && sed -i "s/SUMMARY:.*/SUMMARY:there\r/; s/LAST-MODIFIED:.*/LAST-MODIFIED:${year}0101T000000Z\r/" "$folder/dentist.ics" &&
  sync 2>&1 | has "alarm $number: changed on both sides; the folder.s change is later and stays (label)" && labels laptop | has there'
check_sh "a file that gets another name keeps its alarm" '
  mv "$folder/dentist.ics" "$folder/surgeon.ics" && sync | has -x "list and folder are equal" && labels laptop | has there &&
  mv "$folder/surgeon.ics" "$folder/dentist.ics" && sync'
check_sh "deleted here" 'laptop delete "$number" && sync | has -x "folder: deleted 1" && [[ ! -e $folder/dentist.ics ]]'
check_sh "deleted there" '
  file=$(grep -l "SUMMARY:may day" "$folder"/*.ics) && rm "$file" && sync | has -x "list: deleted 1" && ! labels laptop | has "may day"'
check_sh "the journal says what, and that it was sync" 'has -E "#[0-9]+ \"may day\" deleted, by eggctl sync \([0-9]+\)" "$work/stderr"'
check_sh "undo brings it back, also there" '
  laptop undo -y && sync | has -x "folder: added 1" && grep -l "SUMMARY:may day" "$folder"/*.ics'
check_sh "a change beats a deletion" '
  file=$(grep -l "SUMMARY:may day" "$folder"/*.ics) && number=$(laptop list --json | jq ".alarms[] | select(.label == \"may day\").number") &&
  rm "$file" && laptop edit "$number" --label "first of may" && sync 2>&1 | has "changed here and deleted in the folder: it stays" &&
  grep -l "SUMMARY:first of may" "$folder"/*.ics'
check_sh "a file that is no entry stays, and is named" '
  echo nonsense >"$folder/bad.ics" && sync 2>&1 | has "bad.ics: not an iCalendar file" && [[ -e $folder/bad.ics ]] && rm "$folder/bad.ics" && sync'
check_sh "what is past when it is first seen brings no alarm" '
  event past@example.org 20200101T090000Z past >"$folder/past.ics" && sync && ! labels laptop | has past && [[ -e $folder/past.ics ]]'
check_sh "a cancelled entry rings no more" '
  event party@example.org "${year}0701T200000Z" party >"$folder/party.ics" && sync && labels laptop | has party &&
  event party@example.org "${year}0701T200000Z" party STATUS:CANCELLED >"$folder/party.ics" && sync | has -x "list: deleted 1" && [[ -e $folder/party.ics ]]'
check_sh "an emptied folder deletes nothing unless asked" '
  cp -r "$folder" "$work/kept" && rm "$folder"/*.ics && count=$(laptop list -q | wc -l) && ((count > 1)) &&
  { sync 2>"$work/err" && exit 1; has "eggctl: hint: eggctl sync $folder --accept-empty" "$work/err"; } &&
  [[ $(laptop list -q | wc -l) == "$count" ]] && cp -p "$work/kept"/*.ics "$folder/" && sync'
check_sh "a command stays here" '
  number=$(laptop list --json | jq ".alarms[] | select(.label == \"tea\").number") && ! grep -rl "run\b\|/true" "$folder" &&
  sed -i "s/SUMMARY:tea/SUMMARY:green tea/" "$(grep -l "SUMMARY:tea" "$folder"/*.ics)" && sync && laptop show "$number" | has -E "^runs +/usr/bin/true"'

echo "# a kill"
# killed_before CALL N: a sync that dies before its Nth CALL; 1 if it made fewer
killed_before() {
  local status=0
  on laptop strace -f -qq -o /dev/null -e trace="$1" -e inject="$1:signal=KILL:when=$2" eggctl sync "$folder" \
    >/dev/null 2>&1 || status=$?
  ((status == 137))
}
# once LABEL: the list has that alarm, and the folder its file, once
once() {
  [[ $(laptop list --json | jq -r ".alarms[].label" | grep -cx "$1") == 1 && $(cat "$folder"/*.ics | tr -d "\r" | grep -cx "SUMMARY:$1") == 1 ]]
}
# Of what is new on each side when the sync is killed, half is deleted before the next one.
kill_everywhere() {
  local call step gone stays finished
  for call in fsync rename unlink sendto; do
    for ((step = 1, finished = 0; !finished && step < 50; step++)); do
      gone=$(laptop schedule -q "$year-08-01 08:00" "gone here")
      stays=$(laptop schedule -q "$year-08-02 08:00" "stays here")
      event "gone-$call-$step@example.org" "${year}0901T090000Z" "gone there" >"$folder/gone.ics"
      event "stays-$call-$step@example.org" "${year}0902T090000Z" "stays there" >"$folder/stays.ics"
      killed_before "$call" "$step" || finished=1
      laptop delete "$gone" >/dev/null
      rm "$folder/gone.ics"
      sync >/dev/null
      echo "$call $step"; ls -A "$folder"; labels laptop
      [[ -z $(find "$folder" -name ".*" -type f) ]]
      if labels laptop | has gone; then return 1; fi
      once "stays here"
      once "stays there"
      laptop delete "$stays" >/dev/null
      rm "$folder/stays.ics"
      sync >/dev/null
    done
    ((finished && step > 2))
  done
}
check "anywhere in between loses and doubles nothing, and leaves nothing" kill_everywhere
check_sh "then both are equal" '
  sync | has -x "list and folder are equal" && ! grep -rlE "SUMMARY:(gone|stays)" "$folder"'

echo "# two machines and a server"
mkdir -p "$work/radicale"
port=$(python3 -c 'import socket; one = socket.create_server(("127.0.0.1", 0)); print(one.getsockname()[1])')
cat >"$work/radicale/config" <<END
[server]
hosts = 127.0.0.1:$port
[auth]
type = none
[rights]
type = owner_only
[storage]
filesystem_folder = $work/radicale/data
END
radicale --config "$work/radicale/config" >"$work/radicale/log" 2>&1 &
url=http://127.0.0.1:$port/cal
until_sh "curl -sf -u cal:x -o /dev/null http://127.0.0.1:$port/.web/" || { cat "$work/radicale/log"; exit 1; }
curl -sf -u cal:x -X MKCALENDAR "$url/alarms/"
eggd_on desktop
for machine in laptop desktop; do
  mkdir -p "$work/$machine/config/vdirsyncer"
  cat >"$work/$machine/config/vdirsyncer/config" <<END
[general]
status_path = "$work/$machine/vdirsyncer"
[pair alarms]
a = "here"
b = "server"
collections = [["alarms", "alarms", "alarms"]]
conflict_resolution = ["command", "eggctl", "sync", "--merge"]
[storage here]
type = "filesystem"
path = "$work/$machine/data/eggd/calendars"
fileext = ".ics"
[storage server]
type = "caldav"
url = "http://127.0.0.1:$port/"
username = "cal"
password = "x"
END
  mkdir -p "$work/$machine/data/eggd/calendars/alarms"
  on "$machine" vdirsyncer discover >"$work/discover" 2>&1 </dev/null || cat "$work/discover"
done
# carry NAME...: each machine's list to the server and back
carry() {
  local machine
  for machine in "$@"; do
    on "$machine" eggctl sync >/dev/null || return
    on "$machine" vdirsyncer sync >"$work/carried" 2>&1 || { cat "$work/carried"; return 1; }
    on "$machine" eggctl sync >/dev/null || return
  done
}
# equal: both machines show the same
shown() { on "$1" eggctl list --json | jq -cS '[.alarms[] | {label, expression, category, group, note, done, civil, zone, eggs}] | sort'; }
laptop delete --all -y >/dev/null
check_sh "an alarm of one is on both" '
  laptop group create kitchen >/dev/null && laptop schedule -q "$year-03-03 06:00" shared --category soft --group kitchen >/dev/null && carry laptop desktop && labels desktop | has shared &&
  diff <(shown laptop) <(shown desktop)'
check_sh "and rings on both" '
  laptop schedule -q 9s "rings twice" >/dev/null && carry laptop desktop &&
  for machine in laptop desktop; do
    until_sh "on $machine eggctl list --json | jq -e \".alarms[] | select(.label == \\\"rings twice\\\" and .state == \\\"ringing\\\")\" >/dev/null" || exit 1
  done'
check_sh "deleted on one it is on neither, and never rings" '
  laptop schedule -q 15s "never rings" >/dev/null && carry laptop desktop && labels desktop | has "never rings" &&
  laptop delete "$(laptop list --json | jq ".alarms[] | select(.label == \"never rings\").number")" && carry laptop desktop &&
  ! labels desktop | has "never rings" && ! on desktop eggctl history | has "never rings"'
number=$(on desktop eggctl list --json | jq '.alarms[] | select(.label == "shared").number')
check_sh "edited on the other" '
  on desktop eggctl edit "$number" "$year-03-03 06:30" --label "shared by two" && carry desktop laptop && labels laptop | has "shared by two" &&
  diff <(shown laptop) <(shown desktop)'
check_sh "edited by a raw PUT" '
  name=$(grep -rl "SUMMARY:shared by two" "$work/radicale/data" | grep -v "[.]Radicale.cache" | head -n 1) && name=${name##*/} &&
  curl -sf -u cal:x "$url/alarms/$name" | sed "s/SUMMARY:.*/SUMMARY:put by a phone\r/" >"$work/put.ics" &&
  curl -sf -u cal:x -X PUT -H "Content-Type: text/calendar" --data-binary "@$work/put.ics" "$url/alarms/$name" &&
  carry laptop desktop && labels laptop | has "put by a phone" && labels desktop | has "put by a phone"'
check_sh "changed on a phone and here at once: both changes survive" '
  number=$(laptop list --json | jq ".alarms[] | select(.label == \"put by a phone\").number") && laptop edit "$number" --note "from here" &&
  name=$(grep -rl "SUMMARY:put by a phone" "$work/radicale/data" | grep -v "[.]Radicale.cache" | head -n 1) && name=${name##*/} &&
  curl -sf -u cal:x "$url/alarms/$name" | sed "s/SUMMARY:.*/SUMMARY:put by two\r/; s/LAST-MODIFIED:.*/LAST-MODIFIED:$(date -u +%Y%m%dT%H%M%SZ)\r/" >"$work/put.ics" &&
  curl -sf -u cal:x -X PUT -H "Content-Type: text/calendar" --data-binary "@$work/put.ics" "$url/alarms/$name" &&
  carry laptop desktop laptop && diff <(shown laptop) <(shown desktop) &&
  laptop list --json | jq -e ".alarms[] | select(.label == \"put by two\" and .note == \"from here\")" &&
  laptop edit "$number" --label "put by a phone" && carry laptop desktop'
check_sh "made by khal" '
  mkdir -p "$work/desktop/config/khal" &&
  printf "[calendars]\n[[alarms]]\npath = %s\n[locale]\ntimeformat = %%H:%%M\ndateformat = %%Y-%%m-%%d\ndatetimeformat = %%Y-%%m-%%d %%H:%%M\nlongdateformat = %%Y-%%m-%%d\nlongdatetimeformat = %%Y-%%m-%%d %%H:%%M\n" \
    "$work/desktop/data/eggd/calendars/alarms" >"$work/desktop/config/khal/config" &&
  on desktop khal new -a alarms "$year-04-04 10:00" "from khal" && carry desktop laptop && labels laptop | has "from khal"'
check_sh "a weekly alarm, done marks" '
  laptop schedule -q "Sat 10:00" market >/dev/null && number=$(laptop list --json | jq ".alarms[] | select(.label == \"put by a phone\").number") &&
  laptop done "$number" && carry laptop desktop && diff <(shown laptop) <(shown desktop) &&
  on desktop eggctl list --json | jq -e ".alarms[] | select(.label == \"put by a phone\").done"'
# lasting NAME: what it has but rings
lasting() { on "$1" eggctl list -q | wc -l; }
check_sh "the last alarm deleted, on either machine, and new ones afterwards" '
  for count in 0 1 2 0 2 1; do
    for machine in laptop desktop; do
      on "$machine" eggctl delete --all -y >/dev/null || true
      for ((number = 0; number < count; number++)); do on "$machine" eggctl schedule -q "$year-05-05 0$number:00" rest >/dev/null; done
      carry laptop desktop laptop desktop && [[ $(lasting laptop) == "$count" && $(lasting desktop) == "$count" ]] || exit 1
    done
  done'
check_sh "the last one deleted by a phone" '
  on laptop eggctl delete --all -y >/dev/null; on laptop eggctl schedule -q "$year-05-05 08:00" --label last >/dev/null && carry laptop desktop &&
  curl -sf -u cal:x -X DELETE "$url/alarms/$(grep -rl "SUMMARY:last" "$work/radicale/data" | grep -v "[.]Radicale.cache" | head -n 1 | xargs basename)" &&
  carry laptop desktop && [[ $(lasting laptop) == 0 && $(lasting desktop) == 0 ]]'
check_sh "the entry that keeps the calendar in use is the same everywhere, to the byte" '
  cmp "$work"/{laptop,desktop}/data/eggd/calendars/alarms/eggd-placeholder.ics'
check_sh "an alarm that arrives past its moment is recorded as missed" '
  on laptop eggctl schedule -q 2s "too late" >/dev/null && until_sh "on laptop eggctl list --json | jq -e \".alarms[] | select(.state == \\\"ringing\\\")\" >/dev/null" &&
  carry laptop desktop && on desktop eggctl list --json | jq -e ".alarms[] | select(.label == \"too late\" and .state == \"missed\")"'
# ringing NAME LABEL; state NAME LABEL
state() { on "$1" eggctl list --json | jq -r ".alarms[] | select(.label == \"$2\").state"; }
ringing() { [[ $(state "$1" "$2") == ringing ]]; }
both_ring() { until_true ringing laptop "$1" && until_true ringing desktop "$1"; }
number_on() { on "$1" eggctl list --json | jq ".alarms[] | select(.label == \"$2\").number"; }
check_sh "dismissed on one, it is dismissed on the other, and the journal says so" '
  laptop schedule -q 12s "answered once" >/dev/null && carry laptop desktop && both_ring "answered once" &&
  laptop dismiss "$(number_on laptop "answered once")" >/dev/null && carry laptop desktop && [[ $(state desktop "answered once") == rung ]] &&
  has -E "#[0-9]+ \"answered once\" dismissed, by eggctl" "$work/stderr"'
check_sh "snoozed on one, it is snoozed on the other until then, and dismissed there it is so here" '
  laptop schedule -q 12s "answered twice" >/dev/null && carry laptop desktop && both_ring "answered twice" &&
  laptop snooze "$(number_on laptop "answered twice")" 1h >/dev/null && carry laptop desktop && [[ $(state desktop "answered twice") == snoozed ]] &&
  on desktop eggctl dismiss "$(number_on desktop "answered twice")" >/dev/null && carry desktop laptop && [[ $(state laptop "answered twice") == rung ]]'
check_sh "dismissed by a phone" '
  laptop schedule -q 4s "answered there" >/dev/null && carry laptop && until_true ringing laptop "answered there" &&
  name=$(grep -rl "SUMMARY:answered there" "$work/radicale/data" | grep -v "[.]Radicale.cache" | head -n 1) && name=${name##*/} &&
  curl -sf -u cal:x "$url/alarms/$name" | sed "s/^ACTION:DISPLAY/ACTION:DISPLAY\r\nACKNOWLEDGED:$(date -u +%Y%m%dT%H%M%SZ)/" >"$work/put.ics" && has ACKNOWLEDGED "$work/put.ics" &&
  curl -sf -u cal:x -X PUT -H "Content-Type: text/calendar" --data-binary "@$work/put.ics" "$url/alarms/$name" &&
  carry laptop desktop && [[ $(state laptop "answered there") == rung ]]'
check_sh "nothing is left to do" '
  carry laptop desktop && on laptop eggctl sync | has -x "list and folder are equal" && on desktop eggctl sync | has -x "list and folder are equal"'

echo "# several folders"
two=$work/two
check_sh "a group has a folder of its own" '
  laptop group create work >/dev/null && laptop schedule -q "$year-06-06 09:00" report --group work >/dev/null && laptop schedule -q "$year-06-07 09:00" garden >/dev/null &&
  on laptop eggctl sync >/dev/null && on laptop eggctl sync "$two" --group work | has -x "folder: added 1" &&
  grep -l SUMMARY:report "$two"/*.ics && ! grep -l SUMMARY:garden "$two"/*.ics'
check_sh "which takes its file from the other one" '
  on laptop eggctl sync | has -x "list and folder are equal" && ! grep -rl SUMMARY:report "$work/laptop/data/eggd/calendars/alarms" &&
  on laptop eggctl sync "$two" | has -x "list and folder are equal" && labels laptop | has report'
check_sh "its entries are of that group, whatever they say" '
  event meeting@example.org "${year}0612T090000Z" meeting CATEGORIES:home >"$two/meeting.ics" && on laptop eggctl sync "$two" | has -x "list: added 1" &&
  laptop list --group work --json | jq -r ".alarms[].label" | has meeting && on laptop eggctl sync | has -x "list and folder are equal"'
check_sh "a group has one folder" '
  { on laptop eggctl sync "$work/three" --group work 2>"$work/err" && exit 1; has "the group .work. has a folder: $two" "$work/err"; }'
check_sh "a folder has one group" '
  { on laptop eggctl sync "$two" --group home 2>"$work/err" && exit 1; has "eggctl: hint: eggctl sync $two --remove" "$work/err"; }'
check_sh "to a read-only folder nothing goes, nor from it to others" '
  mkdir "$work/shared" && event holiday@example.org "${year}0801T090000Z" holiday >"$work/shared/holiday.ics" && cp -a "$work/shared" "$work/before" &&
  on laptop eggctl sync "$work/shared" --read-only | has -x "list: added 1" && on laptop eggctl sync && labels laptop | has holiday &&
  number=$(laptop list --json | jq ".alarms[] | select(.label == \"holiday\").number") && laptop edit "$number" --note mine >/dev/null &&
  on laptop eggctl sync "$work/shared" && laptop delete "$number" >/dev/null && on laptop eggctl sync "$work/shared" && ! labels laptop | has holiday &&
  diff -r "$work/shared" "$work/before" && ! grep -rl SUMMARY:holiday "$work/laptop/data/eggd/calendars/alarms"'
check_sh "a folder whose group is renamed stays as it is until it is given the new name" '
  cp -a "$two" "$work/two-before" && laptop group rename work job >/dev/null &&
  { on laptop eggctl sync "$two" 2>"$work/err" && exit 1; has -x "eggctl: hint: eggctl sync $two --group job" "$work/err"; } &&
  on laptop eggctl sync "$two" --group job | has -x "list and folder are equal" && diff -r "$two" "$work/two-before"'
check_sh "a known folder becomes read-only" '
  on laptop eggctl sync "$two" --read-only | has -x "list and folder are equal" &&
  laptop edit "$(laptop list --json | jq ".alarms[] | select(.label == \"report\").number")" --eggs 7 >/dev/null &&
  on laptop eggctl sync "$two" | has -x "list and folder are equal" && diff -r "$two" "$work/two-before"'
check_sh "--remove forgets a folder" '
  on laptop eggctl sync "$two" --remove | has "$two is forgotten; its files and the alarms stay" && [[ -e $two/meeting.ics ]] && labels laptop | has meeting'
laptop group delete job --delete-alarms -y >/dev/null
on laptop eggctl sync >/dev/null

echo "# --watch"
# with_summary TEXT: the laptop's files with it. A file that is being written is hidden until it has its name
with_summary() { grep -rl --include='[!.]*.ics' "SUMMARY:$1" "$work/laptop/data/eggd/calendars/alarms"; }
(as laptop && exec eggctl sync --watch) >"$work/watched" 2>&1 &
watcher=$!
check_sh "follows the list" '
  laptop schedule -q "$year-10-01 08:00" watched >/dev/null && until_sh "with_summary watched"'
check_sh "and the folder" '
  sed -i s/SUMMARY:watched/SUMMARY:seen/ "$(with_summary watched)" &&
  until_sh "labels laptop | has seen"'
# not in a claim, which is a shell of its own: nobody would end the new one
kill "${eggd[laptop]}"; wait "${eggd[laptop]}" || true
eggd_on laptop
check_sh "through a restart of eggd" '
  laptop schedule -q "$year-11-01 08:00" again >/dev/null &&
  until_sh "with_summary again"'
check_sh "says what it did" 'has "folder: added 1" "$work/watched" && has "list: changed 1" "$work/watched"'
kill "$watcher"
finish
