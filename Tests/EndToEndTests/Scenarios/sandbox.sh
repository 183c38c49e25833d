#!/bin/bash
# sandbox.sh - each directive of the unit's sandbox, by a probe that tries what it forbids: allowed without
# the sandbox, refused by the directive alone, refused by the unit. In the box, with a home outside /home.
# shellcheck disable=SC2016,SC2034,SC2317 # claims are shell text in single quotes
. "${BASH_SOURCE[0]%/*}/checks.sh"

unit=/usr/local/lib/systemd/user/eggd.service
mapfile -t sandbox < <(sed -n '/^# The sandbox/,/^\[Install\]/{/^[A-Z][A-Za-z]*=/p}' "$unit")
probed=()
state=.local/state/eggd
mkdir -p ~/$state ~/.ssh
touch ~/.ssh/probe

run() { systemd-run --user -q --wait --pipe --collect "$@" </dev/null; }
# systemd-run knows no specifiers
sandbox=("${sandbox[@]//%h/$HOME}")
sandbox=("${sandbox[@]//%t/$XDG_RUNTIME_DIR}")
# the programs that the probes are made of
probes=(-p 'ExecPaths=/usr/bin /usr/local/bin')
full=(); for line in "${sandbox[@]}"; do full+=(-p "$line"); done
full+=("${probes[@]}")
# forbids DIRECTIVE WHAT PROBE [WITH]...: needs the directives WITH to be in force
forbids() {
  local directive=$1 what=$2 probe=$3; shift 3
  local line alone=() with
  probed+=("$directive")
  for with in "$@" "$directive"; do
    for line in "${sandbox[@]}"; do [[ $line != "$with="* ]] || alone+=(-p "$line"); done
  done
  [[ $directive != NoExecPaths ]] || alone+=("${probes[@]}")
  echo "# $directive forbids $what"
  # the probe is not the last command: the shell stays, and turns a signal into a status
  probe="echo probing; $probe; exit \$?"
  check "allowed without the sandbox" run bash -c "$probe"
  check "refused by $directive alone" refused "${alone[@]}" bash -c "$probe"
  check "refused by the unit" refused "${full[@]}" bash -c "$probe"
}
# the probe ran, and failed; a unit that could not be set up proves nothing
refused() {
  local rc=0 said
  said=$(run "$@" 2>/dev/null) || rc=$?
  echo "exit status $rc: $said"
  [[ $said == probing* && $rc != 0 ]]
}

forbids PrivateUsers "to see whose a file of another user is" 'test "$(stat -c %u /etc/passwd)" = 0'
forbids ProtectSystem "to write outside of the home" 'echo >/var/tmp/probe' PrivateUsers
forbids ProtectSystem "to write a file of the shell" 'echo >~/.probe-rc' PrivateUsers
forbids ProtectHome "to write in /run/user" 'echo >"$XDG_RUNTIME_DIR/probe"' PrivateUsers
forbids InaccessiblePaths "to read the keys of ssh" 'ls ~/.ssh/probe' PrivateUsers
forbids NoExecPaths "to run what it has just written" \
  'cp /bin/true ~/.local/state/eggd/probe && ~/.local/state/eggd/probe' PrivateUsers ExecPaths
forbids NoExecPaths "to map what it has just written for execution" 'python3 -c "
import mmap, os
file = os.open(os.environ[\"HOME\"] + \"/.local/state/eggd/probe\", os.O_RDWR | os.O_CREAT)
os.ftruncate(file, 4096)
mmap.mmap(file, 4096, mmap.MAP_PRIVATE, mmap.PROT_READ | mmap.PROT_EXEC)"' PrivateUsers ExecPaths
for place in /dev/shm /dev/mqueue /run/lock; do
  forbids ReadOnlyPaths "to write in $place" "test -w $place" PrivateUsers
done
forbids InaccessiblePaths "to reach the service manager but on the bus" 'python3 -c "
import os, socket
socket.socket(socket.AF_UNIX).connect(os.environ[\"XDG_RUNTIME_DIR\"] + \"/systemd/private\")"' PrivateUsers
forbids PrivateDevices "devices but null, zero, full, random and terminals" 'test -c /dev/probe' PrivateUsers
forbids PrivateMounts "to see what others mount" "test \$(readlink /proc/self/ns/mnt) = $(run readlink /proc/self/ns/mnt)" \
  PrivateUsers
forbids ProtectHostname "to see how others rename the machine" \
  "test \$(readlink /proc/self/ns/uts) = $(run readlink /proc/self/ns/uts)" PrivateUsers
forbids ProtectKernelTunables "the kernel's addresses and its settings" 'head -n 1 /proc/kallsyms' PrivateUsers
forbids ProtectKernelModules "to read the kernel's modules" 'ls /usr/lib/modules' PrivateUsers
forbids ProtectKernelLogs "to read the kernel's log" 'cat /dev/kmsg' PrivateUsers
forbids ProtectClock "the calls that set the clock, also to read its drift" \
  'python3 -c "import ctypes; assert ctypes.CDLL(None).adjtimex(ctypes.create_string_buffer(512)) >= 0"' PrivateUsers
forbids ProtectControlGroups "to make a control group" \
  'mkdir "/sys/fs/cgroup$(sed -n "s/^0:://p" /proc/self/cgroup)/probe"' PrivateUsers
forbids CapabilityBoundingSet "every capability" 'grep -q "CapBnd:.*[1-9a-f]" /proc/self/status' PrivateUsers
forbids NoNewPrivileges "to become root by a set-user-ID program" 'test "$(/usr/local/bin/set-user-id -u)" = 0'
forbids RestrictSUIDSGID "to make a set-user-ID program" "cp /bin/true ~/$state/probe && chmod u+s ~/$state/probe"
forbids RestrictNamespaces "to make a namespace" 'unshare --user true'
# refused for want of privileges too; but before that for a priority that there is not
forbids RestrictRealtime "to ask for realtime scheduling" 'python3 -c "
import errno, os
try: os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(0))
except OSError as error: assert error.errno == errno.EINVAL"'
forbids RestrictAddressFamilies "a socket of the Internet" 'python3 -c "import socket; socket.socket(socket.AF_INET)"'
forbids LockPersonality "to change the personality" 'setarch -R true'
forbids MemoryDenyWriteExecute "memory that is written and executed" 'python3 -c "import mmap; mmap.mmap(-1, 4096, prot=7)"'
forbids SystemCallArchitectures "system calls of another architecture" /usr/local/bin/exit-by-32-bit-call
forbids SystemCallFilter "to trace a process" 'strace -o /dev/null true'
forbids SystemCallFilter "to change a priority" 'renice -n 5 $BASHPID'
forbids SystemCallFilter "to change an owner" 'cd ~/.local/state/eggd; touch probe; chown "$(id -u)" probe'
# forbids_call WHAT EXPRESSION: a system call, by Python's `call` of its number on this machine, or of a function of libc
forbids_call() {
  forbids SystemCallFilter "$1" "python3 -c '
import ctypes, os
libc = ctypes.CDLL(None)
def call(x86, arm, *arguments): return libc.syscall(x86 if os.uname().machine == \"x86_64\" else arm, *arguments)
assert $2 >= 0'"
}
forbids_call "io_uring, which makes sockets past RestrictAddressFamilies=" \
  'call(425, 425, 1, ctypes.create_string_buffer(120))'
forbids_call "asynchronous reads and writes" 'call(206, 0, 1, ctypes.byref(ctypes.c_ulong(0)))'
forbids_call "to keep keys" 'call(250, 219, 0, -3, 1)'
forbids_call "to handle page faults of its own" 'call(323, 282, 1)'
forbids_call "to read the memory of a process" 'libc.process_vm_readv(os.getpid(), None, 0, None, 0, 0)'
forbids_call "to write the memory of a process" 'libc.process_vm_writev(os.getpid(), None, 0, None, 0, 0)'
forbids_call "a file without a name" 'os.memfd_create("probe")'
forbids UMask "files that others can read" 'cd ~/.local/state/eggd; rm -f probe; echo >probe; test "$(stat -c %a probe)" = 644'

echo "# what the unit allows"
probed+=(ReadWritePaths ExecPaths SystemCallErrorNumber)
alone=(-p PrivateUsers=yes -p ProtectSystem=strict)
check_sh "the home is outside /home" 'test "${HOME#/home/}" = "$HOME"'
check "without ReadWritePaths= the state could not be written" \
  refused "${alone[@]}" bash -c "echo probing; echo >~/$state/probe"
check "with it, it can" run "${full[@]}" bash -c "echo >~/$state/probe"
check "no other folder can be written, and nothing executed in a folder that can" run "${full[@]}" python3 -c '
import os
places = {line.split()[4] for line in open("/proc/self/mountinfo")} - {"/proc"}
writable = {place for place in places if os.path.isdir(place) and os.access(place, os.W_OK)}
print(writable)
assert writable == {os.environ["HOME"] + "/.local/state/eggd"}
for place in writable | {"/", "/home", "/run", "/run/user", os.environ["XDG_RUNTIME_DIR"], "/dev", "/dev/shm", "/tmp"}:
    print(place)
    assert os.statvfs(place).f_flag & os.ST_NOEXEC'
check "a unit file could not be written, were its folder there" \
  refused "${full[@]}" bash -c 'echo probing; mkdir -p ~/.config/systemd/user'
check_sh "eggd and its player can be run, and no other program: bash cannot" \
  'run "${full[@]:0:${#full[@]}-2}" eggd --version &&
  { rc=0; run "${full[@]:0:${#full[@]}-2}" /usr/local/libexec/eggd-sound --check || rc=$?; test $rc = 75; } && ! run "${full[@]:0:${#full[@]}-2}" bash -c true'
check "SystemCallErrorNumber=: a filtered call fails with EPERM and does not kill" \
  run "${full[@]}" python3 -c 'import ctypes, errno
libc = ctypes.CDLL(None, use_errno=True)
assert libc.ptrace(0, 0, 0, 0) == -1 and ctypes.get_errno() == errno.EPERM'

echo "# all of it"
for line in "${sandbox[@]}"; do
  check "${line%%=*}= was probed" grep -qx "${line%%=*}" <(printf '%s\n' "${probed[@]}")
done
echo "# its score"
# systemd-analyze's 20 is a score of 2.0; the directives that count and are not in force here are not set
check_sh "systemd-analyze security is content" \
  'systemd-analyze security --no-pager --offline=yes --threshold=20 --user "$unit"'
systemd-analyze security --no-pager --offline=yes --user "$unit" | sed -n 's/^.*\(Overall.*[0-9]\).*/     | \1/p'
for directive in IPAddressDeny DeviceAllow ProtectProc ProcSubset; do
  check_sh "without $directive=, which is not in force in user units" '! has "^$directive=" <"$unit"'
done

echo "# at work"
systemd-run --user -q --unit=sound pulseaudio -n --daemonize=no --exit-idle-time=-1 -L module-native-protocol-unix \
  -L module-null-sink
until_true pactl info >/dev/null 2>&1
systemctl --user start eggd.socket eggd.service
number=$(alarm 300ms)
eventually "eggd rings within it" 'journalctl -q --user -t eggd EGG_ALARM_NUMBER=$number -o cat | has Wait'
eventually "and is heard" 'pactl list sink-inputs | has "event.id = \"alarm-clock-elapsed\""'
finish
