#!/usr/bin/env python3
"""shared-server.py - what schedules on one CalDAV server cost: requests, bytes, time.

usage: shared-server.py [--schedules N]     50 by default

Each schedule is a calendar of its own on a real Radicale, and a folder; what an alarm's file holds is what eggctl sync writes.
Between vdirsyncer and the server stands a relay that counts. Prints one line for each case; docs/scale.md has them. Ends after
some minutes.
"""

import argparse
import os
import re
import resource
import select
import socket
import subprocess
import sys
import threading
import time
import uuid

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [f"{TESTS}/Torture", f"{TESTS}/Torture/sync"]
from calendars import YEAR, Server, configure  # noqa: E402
from torture import Place  # noqa: E402

FILE = """BEGIN:VCALENDAR\r
VERSION:2.0\r
PRODID:-//eggd//eggctl//EN\r
CALSCALE:GREGORIAN\r
BEGIN:VEVENT\r
UID:{uid}\r
DTSTAMP:{year}0101T000000Z\r
CREATED:{year}0101T000000Z\r
DTSTART:{year}06{day:02}T{hour:02}{minute:02}00Z\r
SUMMARY:{label}\r
X-EGGD-EGGS:1\r
TRANSP:TRANSPARENT\r
BEGIN:VALARM\r
ACTION:DISPLAY\r
TRIGGER:PT0S\r
DESCRIPTION:{label}\r
END:VALARM\r
END:VEVENT\r
END:VCALENDAR\r
"""


class Relay(threading.Thread):
    """Passes bytes on and counts them, and the requests among them."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.server = port
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.requests = self.sent = self.received = 0

    def run(self):
        while True:
            connection, _ = self.listener.accept()
            threading.Thread(target=self.carry, args=[connection], daemon=True).start()

    def carry(self, client):
        with client, socket.create_connection(("127.0.0.1", self.server)) as server:
            while True:
                for source in select.select([client, server], [], [])[0]:
                    data = source.recv(1 << 16)
                    if not data:
                        return
                    if source is client:
                        self.requests += len(re.findall(rb"[A-Z]{3,} \S+ HTTP/1\.1\r\n", data))
                        self.sent += len(data)
                        server.sendall(data)
                    else:
                        self.received += len(data)
                        client.sendall(data)


class Schedule:
    def __init__(self, place, number, relay):
        self.home = f"{place}/{number}"
        self.folder = f"{self.home}/calendars/alarms"
        self.user = f"user{number}"
        os.makedirs(self.folder)
        configure(self.home, f"{self.home}/calendars", relay.port, self.user)

    def write(self, label, uid=None):
        uid = uid or str(uuid.uuid4())
        text = FILE.format(uid=uid, year=YEAR, day=hash(uid) % 28 + 1, hour=hash(uid) % 24, minute=hash(uid) % 60, label=label)
        with open(f"{self.folder}/.new", "w", encoding="utf-8", newline="") as file:
            file.write(text)
        os.rename(f"{self.folder}/.new", f"{self.folder}/{uid}.ics")
        return uid

    def run(self, verb="sync"):
        subprocess.run(
            ["vdirsyncer", verb], env={"HOME": self.home, "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}, input=b"y\ny\n",
            capture_output=True, timeout=600, check=True)


def measure(name, relay, server, work, count=1):
    """The cost of `work`, by one of `count`."""
    def ticks():
        with open(f"/proc/{server.process.pid}/stat", encoding="utf-8") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    before = (relay.requests, relay.sent, relay.received, ticks(), resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic())
    work()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    elapsed = time.monotonic() - before[5]
    client = (after.ru_utime + after.ru_stime - before[4].ru_utime - before[4].ru_stime) / count
    print(
        f"{name:44} {(relay.requests - before[0]) / count:7.1f} requests {(relay.sent - before[1]) / count / 1000:9.1f} kB up "
        f"{(relay.received - before[2]) / count / 1000:9.1f} kB down {(ticks() - before[3]) / count * 1000:9.0f} ms server "
        f"{client * 1000:8.0f} ms vdirsyncer {elapsed / count * 1000:8.0f} ms in all", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--schedules", type=int, default=50)
    count = parser.parse_args().schedules
    with Place() as place:
        server = Server(place.path)
        relay = Relay(server.port)
        relay.start()
        try:
            schedules = [Schedule(place.path, number, relay) for number in range(count)]
            for schedule in schedules:
                schedule.run("discover")
                schedule.uids = [schedule.write(f"alarm {place}") for place in range(20)]

            def every(before=None):
                for schedule in schedules:
                    if before:
                        before(schedule)
                    schedule.run()

            measure(f"first sync of 20 alarms, of {count} schedules", relay, server, every, count)
            measure("nothing to do, 20 alarms", relay, server, every, count)
            measure("one change, 20 alarms", relay, server, lambda: every(lambda one: one.write("changed", one.uids[0])), count)
            one = schedules[0]
            held = 20
            for size in (100, 250, 500, 1000):
                one.uids += [one.write(f"alarm {place}") for place in range(held, size)]
                measure(f"{size - held} new alarms beside {held}", relay, server, one.run)
                held = size
                measure(f"nothing to do, {size} alarms", relay, server, one.run)
                one.write(f"changed at {size}", one.uids[0])
                measure(f"one change, {size} alarms", relay, server, one.run)
        finally:
            server.end()


main()
