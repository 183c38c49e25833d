#!/bin/bash
# network-disk.sh - the state directory lies on a network file system: sshfs, its other end an sftp-server.
# shellcheck disable=SC2016,SC2317 # claims are shell text in single quotes
. "${BASH_SOURCE[0]%/*}/checks.sh"
. "${BASH_SOURCE[0]%/*}/private-eggd.sh"
mkdir "$work/far" "$work/near"
printf '#!/bin/sh\nexec /usr/lib/openssh/sftp-server\n' >"$work/ssh"
chmod +x "$work/ssh"
sshfs -o ssh_command="$work/ssh" "far:$work/far" "$work/near"
trap 'fusermount -u "$work/near"; end_all' EXIT
export XDG_STATE_HOME=$work/near work

status=0
timeout 20 eggd 2>"$work/stderr" </dev/null || status=$?
check "eggd does not start: the configuration is at fault, and a restart cannot help" test "$status" = 78
check "it names the file system" grep -q 'lies on a network file system (fuse.sshfs)' "$work/stderr"
check "and says what to do" grep -q 'hint: set XDG_STATE_HOME to a folder on a local disk' "$work/stderr"
check_sh "it has left no database there" 'test -z "$(find "$work/far" -type f)"'
finish
