#!/bin/bash
# zone-service.sh - the machine's zone changes under the sandboxed service of systemd --user, in the box. Root sets
# the zone whose name is written to /run/zone.
# shellcheck disable=SC2016,SC2034,SC2317 # claims are shell text in single quotes
. "${BASH_SOURCE[0]%/*}/checks.sh"

rings() { test "$(field "$1" .due)" = "$(TZ=$3 date -d "$2" +%s)000000"; }
told() { journalctl -q --user -t eggd -o json MESSAGE_ID=38ef2a95f73d4d96b0581537a0724642; }

echo Europe/Berlin >/run/zone
until_sh 'readlink /etc/localtime | has Berlin'
systemctl --user enable --now eggd.service eggd.socket
day=$(TZ=Europe/Berlin date -d '+3 days' +%F)
number=$(alarm "$day 07:30")
check "a floating alarm is on the machine's clock" rings "$number" "$day 07:30" Europe/Berlin
echo Asia/Tokyo >/run/zone
eventually "in its sandbox eggd notices that the zone changes" 'rings $number "$day 07:30" Asia/Tokyo'
eventually "and the journal has it" 'told | has .'
told >/tmp/entry
check_sh "once, as a notice, with both zones and how many moved" \
  'test "$(wc -l </tmp/entry)" = 1 && jq -e ".PRIORITY == \"5\" and .EGG_OLD_ZONE == \"Europe/Berlin\"
   and .EGG_ZONE == \"Asia/Tokyo\" and .EGG_COUNT == \"1\"" /tmp/entry'
check_sh "the catalog explains it" 'journalctl -q --user -t eggd -x | has "The time zone changed to Asia/Tokyo"'
finish
