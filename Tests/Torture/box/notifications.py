#!/usr/bin/python3
"""A notification server that shows nothing and writes each call down as a line of JSON.

usage: notifications.py BUS FILE

Speaks D-Bus over the socket BUS itself, so that a call is stamped within microseconds: by that it is told which eggd
made it. A line has `at` (us since the epoch, when the call was read), `call` (Notify, CloseNotification, Owned), and of
Notify `id`, `replaces`, `summary`, `body`, `sender`.
"""
import json
import os
import socket
import struct
import sys
import time

NAME = "org.freedesktop.Notifications"
CALL, RETURN, ERROR, SIGNAL = 1, 2, 3, 4
PATH, INTERFACE, MEMBER, ERROR_NAME, REPLY_SERIAL, DESTINATION, SENDER, SIGNATURE = range(1, 9)


class Reader:
    """Little-endian D-Bus values, each at its own alignment."""

    def __init__(self, data, offset=0):
        self.data, self.offset = data, offset

    def align(self, size):
        self.offset += -self.offset % size

    def byte(self):
        self.offset += 1
        return self.data[self.offset - 1]

    def uint(self):
        self.align(4)
        self.offset += 4
        return struct.unpack_from("<I", self.data, self.offset - 4)[0]

    def text(self):
        length = self.uint()
        self.offset += length + 1
        return self.data[self.offset - length - 1 : self.offset - 1].decode()

    def signature(self):
        length = self.byte()
        self.offset += length + 1
        return self.data[self.offset - length - 1 : self.offset - 1].decode()


def text(value):
    value = value.encode()
    return struct.pack("<I", len(value)) + value + b"\0"


def padded(data, size=8):
    return data + bytes(-len(data) % size)


class Bus:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.connect(path)
        self.socket.sendall(b"\0AUTH EXTERNAL " + str(os.getuid()).encode().hex().encode() + b"\r\n")
        assert self.socket.recv(512).startswith(b"OK ")
        self.socket.sendall(b"BEGIN\r\n")
        self.serial = 0

    def send(self, kind, headers, body=b"", flags=1):
        self.serial += 1
        fields = b""
        for code, signature, value in headers:
            fields = padded(fields) + bytes([code, 1]) + signature.encode() + b"\0"
            if signature == "u":
                fields += struct.pack("<I", value)
            elif signature == "g":
                fields += bytes([len(value)]) + value.encode() + b"\0"
            else:
                fields += text(value)
        head = struct.pack("<BBBBIII", ord("l"), kind, flags, 1, len(body), self.serial, len(fields))
        self.socket.sendall(padded(head + fields) + body)

    def call(self, member, signature="", body=b""):
        name = "org.freedesktop.DBus"
        headers = [(PATH, "o", "/org/freedesktop/DBus"), (INTERFACE, "s", name), (MEMBER, "s", member)]
        headers.append((DESTINATION, "s", name))
        if signature:
            headers.append((SIGNATURE, "g", signature))
        self.send(CALL, headers, body, flags=0)

    def reply(self, header, serial, signature="", body=b""):
        headers = [(REPLY_SERIAL, "u", serial), (DESTINATION, "s", header[SENDER])]
        if signature:
            headers.append((SIGNATURE, "g", signature))
        self.send(RETURN, headers, body)

    def messages(self):
        data = b""
        while True:
            while len(data) < 16 or len(data) < self.length(data):
                more = self.socket.recv(262144)
                if not more:
                    return
                data += more
            length = self.length(data)
            message, data = data[:length], data[length:]
            yield self.read(message)

    @staticmethod
    def length(data):
        body, _, fields = struct.unpack_from("<III", data, 4)
        return 16 + fields + -fields % 8 + body

    @staticmethod
    def read(message):
        kind = message[1]
        serial = struct.unpack_from("<I", message, 8)[0]
        end = 16 + struct.unpack_from("<I", message, 12)[0]
        reader, header = Reader(message, 16), {}
        while reader.offset < end:
            reader.align(8)
            code, signature = reader.byte(), reader.signature()
            header[code] = (
                reader.uint() if signature == "u" else reader.signature() if signature == "g" else reader.text()
            )
        reader.align(8)
        return kind, serial, header, reader


def main():
    bus = Bus(sys.argv[1])
    out = open(sys.argv[2], "w", buffering=1)

    def note(**line):
        out.write(json.dumps({"at": time.time_ns() // 1000} | line) + "\n")

    bus.call("Hello")
    bus.call("RequestName", "su", padded(text(NAME), 4) + struct.pack("<I", 0))
    last = 0
    for kind, serial, header, body in bus.messages():
        if kind == SIGNAL and header[MEMBER] == "NameAcquired" and body.text() == NAME:
            note(call="Owned")
        if kind != CALL:
            continue
        member = header[MEMBER]
        if member == "Notify":
            body.text()
            replaces = body.uint()
            body.text()
            summary, what = body.text(), body.text()
            if not replaces:
                last += 1
            bubble = replaces or last
            note(
                call=member, id=bubble, replaces=replaces, summary=summary, body=what, sender=header[SENDER]
            )
            bus.reply(header, serial, "u", struct.pack("<I", bubble))
        elif member == "CloseNotification":
            note(call=member, id=body.uint())
            bus.reply(header, serial)
        elif member == "GetCapabilities":
            names = padded(text("actions"), 4) + text("body")
            bus.reply(header, serial, "as", struct.pack("<I", len(names)) + names)
        elif member == "GetServerInformation":
            values = b""
            for value in ("recorder", "eggd", "1", "1.2"):
                values = padded(values, 4) + text(value)
            bus.reply(header, serial, "ssss", values)
        else:
            bus.reply(header, serial)


if __name__ == "__main__":
    main()
