#!/bin/bash
# intruder.sh - what another user of the machine can do to eggd: nothing. As root in the box, where mallory is a user
# beside egg.
# shellcheck disable=SC2016,SC2034,SC2317 # claims are shell text in single quotes
. "${BASH_SOURCE[0]%/*}/checks.sh"

mallory_uid=$(id -u mallory)
precious=/srv/precious
echo "not eggd's" >"$precious"
chown egg: "$precious"

as() { runuser -u "$1" -- env -i PATH="$PATH" HOME="$home" "${@:2}"; }
mallory() { as mallory "$@"; }
# a new place to run in, reachable for all, with directories as they should be
place() {
  home=$(mktemp -d /srv/place.XXXXXX)
  chmod 755 "$home"
  for name in state run; do install -d -o egg -g egg -m 700 "$home/$name"; done
}
egg() { as egg XDG_STATE_HOME="$home/state" XDG_RUNTIME_DIR="$home/run" "$@"; }
# eggd serves
begins() {
  egg "$PWD/Tests/testbed/without-journald" eggd 2>"$home/stderr" </dev/null &
  eggd_pid=$!
  until_true answers_or_ends
  egg eggctl status >/dev/null || { cat "$home/stderr"; return 1; }
}
answers_or_ends() { egg eggctl status >/dev/null 2>&1 || ! kill -0 "$eggd_pid" 2>/dev/null; }
ends() {
  kill -TERM "$(pgrep -u egg -x eggd)"
  wait "$eggd_pid" || true
}
# eggd serves, and so long CMD succeeds
serves() {
  local status=0
  begins || return 1
  "$@" || status=$?
  ends
  return "$status"
}
# eggd ends with STATUS, and its error has TEXT
refuses() {
  local status=0
  timeout 30 runuser -u egg -- env -i PATH="$PATH" HOME="$home" XDG_STATE_HOME="$home/state" \
    XDG_RUNTIME_DIR="$home/run" eggd 2>"$home/stderr" </dev/null || status=$?
  echo "exit status $status"
  cat "$home/stderr"
  [[ $status == "$1" ]] && grep -q "^eggd: error: .*$2" "$home/stderr" && [[ $(<"$precious") == "not eggd's" ]]
}
# every file and directory of eggd's is its owner's alone
private() {
  find "$home"/{state,run}/eggd ! -type d ! -perm 600 -o -type d ! -perm 700 | tee "$home/open"
  [[ -S $home/run/eggd/eggd.sock && -e $home/state/eggd/schedule.db-wal && ! -s $home/open ]]
}

echo "# another user at a running eggd"
place
# by whatever path: everything above is open to all
chmod 711 "$home"/{state,run}
begins
check "cannot connect" eval '! mallory python3 -c "import socket, sys
socket.socket(socket.AF_UNIX).connect(sys.argv[1])" "$home/run/eggd/eggd.sock"'
for way in "touch state/eggd/new" "touch run/eggd/new" "cat state/eggd/schedule.db" "cat state/eggd/lock" \
  "flock -n state/eggd/lock true" "flock -n state/eggd true" "mv state/eggd state/gone" "rm -f run/eggd/eggd.sock" \
  "mv run/eggd run/gone" "ln -sfn /tmp state/eggd" "kill -KILL $(<"$home/state/eggd/lock")"; do
  check "cannot: $way" eval '! mallory env -C "$home" timeout 10 $way'
done
check "eggd is there" egg eggctl status
ends

echo "# whatever the umask"
for mask in 000 777 022; do
  place
  install -d -o egg -g egg -m 755 "$home/state/eggd"
  install -o egg -g egg -m 644 Tests/Fixtures/version11/plain.db "$home/state/eggd/schedule.db"
  # with an old database that was set aside, and a damaged one
  check "umask $mask: eggd serves, and all that is made is private" eval '(umask $mask; serves private)'
  check "umask $mask: the old database is set aside" eval 'ls "$home"/state/eggd/schedule.db.v11-*'
  second() { refuses 1 "another eggd (process "; }
  check "umask $mask: a second eggd is refused" eval '(umask $mask; serves second)'
  rm -rf "$home/state/eggd"
  check "umask $mask: in an empty home too" eval '(umask $mask; serves private)'
  dd if=/dev/urandom of="$home/state/eggd/schedule.db" bs=4096 count=1 conv=notrunc 2>/dev/null
  rm -f "$home"/state/eggd/schedule.db-*
  check "umask $mask: and with what is salvaged" eval '(umask $mask; serves private)'
  check "umask $mask: which was set aside" eval 'ls "$home"/state/eggd/schedule.db.corrupt-*'
done

echo "# another user was there first: the state directory"
place
ln -s "$home/state" "$home/link"
runuser -u egg -- ln -s "$home/elsewhere" "$home/state/eggd"
install -d -o egg -g egg -m 700 "$home/elsewhere"
check "one's own link is followed" serves true
place
mkdir -m 1777 "$home/shared"
install -d -o egg -g egg -m 700 "$home/elsewhere"
mallory ln -s "$home/elsewhere" "$home/shared/eggd"
rmdir "$home/state" && ln -s "$home/shared" "$home/state"
check "another's link is refused" refuses 78 "shared/eggd\|state/eggd"
place
install -d -o mallory -m 777 "$home/state/eggd"
check "another's directory is refused" refuses 78 "belongs to user $mallory_uid"
place
chmod 777 "$home/state"
check "one that anybody can replace is refused" refuses 78 "$home/state'*: anybody can replace"
chmod 1777 "$home/state"
check "in a sticky one nobody can" serves true
place
install -d -o egg -m 777 "$home/state/eggd"
check "an open one is closed" serves private
for planted in "cp Tests/Fixtures/version11/plain.db \$home/state/eggd/schedule.db" \
  "ln -s $precious \$home/state/eggd/schedule.db" "ln -s $precious \$home/state/eggd/lock" \
  "mkfifo \$home/state/eggd/lock" "mkdir \$home/state/eggd/lock" "touch \$home/state/eggd/schedule.db-wal" \
  "ln -s $precious \$home/state/eggd/unrecorded" "mkdir \$home/state/eggd/schedule.db.reading" \
  "mkfifo \$home/state/eggd/schedule.db.writing" "ln -s $precious \$home/state/eggd/schedule.db.copying"; do
  place
  chmod 711 "$home/state"
  install -d -o egg -m 777 "$home/state/eggd"
  eval "mallory ${planted/Tests/$PWD/Tests}"
  for again in "" ", also the second time"; do
    check "in an open one: ${planted//'$home/'/} is refused$again" \
      refuses 78 "$home/state/eggd/[a-z.-]*'*: it belongs to user $mallory_uid"
  done
done
place
mkdir -m 1777 "$home/shared"
install -d -o egg -m 700 "$home/state/eggd"
install -o egg -m 600 Tests/Fixtures/version11/plain.db "$home/shared/schedule.db"
runuser -u egg -- ln -s "$home/shared/schedule.db" "$home/state/eggd/schedule.db"
check "a database where others can make files is refused" refuses 78 "$home/shared'*: it can be written by anybody"
chmod 755 "$home/shared" && chown egg: "$home/shared"
check "elsewhere it is not" serves true
place
install -d -o egg -m 700 "$home/state/eggd"
runuser -u egg -- ln -s "$precious" "$home/state/eggd/lock"
check "one's own link in the lock's place is not followed" serves true
check_sh "what it leads to is as it was" 'test "$(<$precious)" = "not eggd'"'"'s"'

echo "# another user was there first: the socket"
place
chmod 1777 "$home/run"
mallory mkdir -m 777 "$home/run/eggd"
check "another's directory is refused" refuses 78 "belongs to user $mallory_uid"
place
chmod 1777 "$home/run"
mallory ln -s /tmp "$home/run/eggd"
check "a link is refused" refuses 78 "is not a directory"
place
chmod 777 "$home/run"
check "one that anybody can replace is refused" refuses 78 "anybody can replace"
# mallory listens on the path until its end
squat() {
  mallory timeout 60 python3 -c '
import os, socket, sys
s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); os.chmod(sys.argv[1], 0o777); s.listen()
while True:
    connection = s.accept()[0]
    print(connection.recv(1000), flush=True)' "$1" >"$home/heard" &
  squatter=$!
  until_true test -S "$1"
}
place
chmod 711 "$home/run"
install -d -o egg -m 777 "$home/run/eggd"
squat "$home/run/eggd/eggd.sock"
check "on a socket that another listens on eggd does not start" refuses 1 "another process serves"
check "eggctl does not talk to it" eval '! egg eggctl schedule 1h secret && ! grep secret "$home/heard"'
check_sh "and says why: exit 77" \
  'status=0; egg eggctl list 2>"$home/said" || status=$?; test $status = 77 && grep "^eggctl: error: this socket belongs to another user" "$home/said"'
kill "$squatter"
wait "$squatter" 2>/dev/null || true
check "nor on one that it has left" refuses 1 "another process serves"
place
chmod 711 "$home/run"
install -d -o egg -m 777 "$home/run/eggd"
mallory ln -s /tmp/elsewhere "$home/run/eggd/eggd.sock"
check "a link in the socket's place is not followed" refuses 1 "eggd.sock"
check_sh "to nowhere" 'test ! -e /tmp/elsewhere'
finish
