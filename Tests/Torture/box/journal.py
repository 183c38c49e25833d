#!/usr/bin/python3
"""Stands where journald listens, and writes each entry down as a line of JSON.

usage: journal.py SOCKET FILE

`at` is the moment (us since the epoch) at which the kernel took the datagram from its sender (SO_TIMESTAMPNS,
socket(7)), `pid` the sender; the entry's fields come by their names.
"""
import array
import json
import os
import socket
import struct
import sys

SO_TIMESTAMPNS = 35


def fields(text):
    """The fields of a datagram in the journal's native protocol."""
    found = {}
    while text:
        line, _, rest = text.partition(b"\n")
        if b"=" in line:
            name, _, value = line.partition(b"=")
            text = rest
        else:
            # a value with newlines: its length as 64 bits, then the value
            name, length = line, struct.unpack("<Q", rest[:8])[0]
            value, text = rest[8 : 8 + length], rest[9 + length :]
        found[name.decode()] = value.decode(errors="replace")
    return found


def main():
    receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    receiver.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
    receiver.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
    out = open(sys.argv[2], "w", buffering=1)
    receiver.bind(sys.argv[1])
    os.chmod(sys.argv[1], 0o666)
    while True:
        text, control, _, _ = receiver.recvmsg(262144, 512)
        entry, passed = {}, []
        for level, kind, value in control:
            if level == socket.SOL_SOCKET and kind == SO_TIMESTAMPNS:
                seconds, rest = struct.unpack("<qq", value[:16])
                entry["at"] = seconds * 1_000_000 + rest // 1000
            elif level == socket.SOL_SOCKET and kind == socket.SCM_CREDENTIALS:
                entry["pid"] = struct.unpack("<iII", value[:12])[0]
            elif level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
                # an entry that is too long for a datagram comes as a file
                passed = array.array("i", value[: len(value) & ~3])
        for descriptor in passed:
            with os.fdopen(descriptor, "rb") as file:
                file.seek(0)
                text = file.read()
        entry.update(fields(text))
        out.write(json.dumps(entry) + "\n")


if __name__ == "__main__":
    main()
