"""flips.py - bytes of a database flipped at random: eggd starts on every copy, and says what became of it.

usage: flips.py COPIES SECONDS
"""

import collections
import concurrent.futures
import os
import shutil
import sqlite3
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from torture import *  # noqa: E402

ALARMS, GROUPS = 300, 5
# copies that are looked at however little time there is
LEAST = 20
# at most so many of these alarms are in one page of the file
PAGE = 40


def build(place):
    """A database with some of everything, and all in the file itself."""
    draw = seeded("flips", "build")
    eggd = place.eggd("build")
    assert eggd.start(), eggd.told()
    client = eggd.client()
    for index in range(GROUPS):
        client.call("CreateGroup", name=f"group {index}", color="red")
    for index in range(ALARMS):
        call = {"expression": draw.choice(["2h", "tomorrow 07:30", "Mon..Fri 07:30"]), "label": f"egg {index}",
                "eggs": draw.randint(1, 12), "body": "x" * draw.randint(0, 300)}
        if index % 7 == 0:
            call["group"] = f"group {index % GROUPS}"
        client.call("Schedule", **call)
    client.call("Schedule", expression="50ms", label="rung")
    eventually(lambda: client.alarms()[ALARMS + 1]["state"] == "ringing")
    client.call("Delete", numbers=[3])
    alarms = {number: content(alarm) for number, alarm in client.alarms().items()}
    eggd.end()
    database = sqlite3.connect(eggd.database)
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    return eggd.database, alarms


def content(alarm):
    return {key: value for key, value in alarm.items() if key not in ("latest", "state", "due")}


def flip(data, draw):
    """One to eight bytes, somewhere or close together; where."""
    data = bytearray(data)
    places = []
    base = draw.randrange(len(data))
    together = draw.random() < 0.5
    for _ in range(draw.choice([1, 1, 1, 2, 4, 8])):
        place = min(len(data) - 1, base + draw.randrange(64)) if together else draw.randrange(len(data))
        data[place] ^= draw.randrange(1, 256)
        places.append(place)
    return bytes(data), sorted(places)


def what_sqlite_says(path):
    """'ok', or what SQLite finds wrong with a copy of that file."""
    try:
        database = sqlite3.connect(path)
        try:
            return database.execute("PRAGMA integrity_check(1)").fetchone()[0].splitlines()[0]
        finally:
            database.close()
    except sqlite3.DatabaseError as error:
        return str(error)


class Copy:
    """What became of one."""

    def __init__(self, place, original, alarms, number):
        self.number = number
        self.draw = seeded("flips", number)
        self.flipped, self.places = flip(original, self.draw)
        self.expected = alarms
        self.outcome, self.kept, self.reason = "failed", 0, ""
        self.eggd = place.eggd(f"copy-{number}")
        os.makedirs(self.eggd.directory, mode=0o700)
        with open(self.eggd.database, "wb") as file:
            file.write(self.flipped)
        self.faults = []

    def fault(self, text):
        self.faults.append(f"copy {self.number}, bytes {self.places}: {text}")

    def run(self):
        if self.eggd.start():
            try:
                self.look()
            except (OSError, Refused) as error:
                self.fault(f"eggd: {error!r}, {self.eggd.told()[-3:]}")
            if self.eggd.process.poll() is None:
                self.eggd.end()
            elif self.eggd.process.returncode:
                self.fault(f"eggd ended with {self.eggd.process.returncode}")
        else:
            self.outcome = "refused"
            told = " ".join(line for line in self.eggd.told() if line.startswith(("<3>Cannot start", "eggd: error: ")))
            if self.eggd.process.poll() is None or self.eggd.process.returncode not in (1, 78) or not told:
                self.fault(f"no answer and no reason: {self.eggd.process.returncode} {self.eggd.told()[-3:]}")
            self.reason = told
        self.judge_files()
        shutil.rmtree(self.eggd.place)

    def look(self):
        client = self.eggd.client()
        self.listed = self.alarms(client)
        made = client.call("Schedule", expression="30ms", label="after")["alarm"]["number"]
        if made in self.expected:
            self.fault(f"number {made} was given again")
        if not eventually(lambda: self.alarms(client)[made]["state"] == "ringing", 5):
            self.fault("a new alarm does not ring")
        salvaged = [line for line in self.eggd.told() if "set aside as" in line]
        self.outcome = "salvaged" if salvaged else "opened"
        self.listed = self.alarms(client)
        del self.listed[made]
        self.kept = sum(content(alarm) == self.expected.get(number) for number, alarm in self.listed.items())

    def alarms(self, client):
        """The list; after the salvage, where that very list finds the damage."""
        try:
            return client.alarms()
        except Refused as refused:
            if refused.name != "StoreUnavailable":
                raise
            return eventually(lambda: self.list_again(client))

    def list_again(self, client):
        try:
            return client.alarms()
        except Refused:
            return None

    def judge_files(self):
        """Nothing is overwritten: what was damaged is where it was, or set aside, byte for byte."""
        names = os.listdir(self.eggd.directory)
        aside = [name for name in names if ".corrupt-" in name and not name.endswith(("-wal", "-shm"))]
        self.aside = len(aside)
        if self.outcome == "refused":
            with open(self.eggd.database, "rb") as file:
                if file.read() != self.flipped:
                    self.fault("was refused, and yet written to")
        elif self.outcome == "salvaged":
            with open(f"{self.eggd.directory}/{sorted(aside)[0]}", "rb") as file:
                first = file.read()
            # a copy that opened at first may have been written to before the damage was met
            if len(first) < len(self.flipped):
                self.fault("what was set aside is not whole")
            if len(aside) > 1:
                self.fault(f"{len(aside)} files were set aside")
            said = what_sqlite_says(self.eggd.database)
            if said != "ok":
                self.fault(f"the salvaged file is not sound: {said}")


def main():
    copies, seconds = int(sys.argv[1]), float(sys.argv[2])
    begin = time.monotonic()
    outcomes, kept, faults = collections.Counter(), {"opened": [], "salvaged": []}, []
    poor, refusals = [], collections.Counter()
    with Place() as place:
        path, alarms = build(place)
        with open(path, "rb") as file:
            original = file.read()
        done = 0

        def work(number):
            if time.monotonic() - begin > seconds and number >= LEAST:
                return None
            copy = Copy(place, original, alarms, number)
            copy.run()
            return copy

        # what takes time are processes
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            for copy in pool.map(work, range(copies)):
                if not copy:
                    continue
                done += 1
                outcomes[copy.outcome] += 1
                faults += copy.faults
                if copy.outcome == "refused":
                    refusals[copy.reason] += 1
                elif copy.outcome in kept:
                    kept[copy.outcome].append(copy.kept)
                    if copy.kept < len(alarms) - PAGE * len(copy.places):
                        poor.append(copy)
    check(f"{done} copies with bytes flipped at random: each is opened, salvaged or refused, and said so",
          not faults and done, "\n".join(faults[:20]))
    figure(f"copies {done}: opened {outcomes['opened']}, salvaged {outcomes['salvaged']}, refused "
           f"{outcomes['refused']}; {time.monotonic() - begin:.0f} s, {len(original)} bytes each")
    # through the first page of the table of alarms SQLite finds all others
    check("no byte costs more alarms than a page has, but one of the page that names all others",
          not [copy for copy in poor if not any(place // 4096 == 1 for place in copy.places)],
          "\n".join(f"copy {copy.number}, bytes {copy.places}: kept {copy.kept} of {len(alarms)}" for copy in poor))
    for copy in poor:
        figure(f"  copy {copy.number}, bytes {copy.places}: kept {copy.kept}")
    for outcome, counts in kept.items():
        figure(f"{outcome}: alarms that are as they were, of {len(alarms)}: {spread(counts)}")
    for reason, count in refusals.items():
        figure(f"  refused {count}: {reason}")
    finish()


main()
