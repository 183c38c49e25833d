"""stalls.py - a disk whose sync takes five seconds and a journald that is stopped, while alarms are due: their
lateness beside the same without, as a notification server sees it.

usage: stalls.py SHIM COUNT     COUNT alarms in each state of things: 24 at most, so that each has a bubble. Below
with-journald.
"""

import json
import os
import signal
import socket
import struct
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from torture import *  # noqa: E402
from notifications import Bus, Server  # noqa: E402

SYNC_DELAY = struct.Struct("i")


def set_delay(control, milliseconds):
    """struct control of faults.c"""
    with open(control, "r+b") as file:
        file.seek(20)
        file.write(SYNC_DELAY.pack(milliseconds))


def syncs(control):
    with open(control, "rb") as file:
        file.seek(24)
        return struct.unpack("Q", file.read(8))[0]


class Journald:
    """The one below with-journald, stopped and let go on; what it can hold for a stopped reader is filled first."""

    def stop(self):
        os.kill(int(os.environ["JOURNALD_PID"]), signal.SIGSTOP)
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as journal:
            journal.setblocking(False)
            self.held = 0
            try:
                while True:
                    journal.sendto(b"MESSAGE=filling\n", "/run/systemd/journal/socket")
                    self.held += 1
            except BlockingIOError:
                pass

    def go_on(self):
        os.kill(int(os.environ["JOURNALD_PID"]), signal.SIGCONT)


def entries(name):
    """How often each summary that begins so is in the journal."""
    subprocess.run(["journalctl", "--sync"], timeout=PATIENCE, capture_output=True)
    told = subprocess.run(
        ["journalctl", "-q", "-o", "json", "SYSLOG_IDENTIFIER=eggd"], timeout=PATIENCE, capture_output=True, text=True)
    counts = {}
    for line in told.stdout.splitlines():
        summary = json.loads(line).get("EGG_SUMMARY", "")
        if summary.startswith(f"{name} "):
            counts[summary] = counts.get(summary, 0) + 1
    return counts


def measure(name, eggd, server, count, begin=lambda: None, end=lambda: None):
    """Lateness of `count` alarms at the server, µs; `begin` and `end` of the trouble that is around them."""
    client = eggd.client()
    client.call("Dismiss", all=True)
    # what the trouble before has held up is over with this
    client.call("Schedule", expression="3h")
    dues = {}
    for index in range(count):
        summary = f"{name} {index}"
        call = {"expression": f"{900_000 + index * 70_000}us", "summary": summary}
        dues[summary] = client.call("Schedule", **call)["alarm"]["due"]
    begin()
    eventually(lambda: len(server.arrived(f"{name} ")) == count, 30)
    shown = server.arrived(f"{name} ")
    end()
    check(f"{name}: every alarm is shown", sorted(shown) == sorted(dues), f"{len(shown)} of {count}")
    late = [shown[summary] - dues[summary] for summary in shown]
    check(f"{name}: none early", min(late) >= 0, late)
    figure(f"{name}: late at the server by us: {spread(late)}")
    check(f"{name}: each has its entry, once",
          eventually(lambda: entries(name) == dict.fromkeys(dues, 1)), entries(name))
    return late


def unchanged(name, late, plain):
    """Five seconds of a disk, or a journald that never reads, would be in each of them; a busy machine is in both."""
    middle, usual = sorted(late)[len(late) // 2], sorted(plain)[len(plain) // 2]
    check(f"{name}: lateness is unchanged", middle < usual + 250_000 and max(late) < max(plain) + 2_000_000,
          f"median {middle} us beside {usual}, at most {max(late)} beside {max(plain)}")


def main():
    shim, count = sys.argv[1], int(sys.argv[2])
    with Place() as place, Bus(place.path) as bus:
        server = Server(bus.address)
        control = f"{place.path}/control"
        with open(control, "wb") as file:
            file.write(bytes(4096))
        eggd = place.eggd("", DBUS_SESSION_BUS_ADDRESS=bus.address)
        assert eggd.start(LD_PRELOAD=shim, FAULTS_DIRECTORY=eggd.directory, FAULTS_CONTROL=control), eggd.told()
        plain = measure("as usual", eggd, server, count)
        before = syncs(control)

        def slow_down():
            set_delay(control, 5_000)

        def speed_up():
            nonlocal before
            before = syncs(control) - before
            set_delay(control, 0)

        name = "while a sync takes 5 s"
        unchanged(name, measure(name, eggd, server, count, slow_down, speed_up), plain)
        check(f"{name}: there were syncs", before > 0)
        journald = Journald()
        name = "while journald is stopped"
        unchanged(name, measure(name, eggd, server, count, journald.stop, journald.go_on), plain)
        figure(f"a stopped journald took {journald.held} entries, then none")
        eggd.end()
    finish()


main()
