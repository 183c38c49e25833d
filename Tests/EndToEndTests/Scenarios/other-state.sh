#!/bin/bash
# other-state.sh - a state directory that the unit's sandbox does not let eggd write in: inside the home, and outside of
# it. In the box.
# shellcheck disable=SC2016,SC2034,SC2317 # claims are shell text in single quotes
. "${BASH_SOURCE[0]%/*}/checks.sh"

mkdir -p ~/.config/systemd/user/eggd.service.d
for place in ~/.state /var/tmp/state; do
  echo "# $place"
  mkdir -p "$place/eggd"
  systemctl --user set-environment XDG_STATE_HOME="$place"
  systemctl --user start eggd.socket
  number=$(alarm 300ms)
  eventually "an alarm rings" 'journalctl -q --user -t eggd EGG_ALARM_NUMBER=$number -o cat | has Wait'
  check_sh "its database is there" 'test -s "$place/eggd/schedule.db"'
  eventually "the journal says that eggd runs without its sandbox" \
    'journalctl -q --user -t eggd -p warning -o cat | has "without its sandbox"'
  eventually "and names the line that lets it run within" \
    'journalctl -q --user -t eggd -p err -o cat | has "ReadWritePaths=$place/eggd$"'
  printf '[Service]\nReadWritePaths=%s/eggd\n' "$place" >~/.config/systemd/user/eggd.service.d/state.conf
  systemctl --user stop eggd.service eggd-plain.service
  systemctl --user daemon-reload
  check "with that line it does" systemctl --user start eggd.service
  check_sh "without the other unit" '! systemctl --user is-active --quiet eggd-plain.service'
  check "with the alarm" eggctl show "$number"
  check_sh "which can be changed" 'eggctl delete "$number"'
  rm ~/.config/systemd/user/eggd.service.d/state.conf
  systemctl --user stop eggd.socket eggd.service
  systemctl --user daemon-reload
done
finish
