#!/bin/bash
# hooks.sh - commands that alarms run, of an eggd under systemd --user, in the box.
# shellcheck disable=SC2016,SC2034,SC2317 # claims are shell text in single quotes
. "${BASH_SOURCE[0]%/*}/checks.sh"

hooks=~/.config/eggd/on-ring.d
rm -rf ~/.config/eggd ~/hooked ~/seen
mkdir -p ~/hooked "$hooks"
systemctl --user enable -q --now eggd.service eggd.socket
# entry ID NUMBER: the entry of that kind about that alarm
entry() { journalctl -q --user -t eggd -o json MESSAGE_ID="$1" EGG_ALARM_NUMBER="$2" | tail -n 1; }
succeeded_id=c460b79bf055441a99e10ee10934b6dd failed_id=e371f7ab9f3b485c9fa1873272461dec
not_started_id=3a833576c9e1424f8d1600233a81cf22
# hook NUMBER FILTER: of its last ring's commands
hook() { eggctl show "$1" --json | jq -r ".occurrences[-1].hooks[] | $2"; }

echo "# a command of an alarm"
cat >~/write <<'SH'
#!/bin/sh
cat >~/hooked/json
printf '%s\n' "$@" >~/hooked/words
env >~/hooked/variables
echo "printed by the hook"
SH
chmod +x ~/write
number=$(cd && alarm 200ms "two soft ones" --category soft --run './write "a b" $HOME "" *')
eventually "its end is in show" 'test "$(hook $number .result)" = exited'
check_sh "with its path and words" "test \"\$(hook \$number .hook)\" = \"\$HOME/write 'a b' \\\$HOME '' *\""
check_sh "it got its words as they were typed" 'test "$(<~/hooked/words)" = "$(printf "%s\n" "a b" "\$HOME" "" "*")"'
check_sh "the alarm's JSON, which rings" 'jq -e ".number == $number and .state == \"ringing\" and .category == \"soft\"" ~/hooked/json'
check_sh "and what rang" 'grep -qx "EGG_LABEL=two soft ones" ~/hooked/variables && grep -qx "EGG_SUMMARY=Wait!" ~/hooked/variables &&
  grep -qx "EGG_ALARM_NUMBER=$number" ~/hooked/variables'
eventually "what it printed is in the journal under its alarm's number" \
  'journalctl -q --user -t "eggd-hook-$number" -o cat | has -x "printed by the hook"'
check_sh "it ran outside eggd's sandbox and unit" '! has -x EGGD_SANDBOX=1 <~/hooked/variables && touch -c ~/hooked/words'
eventually "the journal says that it succeeded" 'entry $succeeded_id $number | jq -e ".EXIT_STATUS == \"0\" and .PRIORITY == \"6\""'
check_sh "show says so in words" 'eggctl show $number | has "ran .*write .*: succeeded"'
check_sh "no unit is left" 'test -z "$(systemctl --user list-units --all --plain --no-legend "eggd-hook-*")"'

quoted() { printf "'%s' " "${@//\'/\'\\\'\'}"; }
words=()
for mark in $'\u0301' $'\ufe0f' $'\u200d' $'\u0600' $'\u0d4e'; do
  for word in '$HOME' '${HOME}' '$$' '%h' '\x41' "'" '"' ' ' ';'; do
    words+=("$word$mark" "$mark$word" "${word:0:1}$mark${word:1}" "$mark${word:0:1}$mark${word:1}")
  done
done
rm ~/hooked/words
number=$(cd && alarm 100ms --run "./write $(quoted "${words[@]}")")
eventually "a command with marks on its special characters ends" 'test "$(hook $number .status)" = 0'
check_sh "and no word of it was read by systemd" 'diff ~/hooked/words <(printf "%s\n" "${words[@]}")'
ln -s /bin/bash ~/'ba${HOME}sh'
number=$(cd && alarm 100ms --run "'./ba\${HOME}sh' -c 'printf %s \"\$0\" >~/hooked/name'")
eventually "so does a program with a dollar sign in its name" 'test "$(hook $number .status)" = 0'
check_sh "which it has kept" 'test "$(<~/hooked/name)" = "$HOME/ba\${HOME}sh"'

echo "# how it ends"
number=$(alarm 100ms --run "sh -c 'exit 3'")
eventually "a status is kept" 'test "$(hook $number .status)" = 3'
eventually "and is a warning in the journal" 'entry $failed_id $number | jq -e ".EXIT_STATUS == \"3\" and .PRIORITY == \"4\""'
number=$(alarm 100ms --run "sh -c 'sleep 0.2; exit 203'")
eventually "even one that the service manager itself uses" 'test "$(hook $number .result) $(hook $number .status)" = "exited 203"'
number=$(cd ~/hooked && alarm 1h --run "true words" 2>/tmp/said)
check_sh "a file that is only here is told" 'has "has no .words.: give its whole path" /tmp/said && eggctl delete $number'
number=$(alarm 100ms --run "sh -c 'kill -9 \$\$'")
eventually "a signal is kept" 'test "$(hook $number .result) $(hook $number .status)" = "killed 9"'
cp ~/write ~/gone
number=$(cd && alarm 1h --run ./gone)
rm ~/gone
eggctl edit "$number" 100ms >/dev/null
eventually "what cannot be run did not start" 'test "$(hook $number .result)" = notStarted'
eventually "the journal says so" 'entry $not_started_id $number | has "did not start"'
number=$(alarm 100ms --run "sleep 1000")
eventually "a long one runs" 'systemctl --user is-active -q "eggd-hook-$number-*"'
check_sh "for ten minutes at most" \
  'systemctl --user show -P RuntimeMaxUSec "eggd-hook-$number-*" | has -x 10min'
other=$(alarm 100ms)
check_sh "and holds up no ring" \
  'eggctl wait $other && test "$(field $other ".latest.lateness")" -lt 500000'
systemctl --user stop "eggd-hook-$number-*"
eventually "stopped, it ends by a signal" 'test "$(hook $number .result)" = killed'

echo "# many"
for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do alarm 500ms --run "sh -c 'kill -9 \$\$'"; done >/tmp/many
eventually "each of a dozen is told from the others" \
  'while read -r one; do test "$(hook $one .status)" = 9 || exit 1; done </tmp/many'

echo "# again, edit, undo"
number=$(cd && alarm 1h --run ./write)
check_sh "again takes it along" 'eggctl again $number --json | jq -e ".run == \"$HOME/write\""'
eggctl edit "$number" --run "" >/dev/null
check_sh "an empty one is none" 'json $number | jq -e "has(\"run\") | not"'
eggctl undo >/dev/null
check_sh "undo brings it back" 'json $number | jq -e ".run == \"$HOME/write\""'
check_sh "a program that is not there is refused" \
  '! eggctl schedule 1h --run no-such-program 2>~/seen && has "there is no program .no-such-program. to run" <~/seen'
check_sh "so is an open quote" '! eggctl schedule 1h --run "sh -c '"'"'x" 2>~/seen && has "quote is not closed" <~/seen'

echo "# what brings no command"
rm -f ~/hooked/*
number=$(cd && alarm 1h --run ./write)
eggctl export >~/export
eggctl delete "$number" >/dev/null
eggctl import ~/export >/dev/null 2>~/seen
check_sh "an import leaves it out and says so" \
  'has "its command is left out" <~/seen && json $number | jq -e "has(\"run\") | not"'

echo "# on-ring.d"
printf '#!/bin/sh\necho "$EGG_ALARM_NUMBER" >>~/hooked/each\n' | tee "$hooks/each" >"$hooks/each~"
chmod +x "$hooks"/each*
number=$(alarm 100ms)
eventually "a program there runs at every ring" 'has -x $number <~/hooked/each'
eventually "and show has how it ended" 'test "$(hook $number .hook) $(hook $number .status)" = "$hooks/each 0"'
check_sh "a backup of an editor does not run" 'test "$(grep -cx $number ~/hooked/each)" = 1'
finish
