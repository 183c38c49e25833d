#!/bin/bash
# configuration.sh - config.toml of an eggd under systemd --user, in the box: reloading, mistakes, what they change.
# shellcheck disable=SC2016,SC2034,SC2317 # claims are shell text in single quotes
. "${BASH_SOURCE[0]%/*}/checks.sh"

file=~/.config/eggd/config.toml
pid() { systemctl --user show -p MainPID --value eggd.service; }
# write LINE...
write() { mkdir -p "${file%/*}" && printf '%s\n' "$@" >"$file"; }
entry() { journalctl -q --user -t eggd -o json "$@" | tail -n 1; }
# setting KEY FILTER
setting() { eggctl config --json | jq -r ".settings[] | select(.key == \"$1\") | $2"; }
# said NUMBER: the text of its ring
said() { entry EGG_ALARM_NUMBER="$1" MESSAGE_ID=cf5f9b230d1e4ddb9d5b5e792f1015a6 | jq -r .MESSAGE; }

echo "# no file"
rm -rf ~/.config/eggd
systemctl --user enable -q --now eggd.service eggd.socket
old=$(pid)
check_sh "every setting has its default" 'eggctl config --json | jq -e "[.settings[].source] | unique == [\"default\"]"'
check_sh "config names the file" 'eggctl config --json | jq -e ".file == \"$file\""'

echo "# systemctl --user reload"
write 'snooze = "10m"' 'title = "Up!"' '' 'category = "soft"' 'ring-within = "1h"' 'group = "Sunday"' \
  'sound = "none"' 'date-format = "iso"' 'day-at = "7:30 am"'
check_sh "a file that is not read yet changes nothing" 'test "$(setting title .value)" = "Wait!"'
check "the unit reloads" systemctl --user reload eggd.service
check_sh "eggd goes on" 'test "$(pid)" = "$old" && test "$(systemctl --user show -P SubState eggd.service)" = running'
check_sh "config shows value and line" \
  'test "$(setting title .value)" = "Up!" && test "$(setting category .line)" = 4 && eggctl config | has -E "^snooze +10min +$file:1$"'
check_sh "the journal says so" \
  'entry MESSAGE_ID=d34120c30981454f80fbd313921111e4 | jq -e ".EGG_FILE == \"$file\" and .PRIORITY == \"6\""'
number=$(alarm 1s --body "Now")
check_sh "a new alarm has the defaults" \
  'json $number | jq -e ".category == \"soft\" and .ifMissed == \"ringWithin\" and .ringWithin == 3600000000 and (has(\"group\") | not)"'
check_sh "doctor names the missing group" '{ eggctl doctor || true; } | has "there is no group .Sunday."'
eggctl group create Sunday >/dev/null
check_sh "which takes new alarms once it is there" 'test "$(eggctl schedule 1h --json | jq -r .group)" = Sunday'
check_sh "an option wins" \
  'eggctl schedule 1h --category hard --group "" --if-missed ring --json | jq -e ".category == \"hard\" and (.ifMissed // \"ring\") == \"ring\" and (has(\"group\") | not)"'
eventually "a ring has the configured title" 'test "$(said "$number")" = "Up! Now"'
check_sh "a snooze takes that long" \
  'eggctl snooze "$number" --json | jq -e ".alarms[0].due - now * 1000000 | . > 590000000 and . <= 600000000"'
check_sh "status says that rings are silent" 'eggctl status | has "sound is set to none"'

echo "# the format of dates"
check_sh "eggctl shows RFC 3339" 'eggctl list | has -E "^ +[0-9]+ +20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9:]{8}[+-][0-9:]{5} "'
check_sh "which it reads back" 'eggctl resolve "$(eggctl next --format {due})" | has timestamp'
check_sh "an option wins here, too" 'eggctl list --date-format dotted | has -E " 20[0-9]{2}\. [0-9]{2}\. [0-9]{2}\. [0-9:]{8} "'
check_sh "the locale is that of the caller" \
  'LC_ALL=C eggctl now --date-format locale | has -E "^(Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ 0-9]{2} [0-9:]{8} 20[0-9]{2}$"'

echo "# days without a time of day"
check_sh "they ring at day-at" 'eggctl schedule tomorrow --json | jq -e ".civil | endswith(\" 07:30:00\")"'
check_sh "resolve asks for it" 'eggctl resolve tomorrow | has -F "07:30 is day-at of config.toml"'

echo "# timers"
write 'title = "Up!"' '[timers]' 'tea = "4m"' 'pasta = { time = "9m", label = "al dente" }'
eggctl reload >/dev/null
check_sh "a timer is scheduled by its name" 'eggctl schedule tea --json | jq -e ".expression == \"4m\" and .label == \"tea\""'
check_sh "which is a command, too" 'eggctl pasta --json | jq -e ".expression == \"9m\" and .label == \"al dente\""'
check_sh "config lists it" 'eggctl config | has -E "^timers.tea +4m +$file:3$"'

echo "# lengths of snoozes"
write 'title = "Up!"' 'snooze = ["tomorrow 9:00", "1h"]'
eggctl reload >/dev/null
check_sh "config shows them" 'eggctl config | has -E "^snooze +tomorrow 9:00, 1h +$file:2$"'
number=$(alarm 500ms)
eventually "an alarm rings" 'json "$number" | jq -e ".state == \"ringing\""'
check_sh "the first is the usual one" \
  'eggctl snooze "$number" --json | jq -e ".alarms[0].due == ($(date -d "tomorrow 9:00" +%s) * 1000000)"'

echo "# a mistake"
write 'title = "Down!"' 'snooze = 10'
check_sh "eggctl reload names line, column and key" \
  'rc=0; eggctl reload 2>/tmp/said || rc=$?; test $rc = 1 && has -F "eggctl: error: $file:2:1: snooze takes a text in quotes, or a list of them" /tmp/said'
check_sh "so does the reload of the unit, by its failure" '! systemctl --user reload eggd.service'
check_sh "eggd goes on with the earlier settings" 'test "$(pid)" = "$old" && test "$(setting title .value)" = "Up!"'
check_sh "config says that the file is not used" 'eggctl config 2>&1 >/dev/null | has -F "$file:2:1: snooze takes"'
check_sh "status says so" 'eggctl status | has -E "^settings +$file:2:1: snooze takes a text in quotes, or a list of them; the file is not used"'
check_sh "doctor says so, and exits with 1" \
  'rc=0; eggctl doctor >/tmp/said 2>&1 || rc=$?; test $rc = 1 && has -F "$file:2:1: snooze" /tmp/said'
check_sh "the journal has place and key" 'entry MESSAGE_ID=7475560ad9c14c1ebf1b3a72d333fcb7 | jq -e "
  .EGG_LINE == \"2\" and .EGG_COLUMN == \"1\" and .EGG_KEY == \"snooze\" and .PRIORITY == \"4\""'
write 'title = "Down!'
check_sh "a syntax error has line and column" '! eggctl reload 2>/tmp/said && has -E "$file:1:[0-9]+: the text lacks its closing quotes" /tmp/said'
check "eggd starts with a mistake" systemctl --user restart eggd.service
number=$(alarm 500ms)
eventually "and rings with the default texts" 'test "$(said "$number")" = "Wait! Your eggs are almost done!"'

echo "# mended"
write 'title = "Down!"'
old=$(pid)
kill -HUP "$old"
eventually "SIGHUP reads the file again" 'test "$(setting title .value)" = "Down!"'
check_sh "eggd goes on" 'test "$(pid)" = "$old"'
check_sh "status tells no mistake" '! eggctl status | has "^settings"'

echo "# no file to read"
rm "$file"
mkfifo "$file"
check "eggd starts beside a FIFO" systemctl --user restart eggd.service
check_sh "and says so" '! eggctl doctor >/tmp/said 2>&1 && has -F "$file: is not a regular file" /tmp/said'
rm "$file"
write 'title = "Up!"'
chmod 0 "$file"
check_sh "a file that may not be read is a mistake" '! eggctl reload 2>/tmp/said && has -F "$file: cannot be read: Permission denied" /tmp/said'
rm "$file"
check "without the file there is none" eggctl reload
check_sh "and the defaults hold" 'test "$(setting title .value)" = "Wait!"'
finish
