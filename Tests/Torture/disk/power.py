"""power.py - the power goes: what was written and not synced is lost, in part, or torn, at any moment.

Every write of an eggd at work is recorded (faults.c). For many moments the disk is made as it may be after a power loss
then: what was synced is there, of what was not any sectors, and of the names that were not synced any number in order.
Then eggd, or SQLite alone, has to find all that was acknowledged by that moment, and nothing that was never asked for.

usage: power.py SHIM MOMENTS SECONDS
"""

import json
import os
import shutil
import sqlite3
import struct
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from torture import *  # noqa: E402

CREATE, WRITE, TRUNCATE, SYNC, SYNCED, RENAME, UNLINK, SYNC_NAMES, SYNCED_NAMES = range(1, 10)
SECTOR = 512
# moments that are looked at however little time there is
LEAST = 4
FIXTURE = f"{ROOT}/Tests/Fixtures/version11/deleting-listed"


class Control:
    """struct control of faults.c"""

    def __init__(self, place):
        self.path, self.log = f"{place}/control", f"{place}/log"
        with open(self.path, "wb") as file:
            file.write(bytes(4096))

    @property
    def position(self):
        with open(self.path, "rb") as file:
            return struct.unpack("Q", file.read(8))[0]

    def environment(self, shim, directory):
        return {"LD_PRELOAD": shim, "FAULTS_DIRECTORY": directory, "FAULTS_CONTROL": self.path, "FAULTS_LOG": self.log}


def read_log(path):
    """(kind, name, inode, offset, data), in order."""
    records = []
    with open(path, "rb") as file:
        while head := file.read(32):
            kind, name, inode, offset, data = struct.unpack("IIQqQ", head)
            records.append((kind, file.read(name).decode(), inode, offset, file.read(data)))
    return records


class File:
    """What is on the disk of one, and what only may be."""

    def __init__(self, data=b""):
        self.synced = bytearray(data)
        self.pending = []  # (kind, offset, data), in order
        self.begun = 0  # of those, how many the sync that has begun covers

    def change(self, *operation):
        self.pending.append(operation)

    def sync(self):
        self.begun = len(self.pending)

    def was_synced(self):
        for operation in self.pending[:self.begun]:
            apply(self.synced, operation)
        self.pending, self.begun = self.pending[self.begun:], 0

    def after_loss(self, draw):
        """What may be left: of the writes that were not synced all, none, the first, or any sectors."""
        data = bytearray(self.synced)
        manner = draw.choice(["all", "none", "first", "sectors", "sectors"])
        kept = self.pending
        if manner == "none":
            kept = []
        elif manner == "first":
            kept = kept[:draw.randint(0, len(kept))]
        for kind, offset, written in kept:
            if manner == "sectors" and kind == WRITE:
                for start in range(0, len(written), SECTOR):
                    if draw.random() < 0.5:
                        apply(data, (kind, offset + start, written[start:start + SECTOR]))
            else:
                apply(data, (kind, offset, written))
        return bytes(data)


def apply(data, operation):
    kind, offset, written = operation
    if kind == TRUNCATE:
        del data[offset:]
        data.extend(bytes(offset - len(data)))
    else:
        data.extend(bytes(max(0, offset - len(data))))
        data[offset:offset + len(written)] = written


class Disk:
    """The files of one directory, played from a log."""

    def __init__(self, files=None, lies=False):
        self.files = {}  # by id
        self.ids = {}  # by inode
        self.names = {}  # on the disk
        self.pending = []  # changes of names that are not synced
        self.begun = 0
        self.lies = lies
        for name, (inode, data) in (files or {}).items():
            self.names[name] = self.add(inode, data)

    def add(self, inode, data=b""):
        self.ids[inode] = len(self.files)
        self.files[len(self.files)] = File(data)
        return self.ids[inode]

    def play(self, record):
        kind, name, inode, offset, data = record
        name = os.path.basename(name)
        file = self.files.get(self.ids.get(inode))
        if kind == CREATE:
            self.pending.append((CREATE, name, self.add(inode)))
        elif kind == RENAME:
            self.pending.append((RENAME, name, os.path.basename(data.decode())))
        elif kind == UNLINK:
            self.pending.append((UNLINK, name, None))
        elif kind in (WRITE, TRUNCATE) and file:
            file.change(kind, offset, data)
        elif kind == SYNC and file and not self.lies:
            file.sync()
        elif kind == SYNCED and file and not self.lies:
            file.was_synced()
        elif kind == SYNC_NAMES:
            self.begun = len(self.pending)
        elif kind == SYNCED_NAMES:
            self.rename(self.pending[:self.begun], self.names)
            self.pending, self.begun = self.pending[self.begun:], 0

    @staticmethod
    def rename(changes, names):
        for kind, name, other in changes:
            if kind == CREATE:
                names[name] = other
            elif kind == RENAME and name in names:
                names[other] = names.pop(name)
            elif kind == UNLINK:
                names.pop(name, None)

    def after_loss(self, draw):
        """Contents by name."""
        names = dict(self.names)
        self.rename(self.pending[:draw.randint(0, len(self.pending))], names)
        return {name: self.files[number].after_loss(draw) for name, number in names.items()}


def put(contents, directory):
    os.makedirs(directory, mode=0o700)
    for name, data in contents.items():
        with open(f"{directory}/{name}", "wb") as file:
            file.write(data)


class Many:
    """Changes of many alarms, each in one transaction; others come meanwhile."""

    COUNT = 600

    def __init__(self, eggd, control, acknowledge):
        self.client, self.control, self.acknowledge = eggd.client(), control, acknowledge
        self.labels = {}
        instant = int((time.time() + 86_400) * 1e6)
        for first in range(0, self.COUNT, 100):
            self.client.call("ImportAlarms", alarms=[
                {"alarm": {"number": 0, "state": "scheduled", "done": False, "category": "soft", "eggs": 1, "kind": "at",
                           "label": f"many {index}", "expression": "tomorrow", "instant": instant},
                 "occurrences": []} for index in range(first, first + 100)])

    def commit(self):
        self.client.send("CommitImport")

    def committed(self):
        sequence, position = self.client.receive()["sequence"], self.control.position
        self.labels = {number: alarm["label"] for number, alarm in self.client.alarms().items()
                       if alarm["label"].startswith("many ")}
        assert len(self.labels) == self.COUNT
        self.acknowledge(sequence, self.labels, position)

    def delete_and_undo(self):
        reply = self.client.call("Delete", ranges=[{"first": min(self.labels), "last": max(self.labels)}])
        assert sorted(reply["deleted"]) == sorted(self.labels)
        self.acknowledge(reply["sequence"], dict.fromkeys(self.labels))
        reply = self.client.call("Undo")
        assert reply["count"] == self.COUNT
        self.acknowledge(reply["sequence"], self.labels)

    def edit(self):
        self.client.send("Edit", ranges=[{"first": min(self.labels), "last": max(self.labels)}], label="many more")

    def edited(self):
        reply = self.client.receive()
        assert reply["count"] == self.COUNT, reply
        self.acknowledge(reply["sequence"], dict.fromkeys(self.labels, "many more"))


class Work:
    """An eggd that makes, edits and deletes alarms, some of which ring meanwhile; and what it acknowledged when."""

    def __init__(self, place, shim, changes):
        draw = seeded("power", "work")
        self.eggd = place.eggd("work")
        control = Control(self.eggd.place)
        assert self.eggd.start(**control.environment(shim, self.eggd.directory)), self.eggd.told()
        client = self.eggd.client()
        self.acknowledged = []  # (position in the log, sequence)
        effects = []  # (sequence, labels by number; None for a deleted one)

        def acknowledge(sequence, labels, position=None):
            self.acknowledged.append((position or control.position, sequence))
            effects.append((sequence, labels))

        waiting, made, many = [], [], None
        for index in range(changes):
            if index == changes // 4:
                many = Many(self.eggd, control, acknowledge)
                many.commit()
            elif index == changes // 2:
                many.committed()
                # nothing else is the last change, which undo takes back
                while waiting:
                    self.answered(client.receive(), made, acknowledge, *waiting.pop(0))
                many.delete_and_undo()
            elif index == changes * 3 // 4:
                many.edit()
            elif index == changes - 1:
                many.edited()
            kind = draw.choice(["schedule", "schedule", "schedule", "edit", "delete"]) if len(made) > 5 else "schedule"
            label = f"egg {index}"
            if kind == "schedule":
                body = "x" * draw.randint(0, 900)
                soon = draw.random() < 0.05
                client.send("Schedule", expression="20ms" if soon else "3h", label=label, body=body)
            elif kind == "edit":
                client.send("Edit", numbers=[draw.choice(made)], label=label)
            else:
                client.send("Delete", numbers=[made.pop(draw.randrange(len(made)))])
            waiting.append((kind, label))
            while waiting and (len(waiting) > draw.randint(0, 8) or index == changes - 1):
                self.answered(client.receive(), made, acknowledge, *waiting.pop(0))
        self.eggd.kill()
        self.log = read_log(control.log)
        self.states = {0: {}}  # labels by number, by sequence
        labels = {}
        for sequence, effect in sorted(effects, key=lambda one: one[0]):
            labels = {number: label for number, label in (labels | effect).items() if label is not None}
            self.states[sequence] = labels

    @staticmethod
    def answered(reply, made, acknowledge, kind, label):
        # a ring counts too, and changes no label
        if kind == "schedule":
            made.append(reply["alarm"]["number"])
            labels = {made[-1]: label}
        elif kind == "edit":
            labels = {reply["alarms"][0]["number"]: label}
        else:
            labels = dict.fromkeys(reply["deleted"])
        acknowledge(reply["sequence"], labels)

    def acknowledged_by(self, position):
        return max((sequence for where, sequence in self.acknowledged if where <= position), default=0)

    def judge(self, position, sequence, labels):
        """What is wrong with a schedule that was found after a power loss there; None where nothing is. Without a
        sequence, for an eggd has rung what was late by then, the labels alone are looked at."""
        least = self.acknowledged_by(position)
        if sequence is None:
            later = [number for number in self.states if number >= least]
            sequence = next((number for number in later if self.states[number] == labels), least)
        if sequence < least:
            return f"change {least} was acknowledged, {sequence} is the last that is there"
        known = max(number for number in self.states if number <= sequence)
        if labels != self.states[known]:
            lost = sorted(self.states[known].items() - labels.items())[:3]
            more = sorted(labels.items() - self.states[known].items())[:3]
            return f"at change {sequence}: lost or changed {lost}, instead {more}"
        return None


def found_by_sqlite(directory):
    """(sequence, labels); None for no database yet."""
    if not os.path.exists(f"{directory}/schedule.db"):
        return None
    database = sqlite3.connect(f"{directory}/schedule.db")
    try:
        said = database.execute("PRAGMA integrity_check(1)").fetchone()[0]
        if said != "ok":
            return said
        if not database.execute("SELECT 1 FROM sqlite_schema WHERE name = 'alarm'").fetchone():
            return None
        sequence = database.execute("SELECT sequence FROM schedule").fetchone()[0]
        return sequence, dict(database.execute("SELECT number, label FROM alarm"))
    except sqlite3.DatabaseError as error:
        return str(error)
    finally:
        database.close()


def found_by_eggd(place, name, contents):
    """The same as eggd tells it, or what it says instead."""
    eggd = place.eggd(name)
    put(contents, eggd.directory)
    try:
        if not eggd.start():
            return f"eggd does not start: {eggd.told()[-2:]}"
        if any("set aside" in line for line in eggd.told()):
            return f"eggd found it corrupt: {eggd.told()[:2]}"
        return None, {number: alarm["label"] for number, alarm in eggd.client().alarms().items()}
    finally:
        eggd.kill()
        place.daemons.remove(eggd)
        shutil.rmtree(eggd.place, ignore_errors=True)


def lose_power(place, work, moments, end, lies=False):
    """Faults found at so many moments, as long as there is time; (faults, looked at by SQLite, by eggd)."""
    faults, looked, started = [], 0, 0
    draw = seeded("power", "moments")
    positions = sorted(draw.sample(range(len(work.log) + 1), min(moments, len(work.log) + 1)))
    disk, played = Disk(lies=lies), 0
    for number, position in enumerate(positions):
        if time.monotonic() > end and number >= LEAST:
            break
        while played < position:
            disk.play(work.log[played])
            played += 1
        contents = disk.after_loss(seeded("power", "loss", number))
        directory = f"{place.path}/loss"
        put(contents, directory)
        found = found_by_sqlite(directory)
        shutil.rmtree(directory)
        looked += 1
        answers = [("SQLite", found)]
        if not lies and number % 8 == 0:
            answers.append(("eggd", found_by_eggd(place, f"loss-{number}", contents)))
            started += 1
        for who, found in answers:
            if isinstance(found, str):
                faults.append(f"{position} of {len(work.log)}, {who}: {found}")
            else:
                fault = work.judge(position, *(found or (0, {})))
                if fault:
                    faults.append(f"{position} of {len(work.log)}, {who}: {fault}")
        if lies and faults:
            break
    return faults, looked, started


def lose_power_while(place, shim, what, original, expected, says, moments, end):
    """The power goes while eggd, at its start, puts an old or damaged file in order."""
    eggd = place.eggd(what)
    os.makedirs(eggd.directory, mode=0o700)
    with open(eggd.database, "wb") as file:
        file.write(original)
    inode = os.stat(eggd.database).st_ino
    control = Control(eggd.place)
    eggd.start(**control.environment(shim, eggd.directory))
    eggd.kill()
    check(f"{what}: eggd does it", any(says in line for line in eggd.told()), eggd.told())
    log = read_log(control.log)
    draw = seeded("power", what)
    positions = sorted(draw.sample(range(len(log) + 1), min(moments, len(log) + 1)))
    disk, played, looked, faults = Disk({"schedule.db": (inode, original)}), 0, 0, []
    for number, position in enumerate(positions):
        if time.monotonic() > end and number >= LEAST:
            break
        while played < position:
            disk.play(log[played])
            played += 1
        contents = disk.after_loss(seeded("power", what, number))
        after = place.eggd(f"{what}-{number}")
        put(contents, after.directory)
        looked += 1
        try:
            if not after.start():
                faults.append(f"{position} of {len(log)}: eggd does not start: {after.told()[-2:]}")
            else:
                alarms = {number: alarm.get("label") for number, alarm in after.client().alarms().items()}
                if alarms != expected:
                    faults.append(f"{position} of {len(log)}: {len(alarms)} of {len(expected)} alarms, {after.told()}")
        except (OSError, Refused) as error:
            faults.append(f"{position} of {len(log)}: {error!r} {after.told()[-2:]}")
        after.kill()
        place.daemons.remove(after)
        shutil.rmtree(after.place)
    check(f"{what}: the power goes at any moment of it, and every alarm is there", looked and not faults,
          "\n".join(faults[:10]))
    figure(f"{what}: {len(log)} operations, {looked} moments")


def damaged(place):
    """A sound database of 40 alarms without its definitions of tables, and the labels."""
    eggd = place.eggd("to-damage")
    assert eggd.start(), eggd.told()
    client = eggd.client()
    for index in range(40):
        client.call("Schedule", expression="3h", label=f"egg {index}")
    labels = {number: alarm["label"] for number, alarm in client.alarms().items()}
    eggd.end()
    database = sqlite3.connect(eggd.database)
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    with open(eggd.database, "rb") as file:
        data = bytearray(file.read())
    data[0:100] = bytes(100)
    return bytes(data), labels


def main():
    shim, moments, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
    begin = time.monotonic()
    with Place() as place:
        work = Work(place, shim, 400)
        faults, looked, started = lose_power(place, work, moments, begin + seconds * 0.6)
        check(f"the power goes at {looked} moments: all that was acknowledged is there, and nothing else", not faults,
              "\n".join(faults[:10]))
        figure(f"{len(work.log)} operations of {len(work.acknowledged)} acknowledged changes; {looked} moments looked "
               f"at by SQLite, {started} by eggd")
        lies, _, _ = lose_power(place, work, moments, begin + seconds * 0.7, lies=True)
        check("a disk that lies about what it synced would be found out", lies)
        with open(f"{FIXTURE}.db", "rb") as file:
            old = file.read()
        with open(f"{FIXTURE}.json", encoding="utf-8") as file:
            labels = {alarm["number"]: alarm["label"] for alarm in json.load(file)["alarms"]}
        lose_power_while(place, shim, "a migration", old, labels, "Migrated", max(moments // 8, LEAST), begin + seconds * 0.85)
        data, labels = damaged(place)
        lose_power_while(place, shim, "a salvage", data, labels, "set aside", max(moments // 8, LEAST), begin + seconds)
    finish()


main()
