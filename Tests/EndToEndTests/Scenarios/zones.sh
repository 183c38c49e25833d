#!/bin/bash
# zones.sh - the machine's zone changes, and a zone's data, while eggd runs and while it is down. As root, in a mount
# namespace of its own: /etc is a copy here, so that the machine's own localtime stays where it is.
# shellcheck disable=SC2016,SC2034,SC2317 # claims are shell text in single quotes
[[ ${1-} == own ]] || exec unshare -m "$0" own
. "${BASH_SOURCE[0]%/*}/checks.sh"
. "${BASH_SOURCE[0]%/*}/private-eggd.sh"
unset TZ
mount --make-rprivate /
cp -a /etc "$work/etc"
mount --bind "$work/etc" /etc
export TZDIR=$work/zoneinfo
mkdir -p "$TZDIR"/{Europe,Asia,America}
for zone in Europe/{Berlin,Paris,London} Asia/Tokyo America/New_York; do
  cp "/usr/share/zoneinfo/$zone" "$TZDIR/$zone"
done
# as timedatectl does it
zone() { ln -s "/usr/share/zoneinfo/$1" /etc/localtime.new && mv -T /etc/localtime.new /etc/localtime; }
# as a package's update does it: ZONE gets the rules of OTHER
update() { cp "/usr/share/zoneinfo/$2" "$TZDIR/$1.new" && mv "$TZDIR/$1.new" "$TZDIR/$1"; }
# rings ALARM CIVIL ZONE: that is its moment
rings() { test "$(field "$1" .due)" = "$(TZDIR='' TZ=$3 date -d "$2" +%s)000000"; }
state() { field "$1" .state; }
said() { grep -c "$1" "$work/stderr"; }

zone Europe/Berlin
start_eggd
day=$(TZ=Europe/Berlin date -d '+3 days' +%F)
floating=$(alarm "$day 07:30")
named=$(alarm "$day 07:30 Europe/Paris")
soon=$(alarm "$(TZ=Europe/Berlin date -d '+10 minutes' '+%F %T')")
near=$(TZ=Europe/Berlin date -d '+20 hours' '+%F %T')
first=$(alarm "$near")
countdown=$(alarm 10min)
before=$(field "$countdown" .due)
check "a floating alarm is on the machine's clock" rings "$floating" "$day 07:30" Europe/Berlin

echo "# the zone changes while eggd runs"
zone Asia/Tokyo
eventually "a floating alarm follows" 'rings $floating "$day 07:30" Asia/Tokyo'
check "one with a zone of its own stays" rings "$named" "$day 07:30" Europe/Paris
check_sh "a countdown stays" 'left=$(($(field "$countdown" .due) - before)); test ${left#-} -lt 5000'
eventually "one whose time of day is past by now rings at once" 'test "$(state $soon)" = ringing'
check_sh "and says that the zone did it" 'test "$(field $soon .latest.lateReason)" = zoneChange'
eventually "the journal says from where to where, and how many moved" \
  'said "^<5>The time zone changed from Europe/Berlin to Asia/Tokyo: moved 3 alarms"'
check_sh "what is typed from now on is on the new clock" \
  'n=$(alarm "$day 08:00") && rings $n "$day 08:00" Asia/Tokyo && eggctl delete $n >/dev/null'

echo "# a zone's data is updated while eggd runs"
update Europe/Paris Europe/London
eventually "alarms of that zone follow" 'rings $named "$day 07:30" Europe/London'
check "others stay" rings "$floating" "$day 07:30" Asia/Tokyo
eventually "the journal names the zone" 'said "^<5>The rules of Europe/Paris changed: moved 1 alarms"'

echo "# the zone is damaged while eggd runs"
rm /etc/localtime
eventually "that is said" 'said "^<4>The zone Asia/Tokyo cannot be read"'
check "a floating alarm stays" rings "$floating" "$day 07:30" Asia/Tokyo
zone Asia/Tokyo

echo "# both change while eggd is down"
check_here "kill -9" ends KILL 137
zone America/New_York
update Europe/Paris Europe/Paris
start_eggd
check "a floating alarm of the next hours has followed when eggd answers" rings "$first" "$near" America/New_York
eventually "one of later days follows soon" 'rings $floating "$day 07:30" America/New_York'
eventually "one of a zone whose data was updated, too" 'rings $named "$day 07:30" Europe/Paris'
check_sh "what has rung does not ring again" 'test "$(state $soon)" = ringing'
check_sh "it rang once" 'test "$(said "^<5>Wait!")" = 1'
eventually "the journal says it" \
  'said "^<5>The time zone changed from Asia/Tokyo to America/New_York: moved 2 alarms"'
finish
