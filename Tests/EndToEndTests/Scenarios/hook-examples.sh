#!/bin/bash
# hook-examples.sh - the examples of docs/hooks.md, run by an eggd without a service manager, for alarms with hostile titles,
# labels and bodies: a sound server whose output is recorded stands for the loudspeaker, a local server for ntfy, a folder
# for the light, a program that notes its words for any other.
# shellcheck disable=SC2016,SC2034,SC2317 # claims are shell text in single quotes
. "${BASH_SOURCE[0]%/*}/checks.sh"
. "${BASH_SOURCE[0]%/*}/private-eggd.sh"

document=$repository/docs/hooks.md
export HOME=$work/home
hooks=$HOME/.config/eggd/on-ring.d
mkdir -p "$hooks" "$work"/{led,bin,pushed}
# example NAME: the script of that name in the document
example() { sed -n "/^# $1 - /,/^\`\`\`/p" "$document" | sed '1i #!/bin/sh
$d'; }
# hook NUMBER FILTER: of its last ring's commands
hook() { eggctl show "$1" --json | jq -r ".occurrences[-1].hooks[]? | $2"; }
# ended NUMBER STATUS: each of its commands has ended so
ended() { test "$(hook "$1" .status)" = "$2"; }
printf '#!/bin/sh\nprintf "%%s\\\\n" "$@" >%q\n' "$work/said" >"$work/bin/notify-phone"
chmod +x "$work/bin/notify-phone"
PATH=$work/bin:$PATH
echo secret >"$HOME/secret"
start_eggd

# what may stand on an alarm, each to be a title, a label and a body
texts=("@secret" -x "--config=secret" '-' "'\";touch pwned;'\"" '$(touch pwned)' '`touch pwned`' '; touch pwned'
  "'"$'\u0301'";touch pwned;'" $'$\u0301(touch pwned)' '%s%n\c' '*' '<b>&amp;' '달걀 두 개')
# hostile TEXT: an alarm that rings soon, with the text wherever it may be
hostile() { alarm 100ms --sound none "--label=$1" "--title=$1" "--body=$1"; }

echo "# each example is tried below"
check_sh "the scripts" 'diff <(sed -n "/^\`\`\`sh/,/^\`\`\`/s/^# \([a-z]*\) - .*/\1/p" "$document") <(printf "%s\n" phone kitchen light)'
check_sh "there is no script without a name" 'test "$(grep -c "^\`\`\`sh" "$document")" = 3'
grep -o -e '--run "[^"]*"' "$document" >"$work/commands"
check_sh "the commands" 'diff "$work/commands" - <<"END"
--run "paplay song.oga"
--run "notify-phone '"'eggs are done'"'"
--run ""
--run "sh -c '"'printenv EGG_LABEL >>eggs.txt'"'"
--run "paplay song.oga"
--run "eggctl schedule 5m break --key break"
--run "eggctl schedule 10m simmer --key simmer --run '"'eggctl schedule 5m rest --key rest'"'"
END'

echo "# a sound file"
pulseaudio -n --daemonize=no --exit-idle-time=-1 --disable-shm=yes -L "module-native-protocol-unix auth-anonymous=1" \
  -L "module-null-sink sink_name=egg" -L module-always-sink >/dev/null 2>&1 &
until_true pactl info >/dev/null 2>&1
cp /usr/share/sounds/freedesktop/stereo/bell.oga "$HOME/song.oga"
sound=$(grep -om 1 'eggctl schedule 6m "two soft ones" --run "paplay song.oga"' "$document")
check_sh "the first command of the document" "${sound/ 6m / -q 200ms --sound none } >$work/number"
number=$(<"$work/number")
eventually "plays the file" 'ended $number 0'

echo "# commands"
number=$(alarm 1h)
change=$(grep -m 1 'eggctl edit 12 --run "notify' "$document")
check_sh "the second command of the document" "${change/ 12 / $number }"
eggctl edit "$number" 100ms >/dev/null
eventually "passes its words on" 'test "$(<"$work/said")" = "eggs are done"'
shell=()
eval "shell=(eggctl schedule -q 100ms --sound none $(sed -n 4p "$work/commands"))"
for text in "${texts[@]}"; do
  rm -f "$HOME/eggs.txt"
  number=$("${shell[@]}" "--label=$text")
  until_sh 'ended $number 0' || true
  check "the command with a shell writes the label $text" test "$(<"$HOME/eggs.txt")" = "$text"
done

echo "# a push to a phone"
python3 - "$work" <<'PY' &
import http.server, pathlib, sys
class Topic(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        title = self.headers["Title"].encode("latin-1")
        known = {"host", "user-agent", "accept", "title", "content-length", "content-type"}
        others = sorted(set(name.lower() for name in self.headers) - known)
        pushed = pathlib.Path(sys.argv[1], "pushed")
        pushed.joinpath("next").write_bytes(b"%s\n%s\n%s\n%s\n" % (self.path.encode(), title, body, str(others).encode()))
        pushed.joinpath("next").rename(pushed.joinpath("last"))
        self.send_response(200)
        self.end_headers()
    def log_message(self, *_): pass
server = http.server.HTTPServer(("127.0.0.1", 0), Topic)
pathlib.Path(sys.argv[1], "port").write_text(str(server.server_port))
server.serve_forever()
PY
server=$!
until_sh 'test -s "$work/port"'
example phone | sed "s|https://ntfy.sh|http://127.0.0.1:$(<"$work/port")|" >"$hooks/phone"
chmod +x "$hooks/phone"
# pushes TITLE BODY NUMBER: the ring of that alarm sent just that, and nothing else
pushes() {
  until_true test -s "$work/pushed/last"
  mv "$work/pushed/last" "$work/pushed/own"
  printf '%s\n' /eggs-of-your-own "$1" "$2" '[]' | diff "$work/pushed/own" -
  until_true ended "$3" 0
}
number=$(alarm 200ms "계란 두 개" --sound none)
check "each ring is sent to the topic, with summary, body and label" \
  pushes "Wait!" "Your eggs are almost done! (계란 두 개)" "$number"
number=$(alarm 100ms --sound none)
check "without a label, too" pushes "Wait!" "Your eggs are almost done!" "$number"
for text in "${texts[@]}"; do
  number=$(hostile "$text")
  check "as they are: $text" pushes "$text" "$text ($text)" "$number"
  number=$(alarm 100ms --sound none "--body=$text")
  check "the body alone: $text" pushes "Wait!" "$text" "$number"
done
number=$(alarm 100ms --sound none --label '' --title '' --body '')
check "empty ones are the usual ones" pushes "Wait!" "Your eggs are almost done!" "$number"
number=$(alarm 100ms --sound none --body $'@x\n-y\nTitle: z')
check "a body of several lines" pushes "Wait!" $'@x\n-y\nTitle: z' "$number"
due=$(date -u -d '+2 seconds' +%Y%m%dT%H%M%SZ)
printf '%s\r\n' BEGIN:VCALENDAR VERSION:2.0 PRODID:x BEGIN:VEVENT UID:x "DTSTAMP:$due" "DTSTART:$due" SUMMARY:-x \
  "DESCRIPTION:@secret" END:VEVENT END:VCALENDAR >"$work/hostile.ics"
eggctl import "$work/hostile.ics" >/dev/null 2>&1
number=$(eggctl list --sort created -q | tail -n 1)
check "an imported entry's, which names a file" \
  pushes "$(field "$number" '.summary // "Wait!"')" "@secret (-x)" "$number"
kill "$server"
number=$(alarm 200ms --sound none)
eventually "without the server it fails" 'ended $number 7'
rm "$hooks/phone"

echo "# when nobody answers"
calm=$HOME/.config/eggd/on-unanswered.d
mkdir -p "$calm" "$work"/kitchen/{run,state}
chmod 700 "$work/kitchen/run"
kitchen=(env XDG_RUNTIME_DIR="$work/kitchen/run" XDG_STATE_HOME="$work/kitchen/state")
# on_kitchen CMD...: on another machine, to which ssh leads
on_kitchen() { "${kitchen[@]}" "$@"; }
cat >"$work/bin/ssh" <<END
#!/bin/sh
for command; do :; done
exec env XDG_RUNTIME_DIR="$work/kitchen/run" XDG_STATE_HOME="$work/kitchen/state" sh -c "\$command"
END
chmod +x "$work/bin/ssh"
"${kitchen[@]}" "$repository/Tests/testbed/without-journald" eggd 2>>"$work/stderr" </dev/null &
until_true on_kitchen eggctl status >/dev/null 2>&1
example kitchen >"$calm/kitchen"
printf '#!/bin/sh\necho "$EGG_LABEL" >>%q\n' "$work/told" >"$calm/note"
chmod +x "$calm"/*
# told LABEL: how often the folder's program ran for it
told() { grep -cx "$1" "$work/told" 2>/dev/null || true; }
morning=$(grep -m 1 '^    eggctl schedule 7:30 "get up"' "$document" | sed 's/ 7:30 / 200ms --sound none /; s/ 5m$/ 1s/')
check_sh "the document's first command" "$morning"
alarm 200ms "answered at once" --sound none --unanswered-after 1s >"$work/number"
until_sh 'test "$(field "$(<"$work/number")" .state)" = ringing' && eggctl dismiss "$(<"$work/number")" >/dev/null
eventually "the programs of the folder run" 'test "$(told "get up")" = 1'
eventually "and what nobody answers here rings on the other machine" \
  'on_kitchen eggctl list --json | jq -e ".alarms[] | select(.label == \"get up\" and .state == \"ringing\")"'
eventually "the journal says that nobody has answered" 'has "Nobody has answered #[0-9]* \"get up\" for 1 s" "$work/stderr"'
command=$(grep -m 1 'run-unanswered "notify-phone' "$document" | sed 's/ 6m / -q 200ms --sound none --unanswered-after 1s /')
rm -f "$work/said"
check_sh "the document's second command" "$command >\$work/number"
eventually "runs its program" 'test "$(<"$work/said")" = "the eggs!"'
check_sh "show says how each ended" 'until_sh "eggctl show \"\$(<\"\$work/number\")\" | has \"ran .*notify-phone.*: succeeded\""'
number=$(alarm 200ms "over a kill" --sound none --unanswered-after 3s)
until_sh 'test "$(field "$number" .state)" = ringing'
check_here "a kill in between" ends KILL 137
start_eggd
eventually "changes nothing" 'test "$(told "over a kill")" = 1'
number=$(alarm 200ms "while it is down" --sound none --unanswered-after 1s)
until_sh 'test "$(field "$number" .state)" = ringing'
ends KILL 137 >/dev/null
sleep 1.2
start_eggd
eventually "it is made up for when eggd was down" 'test "$(told "while it is down")" = 1'
check_sh "what was answered started nothing" 'test "$(told "answered at once")" = 0'
rm -r "$calm"

echo "# one alarm after the other"
# first LABEL: the document's command that makes the alarm of that label
first() { sed -n "s/^    \(eggctl schedule [0-9]*m $1 .*\)/\1/p" "$document"; }
# steps LABEL: the states of the alarms of that label
steps() { eggctl list --json | jq -r ".alarms[] | select(.label == \"$1\") | .state"; }
work_command=$(first work | sed 's/ 25m / 200ms /; s/ 5m / 200ms /')
check_sh "the work" "$work_command"
eventually "ends with a break" 'test "$(steps work) $(steps break)" = "ringing ringing"'
recipe=$(first boil | sed 's/ 8m / 200ms /; s/ 10m / 3s /; s/ 5m / 200ms /')
check_sh "the recipe" "$recipe"
eventually "has its second step" 'test "$(steps boil) $(steps simmer)" = "ringing scheduled"'
check_here "a kill in between" ends KILL 137
start_eggd
eventually "loses no step" 'test "$(steps simmer) $(steps rest)" = "ringing ringing"'
inner=
eval "inner=\"${recipe#*\"}"
check_sh "a command that runs twice makes no second alarm" "$inner && test \"\$(steps simmer)\" = ringing"

echo "# a light"
example light | sed "s|^led=.*|led=$work/led|" >"$hooks/light"
chmod +x "$hooks/light"
number=$(hostile "${texts[5]}")
eventually "it is lit" 'has -x 1 <"$work/led/brightness"'
eventually "and goes out" 'ended $number 0 && has -x 0 <"$work/led/brightness"'
check_sh "nothing that stood on an alarm was run" 'test -z "$(find "$HOME" "$work" "$PWD" -maxdepth 2 -name pwned)"'
finish
