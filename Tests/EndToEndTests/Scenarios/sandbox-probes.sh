#!/bin/bash
# sandbox-probes.sh - as root in the box: what sandbox.sh tries: two programs, two devices, a home outside /home.
set -euo pipefail
install -m4755 /usr/bin/id /usr/local/bin/set-user-id
# a device of no use, and one in the place of the kernel's log
mknod -m 666 /dev/probe c 1 3
mknod -m 666 /dev/kmsg c 1 3
mkdir -p /usr/lib/modules
usermod -m -d /srv/egg egg
# an i386 program of nine bytes, exit(0) by int 0x80
python3 - /usr/local/bin/exit-by-32-bit-call <<'X'
import os, struct, sys
code = b"\xb8\x01\0\0\0\x31\xdb\xcd\x80"
base, size = 0x8048000, 52 + 32 + len(code)
header = b"\x7fELF\1\1\1" + bytes(9) + struct.pack("<HHIIIIIHHHHHH", 2, 3, 1, base + 84, 52, 0, 0, 52, 32, 1, 0, 0, 0)
segment = struct.pack("<IIIIIIII", 1, 0, base, base, size, size, 5, 0x1000)
with open(sys.argv[1], "wb") as file:
    file.write(header + segment + code)
os.chmod(sys.argv[1], 0o755)
X
