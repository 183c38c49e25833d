#!/usr/bin/env python3
"""converge.py - two machines with an eggd each, eggctl sync and vdirsyncer, one Radicale; a third client writes to the server.

usage: converge.py [--operations N]
In rounds, alarms and entries are added, changed and deleted on the three sides at random, while eggctl sync and eggd are
killed; then all is carried around until nothing is left to do. In calm rounds each alarm is touched on one side only: then
it is known what must be there. In the others two sides may touch the same: then all must agree, nothing that was only
deleted may come back, and nothing that was only added may be gone. After each round PyPI's icalendar compares each entry
that the third client has made or changed: only lines of fields that were edited here may differ. After each third round all
but none, one or two are deleted. Ends after N operations, else after TORTURE_SECONDS.
"""

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import foreign  # noqa: E402
from calendars import YEAR, configure  # noqa: E402
from torture import EGGCTL, PATIENCE, SECONDS, SEED, Eggd, Place, check, eventually, figure, finish, seeded  # noqa: E402

TIMES = [
    "{y}-{m:02}-{d:02} {h:02}:{i:02}", "{y}-{m:02}-{d:02} {h:02}:{i:02} Asia/Seoul", "Mon..Fri {h:02}:{i:02}", "every {d} days at {h:02}:{i:02}",
    "{m}00h", "every {h} hours", "*-{m:02}-{d:02} {h:02}:{i:02}",
]
# What comes too soon or too often for leads of days.
LEADLESS = ("00h", "hours")
LEADS = [["15min"], ["0s", "1d"], ["1d 2h", "30min", "0s"], []]
PER_ROUND = 40
MOST = 200
LEAST = 20


def moment(dice):
    text = dice.choice(TIMES)
    return text.format(y=YEAR, m=dice.randint(1, 12), d=dice.randint(2, 28), h=dice.randint(2, 23), i=dice.randint(0, 59))


class Machine:
    """An eggd, its folder, and vdirsyncer's way to the server."""

    def __init__(self, place, name, server, dice):
        self.eggd = place.eggd(name)
        self.name, self.dice = name, dice
        self.home = self.eggd.place
        self.folder = f"{self.home}/.local/share/eggd/calendars/alarms"
        os.makedirs(self.folder)
        configure(self.home, os.path.dirname(self.folder), server.port)
        self.eggd.start()
        self.vdirsyncer("discover")
        self.client = self.eggd.client()
        self.kills = 0
        # By UID: the fields that were edited here since the entries were last compared.
        self.edited = {}

    def vdirsyncer(self, verb="sync"):
        result = subprocess.run(
            ["vdirsyncer", verb], env=self.eggd.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300)
        if result.returncode:
            check(f"vdirsyncer {verb} on {self.name}", False, result.stderr)

    def sync(self, kills=False):
        """What it says; None if it was killed."""
        process = subprocess.Popen(
            [EGGCTL, "sync"], env=self.eggd.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if kills and self.dice.random() < 0.5:
            time.sleep(self.dice.random() * 0.06)
            process.kill()
            self.kills += 1
        if kills and self.dice.random() < 0.2:
            self.eggd.kill()
            self.kills += 1
            process.communicate(timeout=PATIENCE)
            self.eggd.start()
            self.client = self.eggd.client()
            return None
        output, errors = process.communicate(timeout=PATIENCE)
        if process.returncode == 0:
            return output.decode().strip()
        if process.returncode != -signal.SIGKILL:
            check(f"eggctl sync on {self.name}", False, errors.decode())
        return None

    def alarms(self):
        """By label."""
        return {alarm.get("label"): alarm for alarm in self.client.alarms().values()}

    def known(self):
        """What sync knows of entries."""
        place = f"{self.eggd.state}/eggctl/sync"
        found = []
        for name in os.listdir(place) if os.path.isdir(place) else []:
            if "." not in name:
                with open(f"{place}/{name}", encoding="utf-8") as file:
                    found += [json.loads(line) for line in file.read().splitlines()[1:]]
        return found

    def apart(self):
        """Alarms whose time their file cannot have."""
        return {entry["id"] for entry in self.known() if "apart" in entry}

    def note(self, alarm, *fields):
        for entry in self.known():
            if entry.get("id") == alarm["id"]:
                self.edited.setdefault(entry["uid"], set()).update(fields)

    def shown(self, apart):
        """What both machines must agree on."""
        fields = ["label", "category", "eggs", "group", "note", "body", "done", "leads", "kind", "civil", "calendarEvent", "interval", "rule", "instant"]
        shown = []
        for alarm in self.client.alarms().values():
            # The one that it was made on keeps a countdown as such, to the microsecond.
            if alarm["kind"] == "in":
                alarm = {**alarm, "kind": "at", "instant": alarm.get("due") or alarm.get("doneDue")}
            row = {name: alarm.get(name) for name in (fields if alarm["id"] not in apart else fields[:7])}
            if row.get("instant") is not None:
                row["instant"] //= 2_000_000
            # Both may have been given their zone by different words.
            shown.append(tuple(sorted((name, str(value)) for name, value in row.items() if name != "instant" or alarm["kind"] == "at")))
        return sorted(shown)

    def operate(self, model, label, new):
        """One operation on one alarm, as a person would make it; the label that it then has, None if it is gone."""
        alarms = self.alarms()
        if label is None:
            category = self.dice.choice(["soft", "hard", "other"])
            expression = moment(self.dice)
            leads = [] if expression.endswith(LEADLESS) else self.dice.choice(LEADS)
            self.client.call("Schedule", expression=expression, zone="UTC", label=new, category=category, leads=leads)
            model[new] = False
            return new
        if label not in alarms:
            return label
        alarm = alarms[label]
        ids = [alarm["id"]]
        kind = self.dice.randrange(10)
        if kind == 0:
            self.client.call("Delete", ids=ids)
            model.pop(label)
            return None
        if kind == 1:
            self.note(alarm, "label")
            self.client.call("Edit", ids=ids, label=new)
            model[new] = model.pop(label)
            return new
        if kind == 2:
            self.note(alarm, "time")
            expression = moment(self.dice)
            while expression.endswith(LEADLESS) and "leads" in alarm:
                expression = moment(self.dice)
            self.client.call("Edit", ids=ids, expression=expression, zone="UTC")
            model[label] = False
        elif kind == 3:
            self.note(alarm, "note")
            self.client.call("Edit", ids=ids, note=f"note of {new}", eggs=self.dice.randint(1, 9))
        elif kind == 4:
            self.note(alarm, "done")
            self.client.call("MarkDone", ids=ids, done=not model[label])
            model[label] = not model[label]
        elif kind == 5 and alarm["kind"] != "in" and "interval" not in alarm and not alarm["done"]:
            self.note(alarm, "leads")
            self.client.call("Edit", ids=ids, leads=self.dice.choice(LEADS))
        elif kind >= 7 and alarm["kind"] == "every" and alarm["state"] == "scheduled":
            # It stays on this machine: no line of the file changes.
            self.client.call("Skip", ids=ids)
        else:
            self.note(alarm, "text")
            self.client.call("Edit", ids=ids, body=f"Text, of {new};\nline 2", category="medium")
        return label


class Trial:
    def __init__(self, place):
        self.dice = seeded("converge")
        self.server = foreign.Phone(place.path)
        self.machines = [Machine(place, name, self.server, seeded("machine", name)) for name in ("laptop", "desktop")]
        self.model = {}
        self.count = 0
        self.compared = 0

    def round(self, calm):
        touched, gone, added = set(), set(), set()
        for _ in range(PER_ROUND):
            self.count += 1
            side = self.dice.randrange(3)
            free = sorted(set(self.model) - touched)
            new = f"egg-{self.count}"
            adds = len(self.model) < LEAST or (self.dice.random() < 0.4 and len(self.model) < MOST) or not free
            label = None if adds else self.dice.choice(free)
            if side < 2:
                result = self.machines[side].operate(self.model, label, new)
                if result is None:
                    gone.add(label)
                touched.update({label, result} - {None})
            elif label is None:
                if self.server.add(new, self.dice):
                    self.model[new] = False
                touched.add(new)
            elif label in self.server.entries():
                touched.add(label)
                if self.dice.random() < 0.3:
                    self.server.delete(label)
                    self.model.pop(label)
                    gone.add(label)
                else:
                    title, mark = self.server.change(label, new, self.dice)
                    if title:
                        self.model[new] = self.model.pop(label)
                        touched.add(new)
                    if mark is not None:
                        self.model[label] = mark
            if label is None:
                added.add(new)
            if not calm and self.dice.random() < 0.3:
                touched.clear()
            if self.dice.random() < 0.1:
                self.dice.choice(self.machines).sync(kills=True)
        return gone, added

    def thin(self, left):
        """Deletes all but so many, on one side or on all three."""
        side = self.dice.choice([0, 1, 2, None])
        gone = sorted(self.model)[left:]
        for label in gone:
            where = self.dice.randrange(3) if side is None else side
            if where < 2:
                machine = self.machines[where]
                machine.client.call("Delete", ids=[machine.alarms()[label]["id"]])
            else:
                self.server.delete(label)
            self.model.pop(label)
        return set(gone)

    def carry(self):
        """Until nothing is left to do; the number of times around."""
        for times in range(1, 8):
            quiet = True
            for machine in self.machines:
                before = eventually(lambda machine=machine: machine.sync(kills=times == 1))
                machine.vdirsyncer()
                after = machine.sync()
                quiet = quiet and before == after == "list and folder are equal"
            if quiet and times > 1:
                return times
        return None

    def evidence(self, row):
        """Everything that is kept of one alarm."""
        label = re.search(r"\('label', '([^']*)'\)", row).group(1)
        kept = [f"server: {self.server.entries().get(label)}"]
        for machine in self.machines:
            kept.append(f"{machine.name}: {machine.alarms().get(label)}")
            for folder in (machine.folder, f"{machine.eggd.state}/eggctl/sync"):
                for name in os.listdir(folder):
                    with open(f"{folder}/{name}", encoding="utf-8", newline="") as file:
                        kept += [f"{machine.name} {name}: {part!r}" for part in (file.read().split("\n") if folder != machine.folder else [file.read()]) if f"SUMMARY:{label}" in part]
        return kept

    def judge(self, number, calm, gone, added):
        times = self.carry()
        apart = set().union(*(machine.apart() for machine in self.machines))
        laptop, desktop = (machine.shown(apart) for machine in self.machines)
        name = f"round {number}"
        fine = check(f"{name}: nothing is left to do", times is not None) if times is None else True
        if laptop != desktop:
            only = [f"laptop: {row}" for row in laptop if row not in desktop] + [f"desktop: {row}" for row in desktop if row not in laptop]
            fine = check(f"{name}: both machines have the same", False, "\n".join(only[:12] + self.evidence(only[0])))
        labels = set(self.machines[0].alarms())
        entries = set(self.server.entries())
        if labels != entries:
            fine = check(f"{name}: so has the server", False, f"only here {labels - entries}, only there {entries - labels}")
        if calm:
            if labels != set(self.model):
                fine = check(
                    f"{name}: what was done on each side is there", False,
                    f"lost {set(self.model) - labels}, too many {labels - set(self.model)}")
            done = {label for label, alarm in self.machines[0].alarms().items() if alarm["done"]}
            if fine and done != {label for label, mark in self.model.items() if mark}:
                fine = check(f"{name}: done marks", False, f"{done} {[label for label, mark in self.model.items() if mark]}")
        fine = self.compare(name) and fine
        hidden = [entry for machine in self.machines for entry in os.listdir(machine.folder) if entry.startswith(".")]
        if hidden:
            fine = check(f"{name}: nothing is left beside the files", False, hidden)
        self.model = {label: alarm["done"] for label, alarm in self.machines[0].alarms().items()}
        return fine

    def compare(self, name):
        """Whether of each entry of the third client only lines of edited fields differ."""
        fine = True
        for _, text in self.server.entries().values():
            uid = foreign.uid_of(text)
            if uid not in self.server.put:
                continue
            fields = set().union(*(machine.edited.get(uid, ()) for machine in self.machines))
            wrong = foreign.differences(self.server.put[uid], text, fields)
            if wrong:
                fine = check(f"{name}: {uid} keeps all lines but those of {sorted(fields)}", False, f"{wrong}\n{self.server.put[uid]}\n{text}")
            self.server.put[uid] = text
            self.compared += 1
        for machine in self.machines:
            machine.edited.clear()
        return fine


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--operations", type=int)
    options = parser.parse_args()
    end = time.monotonic() + SECONDS
    with Place() as place:
        trial = Trial(place)
        number, fine = 0, True
        try:
            while fine and (trial.count < options.operations if options.operations else time.monotonic() < end):
                number += 1
                calm = number % 4 != 0
                gone, added = trial.round(calm)
                fine = trial.judge(number, calm, gone, added)
                if fine and number % 3 == 0:
                    left = number // 3 % 3
                    fine = trial.judge(f"{number}, thinned to {left}", True, trial.thin(left), set())
        finally:
            trial.server.end()
        check(f"{trial.count} operations on three sides in {number} rounds, seed {SEED}: all agree after each", fine)
        kills = sum(machine.kills for machine in trial.machines)
        figure(f"{kills} kills, {trial.compared} comparisons of foreign entries, {len(trial.model)} alarms at the end")
    finish()


main()
