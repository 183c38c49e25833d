#!/usr/bin/python3
"""Gives the same alarm to several peers, does something to the machine, and writes down what rang when.

usage: scenarios.py SCENARIO FILE PEER...     as root, in with-user-systemd's box or with-vm's machine

The observer is a notification server that the session bus starts (Tests/Torture/box/notifications.py); of eggd, where a
bubble stands for several alarms, the journal. FILE gets a line of JSON for each peer:
{"scenario", "peer", "rang": [seconds after the moment, a negative one before it], "told"}, with other keys of its own.
"""
import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import peers
from peers import HOME, MAILBOX, RING, RUN, as_egg, must, user

# not on a disk that a scenario fills
SEEN = Path("/tmp/seen")
SERVER = HOME / ".local/share/dbus-1/services/org.freedesktop.Notifications.service"
# how long what is to ring is waited for
PATIENCE = 30


def say(*words):
    print("  ", *words, flush=True)


def until(moment):
    while (left := moment - time.time()) > 0:
        time.sleep(min(left, 0.5))


def next_minute(margin):
    """The first full minute that is so many seconds away."""
    return (time.time() + margin) // 60 * 60 + 60


class Machine:
    """The box: a mail program, as at and cron expect one; a notification server; the peers."""

    def __init__(self, names):
        self.peers = {name: peers.ALL[name]() for name in names}

    def boot(self):
        mailer = Path("/usr/sbin/sendmail")
        mailer.unlink(missing_ok=True)
        mailer.write_text(f"#!/bin/sh\n{{ echo 'From mailer'; cat; echo; }} >>{MAILBOX}\n")
        mailer.chmod(0o755)
        MAILBOX.touch()
        MAILBOX.chmod(0o666)
        must(as_egg("mkdir", "-p", SERVER.parent))
        self.allow_server()
        must(subprocess.run(["loginctl", "enable-linger", "egg"], capture_output=True, text=True))
        end = time.monotonic() + 60
        while user("is-active", "default.target").returncode and time.monotonic() < end:
            time.sleep(0.2)
        for peer in self.peers.values():
            peer.start()
        # what all of them need is in memory
        as_egg("notify-send", "warm", "up")

    @staticmethod
    def bus(member, *words):
        return as_egg("busctl", "--user", "call", "org.freedesktop.DBus", "/org/freedesktop/DBus",
                      "org.freedesktop.DBus", member, *words)

    def allow_server(self):
        recorder = Path(__file__).resolve().parent.parent / "Torture/box/notifications.py"
        SERVER.write_text("[D-BUS Service]\nName=org.freedesktop.Notifications\n"
                          f"Exec=/bin/sh -c 'mkdir -p {SEEN} && exec {recorder} {RUN}/bus {SEEN}/$$.jsonl'\n")
        self.bus("ReloadConfig")

    def forbid_server(self):
        SERVER.write_text("[D-BUS Service]\nName=org.freedesktop.Notifications\nExec=/bin/false\n")
        self.bus("ReloadConfig")
        owner = self.bus("GetConnectionUnixProcessID", "s", "org.freedesktop.Notifications").stdout.split()
        if owner:
            os.kill(int(owner[1]), 9)

    def give(self, moment, suffix="1"):
        for name, peer in self.peers.items():
            peer.give(moment, f"{name}-{suffix}")
        if time.time() > moment - 1:
            raise RuntimeError("the alarms were not given in time")

    @staticmethod
    def seen(label):
        """When bubbles with that label came, in seconds since the epoch, and what they said."""
        found = []
        for file in SEEN.glob("*.jsonl"):
            for line in file.read_text().splitlines():
                call = json.loads(line)
                if call["call"] == "Notify" and not call["replaces"] and label in call["summary"] + call["body"]:
                    found.append((call["at"] / 1e6, call["body"]))
        return sorted(found)

    def watch(self, moment, seconds=PATIENCE, suffix="1"):
        """Waits until each has rung, or so long after the moment; and a little longer, for a second ring."""
        end = time.monotonic() + max(0, moment - time.time()) + seconds
        while time.monotonic() < end and not all(self.seen(f"{name}-{suffix}") for name in self.peers):
            time.sleep(0.5)
        time.sleep(2)

    def results(self, scenario, moment, suffix="1", **more):
        for name, peer in self.peers.items():
            seen = self.seen(f"{name}-{suffix}")
            told = {peer.told()} | {"bubble" for _, body in seen if name == "Eggd" and "late" in body}
            rang = [round(at - moment, 3) for at, _ in seen]
            say(name, rang, sorted(told - {""}), *(body.replace("\n", " | ") for _, body in seen if name == "Eggd"))
            yield {"scenario": scenario, "peer": name, "rang": rang, "told": sorted(told - {""})} | more


def in_time(machine):
    machine.boot()
    moment = next_minute(8)
    machine.give(moment)
    machine.watch(moment)
    yield from machine.results("in time", moment)


def killed(machine):
    """A fifth of a second before the moment."""
    machine.boot()
    moment = next_minute(8)
    machine.give(moment)
    until(moment - 0.2)
    threads = [threading.Thread(target=peer.kill) for peer in machine.peers.values()]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    machine.watch(moment)
    yield from machine.results("killed", moment)


def same_spool():
    """The queues of at and cron are on the disk that outlives the machine."""
    spool = Path("/home/spool")
    if not spool.exists():
        must(subprocess.run(["cp", "-a", "/var/spool/cron", spool], capture_output=True, text=True))
    must(subprocess.run(["mount", "--bind", spool, "/var/spool/cron"], capture_output=True, text=True))


def before_reboot(machine):
    """The alarms are given; the machine is off at the moment."""
    same_spool()
    machine.boot()
    moment = next_minute(5)
    machine.give(moment)
    (HOME / "moment").write_text(str(moment))
    os.sync()
    return ()


def after_reboot(machine):
    same_spool()
    machine.boot()
    moment = float((HOME / "moment").read_text())
    machine.watch(time.time())
    yield from machine.results("rebooted", moment)


def full(machine):
    """From ten seconds before the moment until ten after it; ten seconds later what keeps the alarms is killed."""
    same_spool()
    machine.boot()
    moment = next_minute(18)
    machine.give(moment)
    until(moment - 10)
    fill = Path("/home/fill")
    for size in "64k", "512":
        subprocess.run(["dd", "if=/dev/zero", f"of={fill}.{size}", f"bs={size}"], stderr=subprocess.DEVNULL)
    os.sync()
    say("free:", os.statvfs("/home").f_bavail)
    until(moment + 10)
    for size in "64k", "512":
        Path(f"{fill}.{size}").unlink()
    time.sleep(10)
    for peer in machine.peers.values():
        if not isinstance(peer, (peers.SystemdRun, peers.Sleep)):
            peer.kill()
    time.sleep(10)
    yield from machine.results("full", moment)


def absent(machine):
    """No notification server at the moment; ten seconds later there is one."""
    machine.boot()
    moment = next_minute(8)
    machine.give(moment)
    machine.forbid_server()
    until(moment + 10)
    machine.allow_server()
    machine.bus("StartServiceByName", "su", "org.freedesktop.Notifications", "0")
    machine.watch(time.time(), seconds=15)
    yield from machine.results("absent", moment)


def raced(machine, count=20):
    """Deletions begin from 60 ms before the moment until 40 ms after it. `unsaid` rang although the deletion was
    acknowledged without a word of it, `after` of them after that."""
    machine.boot()
    for name, peer in machine.peers.items():
        labels = [f"{name}-race{number:02}" for number in range(count)]
        if peer.is_minutely:
            moments = [next_minute(8)] * count
        else:
            begin = time.time() + 5 + count * 0.03
            moments = [begin + number * 0.4 for number in range(count)]
        handles = [peer.give(moment, label) for moment, label in zip(moments, labels)]
        acknowledged = {}

        def delete(number):
            until_precisely(moments[number] - 0.06 + 0.1 * number / count)
            if peer.remove(handles[number]):
                acknowledged[number] = time.time()

        if isinstance(peer, peers.Cron):
            # one table: its deletions come after each other
            threads = [threading.Thread(target=lambda: [delete(number) for number in range(count)])]
        else:
            threads = [threading.Thread(target=delete, args=(number,)) for number in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        time.sleep(4)
        rang = {number: seen[0][0] for number in range(count) if (seen := machine.seen(labels[number]))}
        unsaid = rang.keys() & acknowledged.keys()
        after = {number for number in unsaid if rang[number] > acknowledged[number]}
        say(name, "rang", len(rang), "acknowledged", len(acknowledged), "both", len(unsaid), "after it", len(after))
        yield {"scenario": "raced", "peer": name, "count": count, "rang": len(rang), "unsaid": len(unsaid),
               "after": len(after)}


def until_precisely(moment):
    time.sleep(max(0, moment - time.time()))


def thousand(machine, count=1000):
    """All due in the same second."""
    machine.boot()
    for name, peer in machine.peers.items():
        labels = [f"{name}-{number:04}" for number in range(count)]
        begin = time.monotonic()
        # what `give` of one takes, and more
        moment = next_minute(30) if peer.is_minutely else float(int(time.time() + 35))
        peer.give_all(moment, labels)
        took = time.monotonic() - begin
        if time.time() > moment - 1:
            raise RuntimeError(f"{name}: {count} were not given in time, it took {took:.0f} s")
        until(moment)
        end, rang = time.monotonic() + 60, []
        while time.monotonic() < end and len(rang) < count:
            time.sleep(1)
            rang = bubbles(name, moment)
        say(name, "given in", f"{took:.1f} s;", len(rang), "rang, the last", max(rang, default=None))
        yield {"scenario": "thousand", "peer": name, "count": count, "rang": len(rang), "last": max(rang, default=None)}


def bubbles(name, moment):
    """How long after the moment each rang: as the journal has it of eggd, which shows many in one bubble."""
    if name == "Eggd":
        entries = peers.journal(f"MESSAGE_ID={RING}")
        return sorted(int(entry["_SOURCE_REALTIME_TIMESTAMP"]) / 1e6 - moment for entry in entries)
    return [at - moment for at, _ in Machine.seen(name + "-")]


def clock_set(machine):
    """By an hour, both ways; in a virtual machine."""
    machine.boot()
    # a first time, to see how long it takes in this machine
    begin = time.monotonic()
    machine.give(next_minute(86_400), "0")
    margin = 30 + 1.5 * (time.monotonic() - begin)
    say(f"margin: {margin:.0f} s")
    # back, before the moment: a wall clock's alarm waits for it anew
    moment = next_minute(margin)
    machine.give(moment)
    until(moment - 10)
    step(-3600)
    time.sleep(10 + PATIENCE)
    step(3600 - PATIENCE - 10)
    machine.watch(moment)
    yield from machine.results("set back", moment)
    # ahead, over the moment
    moment = next_minute(margin + 600)
    machine.give(moment, "2")
    step(3600)
    ahead = time.time()
    machine.watch(ahead, seconds=90, suffix="2")
    yield from machine.results("set ahead", ahead, suffix="2")


def step(seconds):
    must(subprocess.run(["date", "-s", f"@{time.time() + seconds:.6f}"], capture_output=True, text=True))


def main():
    scenario, file, *names = sys.argv[1:]
    os.umask(0o022)
    machine = Machine(names)
    with open(file, "a") as out:
        for result in globals()[scenario](machine):
            print(json.dumps(result), file=out, flush=True)


if __name__ == "__main__":
    main()
