#!/bin/bash
# varlink-client.sh - the varlink client of other people, `python -m varlink.cli`, uses eggd.
# shellcheck disable=SC2016,SC2034,SC2317 # claims are shell text in single quotes
. "${BASH_SOURCE[0]%/*}/checks.sh"
unset DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR
. "${BASH_SOURCE[0]%/*}/private-eggd.sh"

python=$("$repository/Tests/testbed/python-venv.sh")
start_eggd
address=unix:$XDG_RUNTIME_DIR/eggd/eggd.sock
cli() { "$python" -m varlink.cli "$@"; }
call() { cli call "$address/io.eggd.Schedule.$1" "${2-{\}}"; }

check_sh "info: vendor, product, both interfaces" 'cli info "$address" | tee /dev/stderr |
  has io.eggd.Schedule && cli info "$address" | has org.varlink.service'
check_sh "help: the interface as it is in the sources" \
  'cli help "$address/io.eggd.Schedule" >"$work/interface" && grep -q "^method Schedule" "$work/interface" &&
   for name in $(sed -n "s/^method \([A-Za-z]*\).*/\1/p" "$repository/Sources/EggProtocol/io.eggd.Schedule.varlink"); do
     grep -q "^method $name *(" "$work/interface" || { echo "no $name"; exit 1; }; done'

"$python" -u -m varlink.cli call -m "$address/io.eggd.Schedule.Subscribe" '{}' >"$work/told" 2>&1 &
eventually "Subscribe tells that the list is complete" 'grep -q "\"ready\"" "$work/told"'
check_sh "Schedule" 'call Schedule "{\"expression\": \"1h\", \"label\": \"by others\"}" | tee "$work/made" |
  jq -e ".alarm.label == \"by others\" and .alarm.state == \"scheduled\" and (.existed | not)"'
number=$(jq .alarm.number "$work/made")
eventually "Subscribe tells of it" 'grep -q "by others" "$work/told"'
check_sh "List" 'call List | jq -e ".alarms | length == 1 and .[0].number == $number"'
check_sh "Delete" 'call Delete "{\"numbers\": [$number]}" | jq -e ".deleted == [$number] and .rang == []"'
eventually "Subscribe tells of that" 'jq -se "[.[] | select(.part == \"change\")] | length == 2 and (.[1] | has(\"new\") | not)" "$work/told"'
check_sh "List is empty" 'call List | jq -e ".alarms == [] and .totals.alarms == 0"'
check_sh "an error has its name" 'call Show "{\"number\": 999}" 2>&1 | has "io.eggd.Schedule.NoSuchAlarm"'
check_sh "a bad parameter is named" 'call Schedule "{\"expression\": 5}" 2>&1 | has "expression"'
finish
