#!/usr/bin/python3
"""Kills the real eggd at named points (box/strike.c), and looks what is there afterwards.

usage: points.py SECONDS
Each point has an eggd of its own, with alarms that were acknowledged before; several are tried at once. In less time
each is tried once, in more time again, with other numbers of calls.
"""
import os
import random
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "box"))
from product import RANG, Claims, Eggd, Gone, Place, Refused, lines  # noqa: E402


class Fault(Exception):
    pass


def demand(condition, text):
    if not condition:
        raise Fault(text)


class Trial:
    """An eggd that is struck at one point."""

    def __init__(self, name, strike, seen=None):
        # also a label
        self.name = name
        self.place = Place.new(name)
        self.log, self.arm = self.place.state + "/struck", self.place.state + "/arm"
        environment = {"LD_PRELOAD": os.environ["STRIKER"], "STRIKE": strike, "STRIKE_LOG": self.log}
        environment["STRIKE_ARM"] = self.arm
        if seen:
            environment["STRIKE_SEEN"] = seen
        self.first = Eggd(self.place, **environment)
        self.connection = self.first.connect()
        call = self.connection.call
        self.later = call("Schedule", expression="2h", label="later")["alarm"]
        self.gone = call("Schedule", expression="2h", label="gone")["alarm"]
        call("Delete", numbers=[self.gone["number"]])
        self.second = None

    def armed(self):
        with open(self.arm, "w", encoding="utf-8"):
            pass

    def is_cut_off(self, method, **parameters):
        try:
            self.connection.call(method, **parameters)
        except Gone:
            return
        raise Fault(f"{method} was answered")

    def await_kill(self):
        self.first.wait()
        demand(self.first.was_killed, f"eggd was not killed: {self.first.process.returncode}")
        with open(self.log, encoding="utf-8") as file:
            demand(file.read().startswith("struck "), "the point was not struck")
        demand(not (damage := self.place.damage()), f"{damage}")

    def restart(self):
        self.second = Eggd(self.place)
        self.connection = self.second.connect()
        if self.connection is None:
            raise Fault(self.second.own_end())
        demand(self.find("later") == [self.later["number"]], "an acknowledged alarm is gone")
        demand(self.find("gone") == [], "a deleted alarm is back")
        return self.connection

    def find(self, label):
        return [alarm["number"] for alarm in self.connection.call("List")["alarms"] if alarm.get("label") == label]

    def entries(self, number):
        """Entries of rings of that alarm, by both."""
        pids = (self.first.pid, self.second.pid if self.second else 0)
        return [
            line
            for line in lines(os.environ["BOX"] + "/journal.jsonl")
            if line["pid"] in pids and line.get("MESSAGE_ID") == RANG and line["EGG_ALARM_NUMBER"] == str(number)
        ]

    def bubbles(self):
        """New bubbles of the alarm that has the point's name as label."""
        return [
            line
            for line in lines(os.environ["BOX"] + "/notifications.jsonl")
            if line["call"] == "Notify" and not line["replaces"] and self.name in line["body"].split("\n")
        ]

    def comes(self, what, condition):
        end = time.monotonic() + 20
        while not condition():
            demand(time.monotonic() < end, f"{what} does not come")
            time.sleep(0.01)

    def end(self):
        for eggd in (self.first, self.second):
            if eggd and eggd.process.poll() is None:
                eggd.kill()


# What is done at a point. Each takes a Trial that is not armed yet.


def schedule(trial, is_there):
    """A new alarm is asked for; afterwards it is there, or not, or either; asked for again, it is one."""
    call = {"expression": "3h", "label": "new", "key": "new"}
    trial.armed()
    trial.is_cut_off("Schedule", **call)
    trial.await_kill()
    trial.restart()
    found = trial.find("new")
    demand(is_there is None or bool(found) == is_there, f"there: {found}")
    again = trial.connection.call("Schedule", **call)
    demand(again["existed"] == bool(found), f"the same key again: {again}")
    demand(trial.find("new") == [again["alarm"]["number"]], "there are two of it")


def delete(trial, is_gone):
    """An alarm that is to ring is deleted; afterwards it is gone and does not ring, or is there and rings."""
    number = trial.connection.call("Schedule", expression="400ms", label=trial.name)["alarm"]["number"]
    trial.armed()
    trial.is_cut_off("Delete", numbers=[number])
    trial.await_kill()
    trial.restart()
    found = trial.find(trial.name)
    demand(is_gone is None or bool(found) != is_gone, f"there: {found}")
    if found:
        trial.comes("the ring", lambda: trial.entries(number))
        return
    later = trial.connection.call("Schedule", expression="500ms")["alarm"]["number"]
    trial.comes("a later ring", lambda: trial.entries(later))
    demand(not trial.entries(number) and not trial.bubbles(), "it rang")


def ring(trial, is_recorded):
    """An alarm rings; afterwards it rings again where the ring was not recorded, and what was not taken down of its
    entry and bubble is done again."""
    number = trial.connection.call("Schedule", expression="400ms", label=trial.name)["alarm"]["number"]
    trial.armed()
    # where the marks shared a commit, the next one is that of another change
    end = time.monotonic() + 1.25
    while trial.first.process.poll() is None and time.monotonic() < end:
        time.sleep(0.01)
    try:
        for _ in range(3):
            if trial.first.process.poll() is None:
                trial.connection.call("Schedule", expression="2h")
    except Gone:
        pass
    trial.await_kill()
    recorded = trial.place.look(f"SELECT firedAt, journaledAt, shownAt FROM occurrence WHERE alarm = {number}")[0]
    demand(is_recorded is None or bool(recorded) == is_recorded, f"recorded: {recorded}")
    entries, bubbles = len(trial.entries(number)), len(trial.bubbles())
    demand(entries + bubbles > 0 or not recorded, "recorded before it rang")
    trial.restart()

    def latest():
        return trial.connection.call("Show", number=number)["alarm"].get("latest", {})

    trial.comes("its marks", lambda: "journaledAt" in latest() and "shownAt" in latest())
    fired, journaled, shown = recorded[0] if recorded else (None, None, None)
    if fired:
        demand(latest()["firedAt"] == fired, "it fired again, though that was recorded")
    elif latest()["dueAt"] < trial.second.spawned:
        demand(latest().get("lateReason") == "down", f"it is late, and not for being down: {latest()}")
    wanted = entries + (journaled is None), bubbles + (shown is None)
    seen = len(trial.entries(number)), len(trial.bubbles())
    demand(seen == wanted, f"entries and bubbles were {entries}, {bubbles}, recorded {recorded}, and are {seen}")


def fill(trial):
    """Changes until the log is written back into the database; afterwards all that was acknowledged is there."""
    trial.armed()
    acknowledged = []
    try:
        for index in range(2_000):
            reply = trial.connection.call("Schedule", expression="2h", label=f"{index}", body="x" * 200)
            acknowledged.append(reply["alarm"]["number"])
    except Gone:
        pass
    trial.await_kill()
    trial.restart()
    there, after = set(), 0
    while after is not None:
        reply = trial.connection.call("List", fields=["label"], **({"after": after} if after else {}))
        there |= {alarm["number"] for alarm in reply["alarms"]}
        after = reply.get("after")
    demand(there.issuperset(acknowledged), f"lost {sorted(set(acknowledged) - there)}")


def points(chance):
    """Name, what is struck, what it takes to be seen before, what is done."""
    part = chance.randint(2, 9)
    page = chance.randint(1, 12)
    return [
        ("before a commit", "pwrite64 -wal before", None, lambda trial: schedule(trial, False)),
        ("in a commit", f"pwrite64 -wal amid {part}", None, lambda trial: schedule(trial, False)),
        ("before the sync of a commit", "sync -wal before", None, lambda trial: schedule(trial, None)),
        ("after the commit, before the reply", "sync -wal after", None, lambda trial: schedule(trial, True)),
        ("at the reply", "send socket before", None, lambda trial: schedule(trial, True)),
        ("in the reply", "send socket amid", None, lambda trial: schedule(trial, True)),
        ("before the commit of a deletion", "pwrite64 -wal before", None, lambda trial: delete(trial, False)),
        ("at the reply to a deletion", "send socket before", None, lambda trial: delete(trial, True)),
        ("before Notify or the entry", "sendmsg socket before", None, lambda trial: ring(trial, None)),
        ("after Notify, before the record", "pwrite64 -wal before", "Notify", lambda trial: ring(trial, None)),
        ("after the entry, before the record", "pwrite64 -wal before", "EGG_ALARM", lambda trial: ring(trial, None)),
        ("after the commit of a ring", "sync -wal after", "Notify", lambda trial: ring(trial, None)),
        ("after the commit that follows that of a ring", "sync -wal after 2", "Notify", lambda trial: ring(trial, None)),
        ("in the start of a program", "start eggd-sound amid", None, lambda trial: ring(trial, None)),
        ("before a checkpoint", "write schedule.db before", None, fill),
        ("in a checkpoint", f"write schedule.db amid {page}", None, fill),
        ("before the sync of a checkpoint", "sync schedule.db before", None, fill),
        ("after a checkpoint", "sync schedule.db after", None, fill),
    ]


def attempt(label, point):
    name, strike, seen, act = point
    trial = None
    try:
        trial = Trial(label, strike, seen)
        act(trial)
        return name, None
    except (Fault, Gone, Refused, TimeoutError, subprocess.TimeoutExpired) as error:
        return name, f"{strike}: {type(error).__name__} {error}"
    finally:
        if trial:
            trial.end()


def main():
    seconds = float(sys.argv[1])
    claims, chance = Claims(), random.Random(f"{os.environ['TORTURE_SEED']} points")
    begin, rounds = time.monotonic(), 0
    faults, names = {}, []
    while rounds == 0 or (time.monotonic() - begin) * (rounds + 1) / rounds < seconds:
        chosen = points(chance)
        names = [point[0] for point in chosen]
        labels = [f"point {rounds}.{index}" for index in range(len(chosen))]
        with ThreadPoolExecutor(4) as pool:
            for name, fault in pool.map(attempt, labels, chosen):
                if fault:
                    faults.setdefault(name, []).append(fault)
        rounds += 1
    claims.figure(f"{len(names)} points, {rounds} times each, in {time.monotonic() - begin:.0f} s")
    for name in names:
        claims.check(f"killed {name}", faults.get(name, []))
    return min(claims.failed, 1)


if __name__ == "__main__":
    sys.exit(main())
