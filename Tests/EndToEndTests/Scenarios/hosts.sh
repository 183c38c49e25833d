#!/bin/bash
# hosts.sh - eggctl -H: two machines behind a real sshd on this one, each with an eggd of its own; machines that do not
# exist, lack eggctl or have an old one; a key that may do nothing else.
# shellcheck disable=SC2016,SC2029,SC2034,SC2317 # claims are shell text in single quotes
. "${BASH_SOURCE[0]%/*}/checks.sh"
unset DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR TMUX SSH_AUTH_SOCK
. "${BASH_SOURCE[0]%/*}/private-eggd.sh"
export PATH=$PATH:/usr/sbin

terminal() { tmux -S "$work/tmux" "$@"; }
keys() { terminal send-keys "$@"; }
text() { terminal send-keys -l "$1"; }
screen() { terminal capture-pane -p; }
shows() { screen | has -F -- "$1"; }
trap 'terminal kill-server 2>/dev/null || true; end_all' EXIT

# one sshd; what a port's sessions find in their environment makes it a machine
mkdir -p "$work"/{ssh,bin,bare,old,silent,other,kitchen/run,attic/run}
chmod 700 "$work"/{ssh,kitchen/run,attic/run}
for key in host user guest; do ssh-keygen -q -t ed25519 -N '' -f "$work/ssh/$key"; done
# as the help and the manual have it
line=$("$repository/.build/release/eggctl" help bridge | grep -o 'restrict,command="[^"]*"')
printf '%s\n' "$(<"$work/ssh/user.pub")" "$line $(<"$work/ssh/guest.pub")" >"$work/ssh/authorized_keys"
printf '#!/bin/sh\necho "eggctl: error: unknown command '\''$1'\''" >&2; exit 64\n' >"$work/old/eggctl"
printf '#!/bin/sh\nexec sleep 1000\n' >"$work/silent/eggctl"
printf '#!/bin/sh\necho "This is another program."\n' >"$work/other/eggctl"
chmod +x "$work"/{old,silent,other}/eggctl
read -r kitchen attic bare old silent other mute closed < <(python3 -c '
import socket
taken = [socket.create_server(("127.0.0.1", 0)) for _ in range(8)]
print(*(one.getsockname()[1] for one in taken))')
# machine NAME PATH: what its port stands for
machine() {
  printf 'Match LocalPort %s\n  SetEnv PATH=%s HOME=%s XDG_RUNTIME_DIR=%s XDG_STATE_HOME=%s LC_ALL=C.UTF-8\n' \
    "${!1}" "$2:/usr/bin:/bin" "$work/$1" "$work/$1/run" "$work/$1/state"
}
{
  printf 'Port %s\n' "$kitchen" "$attic" "$bare" "$old" "$silent" "$other"
  cat <<END
ListenAddress 127.0.0.1
HostKey $work/ssh/host
AuthorizedKeysFile $work/ssh/authorized_keys
PidFile none
StrictModes no
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin yes
END
  machine kitchen "$repository/.build/release"
  machine attic "$repository/.build/release"
  machine bare "$work/bare"
  machine old "$work/old"
  machine silent "$work/silent"
  machine other "$work/other"
} >"$work/ssh/sshd_config"
{
  for name in kitchen attic bare old silent other mute closed; do printf 'Host %s\n  Port %s\n' "$name" "${!name}"; done
  cat <<END
Host kitchen attic bare old silent other mute closed
  HostName 127.0.0.1
Host guest
  HostName 127.0.0.1
  Port $kitchen
  IdentityFile $work/ssh/guest
Host *
  User $(id -un)
  IdentityFile $work/ssh/user
  IdentitiesOnly yes
  UserKnownHostsFile $work/ssh/known_hosts
  StrictHostKeyChecking accept-new
  CheckHostIP no
END
} >"$work/ssh/config"
printf '#!/bin/sh\nexec /usr/bin/ssh -F %q "$@"\n' "$work/ssh/config" >"$work/bin/ssh"
chmod +x "$work/bin/ssh"
export PATH=$work/bin:$PATH
# as root sshd needs this directory, which its unit makes elsewhere
((EUID)) || mkdir -p /run/sshd
/usr/sbin/sshd -D -e -f "$work/ssh/sshd_config" 2>"$work/ssh/log" &
until_sh "ssh kitchen true 2>>$work/ssh/log" || { cat "$work/ssh/log"; exit 1; }

# eggd_on NAME: an eggd there, once the one before has ended; a schedule has one eggd
declare -A eggd
eggd_on() {
  if [[ -n ${eggd[$1]-} ]]; then wait "${eggd[$1]}" || true; fi
  XDG_RUNTIME_DIR=$work/$1/run XDG_STATE_HOME=$work/$1/state \
    "$repository/Tests/testbed/without-journald" eggd 2>>"$work/stderr" </dev/null &
  eggd[$1]=$!
  until_true on "$1" list -q >/dev/null 2>&1
}
on() { XDG_RUNTIME_DIR=$work/$1/run XDG_STATE_HOME=$work/$1/state eggctl "${@:2}"; }
# fails STATUS TEXT HINT CMD...: exit status, then what stands in the last error and the hint
fails() {
  local status=0
  timeout 30 "${@:4}" >"$work/out" 2>"$work/err" </dev/null || status=$?
  cat "$work/out" "$work/err"
  [[ $status == "$1" ]]
  grep '^eggctl: error: ' "$work/err" | tail -n 1 | has -xF "eggctl: error: $2"
  tail -n 1 "$work/err" | has -xF "eggctl: hint: $3"
}

echo "# one machine"
eggd_on kitchen
eggd_on attic
check_sh "schedule, -H before the verb" 'eggctl -H kitchen schedule -q 1h "soft eggs" | has -x 1'
check_sh "list, -H behind it" 'eggctl list -H kitchen | has "soft eggs"'
check_sh "eggctl alone lists" 'eggctl --host=kitchen | has "soft eggs"'
check_sh "the alarm is there" 'on kitchen list | has "soft eggs"'
check_sh "the journal there says from where it came" \
  'has -E "\"soft eggs\" scheduled .*, by eggctl from 127[.]0[.]0[.]1 \([0-9]+\)" "$work/stderr"'
check_sh "and only there" '[[ -z $(on attic list -q) ]]'
check_sh "user, address and port" 'eggctl -H "$(id -un)@127.0.0.1:$kitchen" list -q | has -x 1'
check_sh "this machine needs no eggd" '[[ ! -e $XDG_RUNTIME_DIR/eggd ]]'
check_sh "what logging out would end is told" '
  eggctl -H kitchen schedule 2h second 2>&1 >/dev/null | has -x "eggctl: hint: eggd on kitchen ends when you are logged out there; to keep it running: ssh kitchen loginctl enable-linger" ||
  eggctl -H kitchen status | has -E "^lingering +(on|unknown)"'
check_sh "the list of many pages arrives whole" '
  eggctl -H kitchen export | jq -c "range(5000) as \$n | .alarm |= (del(.id, .position) | .number = 100 + \$n | .label = \"egg \(\$n)\")" >"$work/many"
  eggctl -H attic import "$work/many" | has "imported" && [[ $(eggctl -H attic list -q | wc -l) == $(wc -l <"$work/many") ]]'
check_sh "a group's alarms are deleted at once" 'eggctl -H attic delete --all -y | has deleted && [[ -z $(on attic list -q) ]]'
check_sh "delete" 'eggctl -H kitchen delete 1 && ! on kitchen list -q | has -x 1'
check_sh "undo" 'eggctl -H kitchen undo -y && on kitchen list -q | has -x 1'
check_sh "wait: a ring there ends it" 'number=$(eggctl -H kitchen schedule -q 300ms) && eggctl -H kitchen wait "$number" | has -x "rang: #$number"'
check_sh "status is of that machine" 'eggctl -H kitchen status | has "process ${eggd[kitchen]}"'
check_sh "doctor runs there" '{ eggctl -H kitchen doctor || true; } | has "process ${eggd[kitchen]}"'
check_sh "nothing is left running" 'until_sh "! pgrep -P $$ -x ssh"'

echo "# what is refused or fails"
check "a refusal names the machine in its hint" fails 1 "there is no alarm 99" "eggctl -H kitchen list" eggctl -H kitchen show 99
check "a name that looks like an option" fails 64 "'-oProxyCommand=touch ran' is not the name of a machine" \
  "enter it as ssh takes it: kitchen, user@kitchen or user@kitchen:2222" eggctl -H '-oProxyCommand=touch ran' list
check "list of two machines" fails 64 "list asks one machine; only watch shows several" \
  "eggctl watch -H kitchen -H attic" eggctl -H kitchen -H attic list
check "what does not ask eggd" fails 64 "resolve does not ask eggd, so it takes no -H" "eggctl help resolve" eggctl -H kitchen resolve 07:30
check "a machine that does not exist" fails 69 "ssh cannot connect to nosuch.invalid" "ssh nosuch.invalid true" \
  eggctl -H nosuch.invalid list
check_sh "ssh says why" 'has -i "could not resolve" "$work/err"'
check "a port that nobody listens on" fails 69 "ssh cannot connect to closed" "ssh closed true" eggctl -H closed list
check "a machine whose eggctl says nothing is given up after ten seconds" fails 75 "silent said nothing for 10 s" \
  "ssh silent eggctl status" eggctl -H silent list
python3 -c 'import socket, sys, time
port = socket.create_server(("127.0.0.1", int(sys.argv[1])))
time.sleep(1000)' "$mute" &
until_sh "ss -Hltn sport = :$mute | has ."
for verb in list log; do
  check "$verb: so is one that takes the connection and says nothing" fails 69 "ssh cannot connect to mute" \
    "ssh mute true" eggctl -H mute "$verb"
done
cat >>"$work/ssh/config" <<END
  ControlMaster auto
  ControlPath $work/ssh/shared
  ControlPersist 60
END
ssh silent true
check "also where another ssh has logged in already" fails 75 "silent said nothing for 10 s" \
  "ssh silent eggctl status" eggctl -H silent list
check_sh "ssh shares the connection" 'ssh -O exit silent'
sed -i "/^  Control/d" "$work/ssh/config"
check "one without eggctl" fails 69 "eggctl is not installed on bare, or not in the PATH of ssh there" \
  "ssh bare 'echo \$PATH'" eggctl -H bare list
check "one with an eggctl without bridge" fails 69 "eggctl on old is older than this one: it has no bridge" \
  "ssh old eggctl --version" eggctl -H old list
mkdir -p "$work/old/.local/bin" && rm "$work/old/eggctl" && ln -s "$repository/.build/release/eggctl" "$work/old/.local/bin/"
check "one where eggd does not run" fails 69 "eggd cannot be reached on old" "ssh old eggctl doctor" eggctl -H old list
check_sh "its eggctl says why, and was found in ~/.local/bin" 'has "eggd is not running" "$work/err"'
otherwise="did not answer as eggd does: its shell may print something at login"
nothing="must print nothing: see ~/.bashrc and ~/.ssh/authorized_keys there"
for verb in list doctor; do
  check "$verb: one where another program answers" fails 69 "other $otherwise" "ssh other true $nothing" eggctl -H other "$verb"
done
echo 'echo "Welcome to the kitchen!"' >"$work/kitchen/.bashrc"
for verb in list doctor; do
  check "$verb: one whose shell prints something" fails 69 "kitchen $otherwise" "ssh kitchen true $nothing" eggctl -H kitchen "$verb"
done
check_sh "the hint's command prints that" 'ssh kitchen true | has -x "Welcome to the kitchen!"'
sed -i '1i [[ $- == *i* ]] || return' "$work/kitchen/.bashrc"
check_sh "with nothing printed all is well" '{ eggctl -H kitchen doctor || true; } | has "process ${eggd[kitchen]}"'
rm "$work/kitchen/.bashrc"
check_sh "doctor runs there also where eggd does not" '{ eggctl -H old doctor || true; } | has "^wrong *eggd  *eggd is not running"'
check_sh "without ssh the package is named" '
  status=0; PATH=$repository/.build/release eggctl -H kitchen list 2>"$work/err" || status=$?
  cat "$work/err"; [[ $status == 69 ]] && has "apt install openssh-client" "$work/err"'

echo "# bridge"
check_sh "copies bytes both ways and ends with its input" '
  { printf "{\"method\":\"org.varlink.service.GetInfo\"}\0"; until_sh "test -s $work/answer" >/dev/null; } |
    on kitchen bridge >"$work/answer" && has io.eggd.Schedule "$work/answer"'
check_sh "ends with eggd" '
  mkfifo "$work/in"; exec 9<>"$work/in"
  on attic bridge <"$work/in" >"$work/attic.answer" & bridge=$!
  printf "{\"method\":\"org.varlink.service.GetInfo\"}\0" >&9; until_sh "test -s $work/attic.answer"
  kill "${eggd[attic]}"; wait "$bridge"'
eggd_on attic

echo "# a key that may do nothing else"
check_sh "the manual has the line of the help" 'tr -d \\\\ <"$repository/share/man/man1/eggctl.1" | has -F "${line//\"/(dq}"'
number=$(eggctl -H kitchen schedule -q 1d --run "/usr/bin/touch $work/ran" 2>/dev/null)
check_sh "lists, adds and changes" 'eggctl -H guest list -q | has -x "$number" && eggctl -H guest schedule -q 1d guest >"$work/guest" 2>/dev/null &&
  eggctl -H guest edit "$(<"$work/guest")" --label changed && eggctl -H guest undo -y'
refused="nothing may set, repeat or bring back a command over this connection"
hint="the ssh key allows none; do it on that machine itself"
check "sets no command on a new alarm" fails 77 "$refused" "$hint" eggctl -H guest schedule 100ms --run "/usr/bin/touch $work/ran"
check "nor on an old one" fails 77 "$refused" "$hint" eggctl -H guest edit "$(<"$work/guest")" 100ms --run "/usr/bin/touch $work/ran"
check "repeats none" fails 77 "$refused" "$hint" eggctl -H guest again "$number"
eggctl -H guest delete "$number" >/dev/null
check "brings none back" fails 77 "$refused" "$hint" eggctl -H guest undo -y
on kitchen undo -y >/dev/null
on kitchen edit "$(<"$work/guest")" --run "/usr/bin/touch $work/ran" >/dev/null && on kitchen undo -y >/dev/null
check "not by redo either" fails 77 "$refused" "$hint" eggctl -H guest redo -y
check_sh "what this key does not run is told" '
  ! eggctl -H guest doctor 2>"$work/said" && has -x "eggctl: error: the ssh key allows eggctl bridge alone" "$work/said"'
check "by log too" fails 77 "the ssh key of guest does not allow journalctl" "run it on that machine itself" eggctl -H guest log
check_sh "without one, again works" 'eggctl -H guest again "$(<"$work/guest")"'
# peer WORDS...: all that this key's ssh can ask for, and a call that does not wait for an answer to another
peer() {
  rm -f "$work/answer"
  { printf '{"method":"io.eggd.Schedule.Schedule","parameters":{"expression":"100ms","run":"/usr/bin/touch %s/ran"}}\0' "$work"
    until_sh 'test -s "$work/answer"' >/dev/null; } | ssh guest "$@" >"$work/answer"
  has -F '{"error":"io.eggd.Schedule.CommandForbidden"}' "$work/answer"
}
check "a program of the peer's own is refused, too" peer eggctl bridge
check "whatever it asks sshd to run" peer eggctl bridge --run
check "in a shell" peer -T
check "or for more" peer "SSH_ORIGINAL_COMMAND= exec sh -c 'eggctl bridge --run'"
check_sh "nothing has run" '[[ ! -e $work/ran ]]'
check_sh "a bridge that was told so does the same" '
  { printf "{\"method\":\"io.eggd.Schedule.Schedule\",\"parameters\":{\"expression\":\"1h\",\"run\":\"/usr/bin/true\"}}\0"
    until_sh "test -s $work/told" >/dev/null; } | on kitchen bridge --no-run >"$work/told" && has CommandForbidden "$work/told"'
check_sh "another key may" 'eggctl -H kitchen schedule -q 100ms --run "/usr/bin/touch $work/ran" && until_sh "test -e $work/ran"'

echo "# watch"
eggctl -H attic schedule -q 3h "attic window" >/dev/null 2>&1
terminal -f /dev/null new-session -d -x 100 -y 24 'PS1="ready> " bash --norc --noprofile'
until_sh 'shows "ready>"'
keys 'clear; eggctl watch -H kitchen -H attic; echo "ended with $?"' Enter
eventually "both machines are on the screen" 'shows "attic window" && shows "soft eggs"'
check_sh "each alarm with its machine" 'screen | has "^. kitchen  *1 .*soft eggs" && screen | has "^. attic  *[0-9]* .*attic window"'
check_sh "in a column" 'screen | has "^  HOST  *#   DUE"'
keys G d
eventually "a question names the machine" 'shows "delete attic #" && shows "attic window? y/n"'
keys y
eventually "keys act on the machine of the row" '! on attic list | has "attic window" && on kitchen list | has "soft eggs"'
keys u
eventually "also undo" 'shows "undo attic: deleted"'
keys y
eventually "which brings it back" 'shows "attic window" && on attic list | has "attic window"'
keys G a; text "4h attic ladder"
eventually "what is added goes there too" 'shows "add on attic: 4h attic ladder"'
keys Enter
eventually "to that machine" 'on attic list | has "attic ladder" && shows "attic ladder"'
on kitchen schedule -q 5h "by another" >/dev/null
eventually "changes of the other are followed" 'shows "by another"'
kill "${eggd[attic]}"
eventually "one that drops is told" 'screen | head -n 1 | has "^attic cannot be reached · trying again · .* eggs in .* alarms"'
on kitchen schedule -q 6h "meanwhile" >/dev/null
eventually "the other goes on" 'shows meanwhile'
eggd_on attic
eventually "and the one comes back" 'shows "attic is back" && shows "attic ladder" && ! screen | head -n 1 | has "cannot be reached"'
keys q
eventually "q ends it well" 'shows "ended with 0"'
keys 'clear; eggctl watch -H .host -H kitchen; echo "ended with $?"' Enter
eventually "this machine is one like others, and its eggd does not run" 'shows "eggd is not running" && shows "ended with 69"'
check "without a terminal it shows one" fails 64 "without a terminal, watch prints the changes of one machine" \
  "eggctl watch -H kitchen" eggctl watch -H kitchen -H attic
finish
