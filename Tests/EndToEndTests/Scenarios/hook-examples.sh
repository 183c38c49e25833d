#!/bin/bash
# hook-examples.sh - the examples of docs/hooks.md, run by an eggd without a service manager: a sound server whose output is
# recorded stands for the loudspeaker, a local server for ntfy, a folder for the light.
# shellcheck disable=SC2016,SC2034,SC2317 # claims are shell text in single quotes
. "${BASH_SOURCE[0]%/*}/checks.sh"
. "${BASH_SOURCE[0]%/*}/private-eggd.sh"

document=$repository/docs/hooks.md
export HOME=$work/home
hooks=$HOME/.config/eggd/on-ring.d
mkdir -p "$hooks" "$work/led"
# example NAME: the script of that name in the document
example() { sed -n "/^# $1 - /,/^\`\`\`/p" "$document" | sed '1i #!/bin/sh
$d'; }
# hook NUMBER FILTER: of its last ring's commands
hook() { eggctl show "$1" --json | jq -r ".occurrences[-1].hooks[] | $2"; }
start_eggd

echo "# a sound file"
pulseaudio -n --daemonize=no --exit-idle-time=-1 --disable-shm=yes -L "module-native-protocol-unix auth-anonymous=1" \
  -L "module-null-sink sink_name=egg" -L module-always-sink >/dev/null 2>&1 &
until_true pactl info >/dev/null 2>&1
cp /usr/share/sounds/freedesktop/stereo/bell.oga "$HOME/song.oga"
sound=$(grep -om 1 'eggctl schedule 6m "two soft ones" --run "paplay song.oga"' "$document")
check_sh "the first command of the document" "${sound/ 6m / -q 200ms --sound none } >$work/number"
number=$(<"$work/number")
eventually "plays the file" 'test "$(hook $number .status)" = 0'

echo "# a push to a phone"
python3 - "$work" <<'PY' &
import http.server, pathlib, sys
class Topic(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        title = self.headers["Title"].encode("latin-1").decode()
        pathlib.Path(sys.argv[1], "pushed").write_text(f"{self.path}\n{title}\n{body}\n")
        self.send_response(200)
        self.end_headers()
    def log_message(self, *_): pass
server = http.server.HTTPServer(("127.0.0.1", 0), Topic)
pathlib.Path(sys.argv[1], "port").write_text(str(server.server_port))
server.handle_request()
PY
until_sh 'test -s "$work/port"'
example phone | sed "s|https://ntfy.sh|http://127.0.0.1:$(<"$work/port")|" >"$hooks/phone"
chmod +x "$hooks/phone"
number=$(alarm 200ms "계란 두 개" --sound none)
eventually "each ring is sent to the topic" 'test -s "$work/pushed"'
check_sh "with summary, body and label" \
  'test "$(<"$work/pushed")" = "$(printf "%s\n" /eggs-of-your-own "Wait!" "Your eggs are almost done! (계란 두 개)")"'
eventually "and show says that it was" 'test "$(hook $number .status)" = 0'
number=$(alarm 200ms --sound none)
eventually "without the server it fails" 'test "$(hook $number .status)" = 7'
rm "$hooks/phone"

echo "# a light"
example light | sed "s|^led=.*|led=$work/led|" >"$hooks/light"
chmod +x "$hooks/light"
number=$(alarm 200ms --sound none)
eventually "it is lit" 'has -x 1 <"$work/led/brightness"'
eventually "and goes out" 'test "$(hook $number .status)" = 0 && has -x 0 <"$work/led/brightness"'
finish
