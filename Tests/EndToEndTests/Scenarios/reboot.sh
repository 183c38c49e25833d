#!/bin/bash
# reboot.sh before|after - the same machine before and after it is switched off, in the box with --state.
# The product is in the home, which is there when lingering starts the user manager.
# shellcheck disable=SC2016,SC2034,SC2317 # claims are shell text in single quotes
. "${BASH_SOURCE[0]%/*}/checks.sh"

export PATH=$HOME/.local/bin:$PATH
if [[ $1 == before ]]; then
  check "make install" make install
  check "enable --now" systemctl --user enable --now eggd.service eggd.socket
  loginctl enable-linger
  alarm 2h "long" >~/long
  eggctl schedule "2036-12-24 18:00" "date" -q >~/date
  field "$(<~/long)" .due >~/long-due
  alarm 2s "short" >~/short
  # the machine is off by then: nothing of it rings here
  systemctl --user kill -s STOP eggd.service
  over=$(($(micros) + 3100000))
  until_sh '(($(micros) > over))'
  finish
fi
check_sh "lingering alone has started the user manager" 'loginctl show-user "$USER" -p Linger --value | has yes'
eventually "and that eggd" 'systemctl --user -q is-active eggd.service'
check_sh "every alarm is there" 'test "$(eggctl list -q | sort -n)" = "$(cat ~/long ~/date ~/short)"'
check_sh "this is another boot" 'test "$(journalctl -q --list-boots | wc -l)" = 2'
short=$(<~/short)
eventually "what came due while the machine was off rings" \
  'journalctl -q -b --user -t eggd -o json EGG_ALARM_NUMBER=$short | has almost'
check_sh "late, because eggd was down" \
  'journalctl -q --user -t eggd -o json EGG_ALARM_NUMBER=$short MESSAGE="Wait! Your eggs are almost done!" |
   jq -e ".EGG_LATE_REASON == \"down\""'
eventually "a countdown goes on, on the wall clock" \
  'left=$(($(field "$(<~/long)" .due) - $(<~/long-due))); test ${left#-} -lt 5000'
finish
