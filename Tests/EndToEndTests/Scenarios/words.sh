#!/bin/bash
# words.sh - what is written on an alarm stays text: in the journal, on the bus, on the terminal, for every shell. In
# the box, under the real unit.
# shellcheck disable=SC2016,SC2034,SC2317 # claims are shell text in single quotes
. "${BASH_SOURCE[0]%/*}/checks.sh"

rang() { journalctl -q --user -o json MESSAGE_ID=cf5f9b230d1e4ddb9d5b5e792f1015a6 "$@"; }
systemctl --user start eggd.socket eggd.service
summary='Up! $(touch ~/ran) %n %s <b>&amp;</b>'
body=$'first\nEGG_FORGED=1\nPRIORITY=0\n_UID=0\nMESSAGE_ID=00000000000000000000000000000000\n\n__REALTIME_TIMESTAMP=1'
label='`touch ~/ran`; touch x'

echo "# in the journal"
number=$(alarm 500ms --title "$summary" --body "$body" --label "$label")
eventually "it rings" 'rang EGG_ALARM_NUMBER=$number | has .'
journalctl --user --sync 2>/dev/null || true
rang EGG_ALARM_NUMBER="$number" >/tmp/entry
check_sh "as one entry" 'test "$(wc -l </tmp/entry)" = 1'
is() { jq -e --arg text "$2" ".$1 == \$text" /tmp/entry; }
check "with its summary as it was typed" is EGG_SUMMARY "$summary"
check "with its body, lines and all" is EGG_BODY "$body"
check "with its label" is EGG_LABEL "$label"
check "with its message" is MESSAGE "$summary $body ($label, #$number)"
check "no line of the body is a field" jq -e 'has("EGG_FORGED") | not' /tmp/entry
check "its priority is its own" is PRIORITY 5
check "its user is" is _UID "$(id -u)"
check_sh "no entry has the forged field" 'test -z "$(journalctl -q --user EGG_FORGED=1)"'
check_sh "nor the forged identity" 'test -z "$(journalctl -q --user MESSAGE_ID=00000000000000000000000000000000)"'

printf 'MESSAGE=x\nEGG_FORGED=1\n' | logger --journald
eventually "one would be found" 'journalctl -q --user EGG_FORGED=1 | has .'

echo "# control characters"
for text in $'a\nb' $'a\tb' $'a\e[31mb' $'a\x7fb' $'a\rb'; do
  check "$(printf 'a label with %q is refused' "$text")" eval '! eggctl schedule 1h --label "$text"'
done
check "of all of these a body may have the line break only" eval '! eggctl schedule 1h --body $'"'"'a\e[31mb'"'"

echo "# on the terminal"
eggctl list >/tmp/list
check_sh "the list has the label as it was typed" 'has -F "$label" </tmp/list'
check_sh "and no control character but the ends of its lines" '! has -P "[\x00-\x09\x0b-\x1f\x7f]" </tmp/list'

sqlite3 ~/.local/state/eggd/schedule.db \
  "UPDATE alarm SET label = 'a' || char(155) || '31m' || char(8238) || 'b' WHERE number = $number"
eventually "JSON keeps what another program wrote" 'eggctl show $number --json | jq -e ".alarm.label == \"a\\u009b31m\\u202eb\""'
# safe CMD...: it shows no control character but the ends of lines, and none that reorders one
safe() {
  "$@" >/tmp/shown
  has b </tmp/shown
  ! has -P '[\x00-\x09\x0b-\x1f\x7f-\x{9f}\x{61c}\x{200e}\x{200f}\x{2028}-\x{202e}\x{2066}-\x{2069}]' </tmp/shown
}
for words in list "list --json" "show $number" "show $number --json" export "history --json" "undo --preview --json"; do
  # shellcheck disable=SC2086 # several words
  check "and eggctl $words shows none of it raw" safe eggctl $words
done
check_sh "nor does monitor" 'eggctl monitor --list | sed "/ready/q" >/tmp/monitor && safe cat /tmp/monitor'

echo "# nothing is run"
systemctl --user stop eggd.socket eggd.service
export XDG_STATE_HOME=/tmp/words XDG_RUNTIME_DIR=/tmp/words
mkdir -m 700 /tmp/words
strace -f -o /tmp/trace -e trace=process eggd 2>/tmp/stderr </dev/null &
until_true eggctl status >/dev/null 2>&1 || cat /tmp/stderr
number=$(alarm 300ms --title "$summary" --body "$body" --label "$label")
eventually "such an alarm rings" 'test "$(field "$number" .latest.outcome)" = rung'
kill -TERM "$(<"$XDG_STATE_HOME/eggd/lock")"
wait $! || true
executed() { sed -n 's/.*execve("\([^"]*\)".*/\1/p' /tmp/trace; }
eggd=$(type -P eggd)
player=${eggd%/bin/eggd}/libexec/eggd-sound
check_sh "eggd has executed itself and the player of sounds, and nothing else" \
  'test "$(executed | sort -u)" = "$(printf "%s\n" "$eggd" "$player" | sort)"'
# threads are made with CLONE_THREAD
check_sh "and made threads, but no other process" \
  'test "$(grep -E "fork\(|clone3?\(" /tmp/trace | grep -vc CLONE_THREAD)" = "$(executed | grep -cx "$player")"'
check_sh "no file was made by what was typed" 'test -z "$(find ~ /tmp -name ran 2>/dev/null)"'
finish
