#!/bin/bash
# sync-setup.sh - eggctl sync --setup and --remove: a real vdirsyncer and Radicale; systemctl and secret-tool are stand-ins
# that note what they are asked.
# shellcheck disable=SC2016,SC2034,SC2317 # claims are shell text in single quotes
. "${BASH_SOURCE[0]%/*}/checks.sh"
unset DBUS_SESSION_BUS_ADDRESS
. "${BASH_SOURCE[0]%/*}/private-eggd.sh"
export HOME=$work/home XDG_CONFIG_HOME=$work/config XDG_DATA_HOME=$work/data
mkdir -p "$HOME" "$work/bin" "$work/radicale"
"$repository/Tests/testbed/without-journald" eggd 2>>"$work/stderr" </dev/null &
until_true answers || { echo "FAIL eggd does not answer"; cat "$work/stderr"; exit 1; }

cat >"$work/bin/systemctl" <<'END'
#!/bin/bash
echo "$*" >>"$UNITS"
[[ " $* " != *" is-failed "* || -e $UNITS.failed ]]
END
cat >"$work/bin/secret-tool" <<'END'
#!/bin/bash
[[ "$*" == "lookup service 127.0.0.1:"*" username cal" && -e $UNITS.secret ]] && cat "$UNITS.secret"
END
printf '#!/bin/bash\necho "error: alarms/alarms: the server said no"\n' >"$work/bin/journalctl"
chmod +x "$work"/bin/*
export PATH=$work/bin:$PATH UNITS=$work/units

port=$(python3 -c 'import socket; one = socket.create_server(("127.0.0.1", 0)); print(one.getsockname()[1])')
echo "cal:x" >"$work/radicale/users"
cat >"$work/radicale/config" <<END
[server]
hosts = 127.0.0.1:$port
[auth]
type = htpasswd
htpasswd_filename = $work/radicale/users
htpasswd_encryption = plain
[rights]
type = owner_only
[storage]
filesystem_folder = $work/radicale/data
END
radicale --config "$work/radicale/config" >"$work/radicale/log" 2>&1 &
url=http://127.0.0.1:$port/
until_sh "curl -sf -o /dev/null ${url}.web/" || { cat "$work/radicale/log"; exit 1; }

folder=$XDG_DATA_HOME/eggd/calendars/alarms
name=$(systemd-escape --path "$folder")
configuration=$XDG_CONFIG_HOME/eggd/vdirsyncer/$name
year=$(($(date +%Y) + 1))
eggctl schedule -q "$year-05-01 07:30" "may day" >/dev/null
check_sh "without the password nothing is set up, and the hint stores it" '
  { eggctl sync --setup "$url" cal 2>"$work/err" && exit 1; has "eggctl: hint: secret-tool store" "$work/err"; } && [[ ! -e $configuration ]]'
check_sh "nor with a wrong one" '
  { eggctl sync --setup "$url" cal --password-command "echo y" 2>"$work/err" && exit 1; has "vdirsyncer does not find the calendar" "$work/err" && ! has vdebug "$work/err"; } && [[ ! -e $configuration && ! -s $UNITS ]]'
echo x >"$UNITS.secret"
check_sh "one command makes the calendar, configures vdirsyncer and starts the units" '
  eggctl sync --setup "$url" cal | has "on a phone, add a CalDAV account" &&
  [[ $(grep restart "$UNITS") == "--user restart eggd-sync.service eggd-vdirsyncer@$name.timer eggd-vdirsyncer@$name.path" ]]'
check_sh "a conflict goes to eggctl" 'has "conflict_resolution = .\"command\", \"/.*/eggctl\", \"sync\", \"--merge\"" "$configuration"'
check_sh "no password is kept" '! grep -rw x "$configuration" && has secret-tool "$configuration"'
check_sh "vdirsyncer carries the alarms" '
  vdirsyncer -c "$configuration" sync && grep -rl "SUMMARY:may day" "$work/radicale/data" && [[ -e $folder/eggd-placeholder.ics ]]'
check_sh "again it changes: a command has the password" '
  : >"$UNITS" && eggctl sync --setup "$url" cal --password-command "echo x" && has "\"shell\", \"echo x\"" "$configuration" &&
  has restart "$UNITS" && vdirsyncer -c "$configuration" sync'
check_sh "another folder has a group, its own calendar and its own units" '
  eggctl sync --setup "$url" cal "$work/my-work" --group work >/dev/null && other=$(systemd-escape --path "$work/my-work") &&
  has -F "eggd-sync@$other.service eggd-vdirsyncer@$other.timer" "$UNITS" && vdirsyncer -c "$XDG_CONFIG_HOME/eggd/vdirsyncer/$other" sync &&
  ! grep -rl "SUMMARY:may day" "$work/my-work"'
check_sh "doctor names a failed vdirsyncer with its last words" '
  touch "$UNITS.failed" && { eggctl doctor >"$work/doctor" 2>&1; has "the server said no" "$work/doctor"; } && rm "$UNITS.failed"'
check_sh "--remove ends the units and takes the configuration away; alarms and files stay" '
  : >"$UNITS" && eggctl sync --remove | has forgotten && has -F -- "--user disable --now eggd-sync.service" "$UNITS" &&
  [[ ! -e $configuration ]] && grep -l "SUMMARY:may day" "$folder"/*.ics && eggctl list -q | has 1 &&
  [[ $(ls "$XDG_STATE_HOME/eggctl/vdirsyncer" | wc -l) == 1 ]]'
finish
