#!/usr/bin/python3
"""The real eggd takes over databases of version 11 in every state: frozen fixtures, with alarms that run and ring added.

usage: upgrade.py SECONDS FIXTURES
Each is taken over whole; then again and again, killed at one write after the other (box/strike.c), and once more on
what that left. A newer database and an older one are left as they are. In less time fewer of the writes are struck,
chosen by the seed.
"""
import glob
import hashlib
import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import time
import uuid
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "box"))
from product import RANG, Claims, Eggd, Gone, Place, lines, now  # noqa: E402

DISTANT = 3_600_000_000
MIGRATED = "5aacd8f27e954d938ed3d48ce6ca2655"


class Fault(Exception):
    pass


def demand(condition, text):
    if not condition:
        raise Fault(text)


def number(label):
    """The number of an alarm that was added."""
    return 201 + ADDED.index(label)


ADDED = ["soon", "countdown", "earlier boot", "ringing", "unjournaled", "snoozed", "overdue", "recurring", "distant"]


def add_running(database, soon):
    """Alarms as eggd leaves them when it ends. The first comes `soon` from now."""
    connection = sqlite3.connect(database)
    insert = connection.execute
    boot, offset = insert("SELECT id, offset FROM boot LIMIT 1").fetchone()
    begin = now()
    moments = {
        "soon": begin + soon, "countdown": begin + soon + 100_000, "earlier boot": begin + soon + 200_000,
        "snoozed": begin + soon + 300_000, "recurring": (begin // 1_000_000 + 1) * 1_000_000,
        "overdue": begin - 10_000_000, "distant": begin + DISTANT,
    }
    for label in ADDED:
        due, kind = moments.get(label), "in" if label in ("countdown", "earlier boot") else "at"
        values = {
            "number": number(label), "id": str(uuid.uuid4()), "label": label, "position": number(label) << 20,
            "kind": kind, "expression": "1m", "readingZone": "UTC", "createdAt": begin - 60_000_000,
            "span": 60_000_000 if kind == "in" else None, "instant": begin if kind == "at" else None, "due": due,
        }
        if label == "earlier boot":
            values |= {"clock": boot, "due": due - offset}
        if label == "recurring":
            values |= {"kind": "every", "instant": None, "calendarEvent": "*-*-* *:*:*", "zone": "UTC", "count": 3}
            values |= {"expression": "*:*:*", "createdAt": begin}
        if label in ("ringing", "unjournaled", "snoozed"):
            values |= {"state": "scheduled" if label == "snoozed" else "over", "due": None}
            fired = begin - 30_000_000 + number(label)
            insert(
                "INSERT INTO occurrence (id, alarm, dueAt, outcome, firedAt, journaledAt, shownAt, lateness, snoozedUntil, due)"
                " VALUES (?, ?, ?, 'rung', ?, ?, ?, 100, ?, ?)",
                (
                    fired, number(label), fired - 100, fired, None if label == "unjournaled" else fired + 100,
                    fired + 200 if label == "snoozed" else None, *([due, due] if label == "snoozed" else [None, None]),
                ),
            )
            if label != "snoozed":
                insert("UPDATE alarm SET overAt = ? WHERE number = ?", (fired, number(label)))
        names = ", ".join(values)
        insert(f"INSERT INTO alarm ({names}) VALUES ({', '.join('?' * len(values))})", tuple(values.values()))
    connection.commit()
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    return moments


def rows(database):
    """All rows of a database, by table, each as its columns' values by name; and its version."""
    connection = sqlite3.connect(f"file:{database}?immutable=1", uri=True)
    connection.row_factory = sqlite3.Row
    try:
        names = [row[0] for row in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        found = {name: [dict(row) for row in connection.execute(f'SELECT * FROM "{name}"')] for name in names}
        if (said := connection.execute("PRAGMA integrity_check").fetchone()[0]) != "ok":
            raise sqlite3.DatabaseError(said)
        return found, connection.execute("PRAGMA user_version").fetchone()[0]
    finally:
        connection.close()


class Trial:
    """A frozen database, or none, in directories of their own."""

    def __init__(self, name, fixtures, state, soon):
        self.place, self.state = Place.new(name), state
        os.mkdir(os.path.dirname(self.place.database), 0o700)
        self.moments, self.expected = {}, []
        if state != NEW:
            shutil.copy(f"{fixtures}/{state}.db", self.place.database)
            self.moments = add_running(self.place.database, soon)
            self.rows = rows(self.place.database)[0]
            with open(f"{fixtures}/{state}.json", encoding="utf-8") as file:
                self.expected = json.load(file)["alarms"]
        self.pids = []

    def start(self, **environment):
        eggd = Eggd(self.place, **environment)
        self.pids.append(eggd.pid)
        return eggd

    @property
    def numbers(self):
        """Of the alarms that exist. Others have rows in some states."""
        return {alarm["number"] for alarm in self.expected} | ({number(label) for label in ADDED} if self.moments else set())

    def entries(self, label):
        return [
            line
            for line in lines(os.environ["BOX"] + "/journal.jsonl")
            if line["pid"] in self.pids and line.get("MESSAGE_ID") == RANG
            and line["EGG_ALARM_NUMBER"] == str(number(label))
        ]

    def check_copy(self):
        """The old database: whole, with the same rows; and no other file that passes for it."""
        copies = [path for path in glob.glob(self.place.database + ".v*") if not path.endswith(("-wal", "-shm"))]
        demand(copies, "the old database is not kept")
        for copy in copies:
            try:
                found, version = rows(copy)
            except sqlite3.DatabaseError as error:
                raise Fault(f"{os.path.basename(copy)}, {os.path.getsize(copy)} bytes, is not whole: {error}") from error
            demand(version == OLD, f"{copy} has version {version}")
            demand(found == self.rows, f"{copy} has other rows")

    def check_rows(self, connection):
        """Everything is still there, and nothing that was deleted, or not yet imported."""
        there = {alarm["number"] for alarm in connection.call("List")["alarms"]}
        demand(there == self.numbers, f"lost {self.numbers - there}, more {there - self.numbers}")
        found = {row[0]: row[1:] for row in self.place.look("SELECT number, id, label, expression, createdAt FROM alarm")[0]}
        demand(found.keys() == there, f"there are rows of {found.keys() - there}")
        for row in self.rows["alarm"] if self.state != NEW else []:
            if row["number"] not in there:
                continue
            kept = tuple(row[name] for name in ("id", "label", "expression", "createdAt"))
            demand(found[row["number"]] == kept, f"{row['number']} was {kept} and is {found[row['number']]}")


def comes(what, condition, patience=20):
    end = time.monotonic() + patience
    while not condition():
        demand(time.monotonic() < end, f"{what} does not come")
        time.sleep(0.02)


def take_over(trial):
    """All that ran rings at its moment, once; what rang is shown; the old database is kept."""
    eggd = trial.start()
    connection = eggd.connect()
    demand(connection is not None, "eggd ended")
    trial.check_rows(connection)
    demand(trial.place.look("PRAGMA user_version") == [[(CURRENT,)]], "it has not the version of today")
    trial.check_copy()
    said = [line for line in lines(os.environ["BOX"] + "/journal.jsonl") if line.get("MESSAGE_ID") == MIGRATED]
    demand([line for line in said if line["pid"] == eggd.pid], "nobody says that it was brought up to date")
    once = ["soon", "countdown", "earlier boot", "snoozed", "overdue", "unjournaled"]
    for label in once:
        comes(f"the ring of {label}", lambda label=label: trial.entries(label))

    def elapses():
        return sum(int(entry.get("EGG_MISSED_COUNT", 1)) for entry in trial.entries("recurring"))

    comes("the end of recurring", lambda: elapses() >= 3)
    comes("bubbles", lambda: all(shown(connection, label) for label in once + ["ringing", "recurring"]))
    for label in once:
        found = trial.entries(label)
        demand(len(found) == 1, f"{label} rang {len(found)} times")
        due, at = int(found[0]["EGG_DUE_AT"]), found[0]["at"]
        demand(at >= due, f"{label} rang early")
        if label in ("soon", "countdown", "earlier boot", "snoozed"):
            demand(abs(due - trial.moments[label]) < 2_000, f"{label} rang for {due}, not {trial.moments[label]}")
            demand("EGG_LATE_REASON" not in found[0] or found[0]["EGG_LATE_REASON"] == "busy", f"{label}: {found[0]}")
    demand(trial.entries("overdue")[0].get("EGG_LATE_REASON") == "down", "overdue is late for another reason")
    demand(not trial.entries("ringing"), "what was in the journal was written again")
    demand(not trial.entries("distant"), "what is far away rang")
    demand(elapses() == 3, f"recurring rang for {elapses()} times instead of 3")
    eggd.stop()
    demand(not (damage := trial.place.damage()), f"{damage}")


def shown(connection, label):
    return "shownAt" in connection.call("Show", number=number(label))["alarm"].get("latest", {})


def count_writes(trial):
    """How many writes and syncs there are until eggd serves."""
    log = trial.place.state + "/struck"
    strike = {"STRIKE": "write,sync state before 1000000", "STRIKE_LOG": log, "STRIKE_TRACE": "1"}
    eggd = trial.start(LD_PRELOAD=os.environ["STRIKER"], **strike)
    demand(eggd.connect() is not None, "eggd ended")
    with open(log, encoding="utf-8") as file:
        return len(file.readlines())


def kill_at(trial, index, when):
    """Killed at that write; the next eggd finds everything. Whether it was struck before a client was answered."""
    log = trial.place.state + "/struck"
    first = trial.start(LD_PRELOAD=os.environ["STRIKER"], STRIKE=f"write,sync state {when} {index}", STRIKE_LOG=log)
    served = first.connect()
    if served is not None:
        # after the upgrade: a kill like any other
        first.kill()
        return False
    demand(first.was_killed, f"eggd ended with {first.process.returncode}")
    with open(log, encoding="utf-8") as file:
        demand(file.read().startswith("struck "), "nothing was struck")
    demand(not (damage := trial.place.damage()), f"{damage}")
    if os.path.exists(trial.place.database) and trial.state != NEW:
        version = trial.place.look("PRAGMA user_version")[0][0][0]
        demand(version in (OLD, CURRENT), f"it has version {version} after the kill")
        if version == CURRENT:
            trial.check_copy()
    second = trial.start()
    try:
        connection = second.connect()
        demand(connection is not None, f"the next eggd ended with {second.process.returncode}")
        trial.check_rows(connection)
        demand(trial.place.look("PRAGMA user_version") == [[(CURRENT,)]], "it has not the version of today")
        if trial.state != NEW:
            trial.check_copy()
            comes("the ring of what was overdue", lambda: trial.entries("overdue"))
            comes("the entry of what rang", lambda: trial.entries("unjournaled"))
            comes("the bubble of what rang", lambda: shown(connection, "ringing"))
        else:
            demand(connection.call("Schedule", expression="1h")["alarm"]["number"] == 1, "not the first")
    finally:
        second.kill()
    return True


def attempt(trial_and_act):
    name, fixtures, state, soon, act = trial_and_act
    trial = None
    try:
        trial = Trial(name, fixtures, state, soon)
        return state, act(trial), None
    except (Fault, Gone, TimeoutError, subprocess.TimeoutExpired, sqlite3.DatabaseError) as error:
        return state, False, f"{name}: {type(error).__name__} {error}"
    finally:
        if trial:
            shutil.rmtree(os.path.dirname(trial.place.state), ignore_errors=True)


def contents(place):
    """Every file of the state directory, by its name, but for the lock."""
    found = {}
    for path in sorted(glob.glob(os.path.dirname(place.database) + "/*")):
        if os.path.basename(path) != "lock":
            with open(path, "rb") as file:
                found[os.path.basename(path)] = hashlib.sha256(file.read()).hexdigest()
    return found


def current_version():
    """The version of the databases that this eggd makes."""
    place = Place.new("current")
    eggd = Eggd(place)
    eggd.connect()
    eggd.stop()
    return place.look("PRAGMA user_version")[0][0][0]


def refuse(name, says, make):
    """eggd ends with 78, and has touched nothing."""
    place = Place.new(name)
    os.mkdir(os.path.dirname(place.database), 0o700)
    make(place)
    before = contents(place)
    eggd = Eggd(place)
    demand(eggd.wait() == 78, f"it ended with {eggd.process.returncode}")
    after = contents(place)
    # an index of the log is no part of the database, and empty where there is no log
    demand({name: after.get(name) for name in before} == before, f"before {before}, after {after}")
    extra = set(after) - set(before) - {"schedule.db-shm", "schedule.db-wal", "unrecorded"}
    demand(not extra, f"new files: {extra}")
    with open(place.errors, encoding="utf-8") as file:
        said = file.read()
    demand(says in said, f"it says {said}")


def older(fixtures, place):
    shutil.copy(f"{fixtures}/plain.db", place.database)
    connection = sqlite3.connect(place.database)
    connection.execute(f"PRAGMA user_version = {OLD - 1}")
    connection.close()


def newer(isInLog, place):
    """A database of the next version, which may stand in the log alone."""
    eggd = Eggd(place)
    connection = eggd.connect()
    for _ in range(9):
        connection.call("Schedule", expression="1h")
    eggd.stop()
    connection = sqlite3.connect(place.database)
    connection.execute(f"PRAGMA user_version = {CURRENT + 1}")
    connection.execute("CREATE TABLE tomorrow (egg)")
    connection.commit()
    if isInLog:
        # as a newer eggd leaves it that was killed
        for suffix in ("", "-wal"):
            shutil.copy(place.database + suffix, place.database + suffix + ".kept")
        connection.close()
        for suffix in ("", "-wal"):
            os.replace(place.database + suffix + ".kept", place.database + suffix)
        demand(rows(place.database)[1] <= CURRENT, "the log was written back")
    else:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()


# the version of the fixtures
OLD = 11
# no database
NEW = "nothing"
CURRENT = 0


def main():
    global CURRENT
    seconds, fixtures = float(sys.argv[1]), sys.argv[2]
    claims, chance = Claims(), random.Random(f"{os.environ['TORTURE_SEED']} upgrade")
    begin = time.monotonic()
    states = sorted(os.path.basename(path)[:-3] for path in glob.glob(f"{fixtures}/*.db"))
    CURRENT = current_version()
    with ThreadPoolExecutor(8) as pool:
        whole = [(f"whole {state}", fixtures, state, 1_500_000, take_over) for state in states]
        for state, _, fault in pool.map(attempt, whole):
            claims.check(
                f"{state}: running alarms ring at their moment, once, and ringing ones are shown", [fault] if fault else [])
        states = [NEW] + states
        counted = [(f"count {state}", fixtures, state, DISTANT, count_writes) for state in states]
        writes = {}
        for state, count, fault in pool.map(attempt, counted):
            claims.check(f"{state}: {count} writes and syncs until it serves", [fault] if fault else [])
            writes[state] = count or 0
        # every write, in an order by which any first part of them lies all over
        points = [(state, index) for state in states for index in range(1, writes[state] + 1)]
        chance.shuffle(points)
        struck, faults, next_point = {}, {}, 0
        # whatever the time, one write of each state is struck
        while next_point < len(points) and (
            time.monotonic() - begin < seconds - 1 or not all(struck.get(state) or state in faults for state in states)
        ):
            some = [
                (f"{state} {index}", fixtures, state, DISTANT,
                 lambda trial, index=index: kill_at(trial, index, chance.choice(["before", "amid"])))
                for state, index in points[next_point : next_point + 8]
            ]
            next_point += len(some)
            for state, was_struck, fault in pool.map(attempt, some):
                struck[state] = struck.get(state, 0) + was_struck
                if fault:
                    faults.setdefault(state, []).append(fault)
    for state in states:
        if not struck.get(state):
            faults.setdefault(state, []).append("none of its writes was struck")
        claims.check(
            f"{state}, killed at {struck.get(state, 0)} of its {writes[state]} writes: nothing is lost,"
            + (" as there is nothing" if state == NEW else " and the old database is whole"),
            faults.get(state, []),
        )
    for what, says, make in (
        ("an older database", "was written by an eggd too old for this one", lambda place: older(fixtures, place)),
        ("a newer database in the file", "was written by a newer eggd", lambda place: newer(False, place)),
        ("a newer database in the log", "was written by a newer eggd", lambda place: newer(True, place)),
    ):
        try:
            refuse(what, says, make)
            found = []
        except (Fault, sqlite3.DatabaseError) as fault:
            found = [str(fault)]
        claims.check(f"{what} is refused with exit status 78, and not touched", found)
    claims.figure(
        f"seed {os.environ['TORTURE_SEED']}: {sum(struck.values())} kills in {time.monotonic() - begin:.0f} s; "
        f"left out: {len(points) - next_point} of {len(points)} writes and syncs"
    )
    return min(claims.failed, 1)


if __name__ == "__main__":
    sys.exit(main())
