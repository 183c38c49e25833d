"""wrongs.py - what a disk and other programs can do to the database while eggd runs: errors of every kind of call, the
file cut short, deleted, replaced. Alarms in memory ring, changes are refused, nothing is overwritten, and everything
works again when the disk does.

usage: wrongs.py SHIM SECONDS
"""

import errno
import hashlib
import os
import shutil
import sqlite3
import struct
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from torture import *  # noqa: E402

# struct control of faults.c: what fails
WRITES, SYNCS, READS = 8, 12, 16
FAR = 40


class Trouble:
    """An eggd with alarms far away, and three that ring in the middle of the trouble."""

    def __init__(self, place, name, shim=None, milliseconds=900):
        self.name = name
        self.patience = milliseconds / 1000 + 10
        self.eggd = place.eggd(name.replace(" ", "-"))
        self.control = f"{self.eggd.place}/control"
        environment = {}
        if shim:
            with open(self.control, "wb") as file:
                file.write(bytes(4096))
            environment = {"LD_PRELOAD": shim, "FAULTS_DIRECTORY": self.eggd.directory, "FAULTS_CONTROL": self.control}
        assert self.eggd.start(**environment), self.eggd.told()
        self.client = self.eggd.client()
        self.labels = {}
        for index in range(FAR):
            self.make("3h", f"far {index}")
        self.soon = [f"Soon {index}!" for index in range(3)]
        for summary in self.soon:
            self.make(f"{milliseconds}ms", "soon", summary=summary)

    def make(self, expression, label, **more):
        number = self.client.call("Schedule", expression=expression, label=label, **more)["alarm"]["number"]
        self.labels[number] = label
        return number

    @classmethod
    def before_it_rings(cls, place, name, befall, shim=None):
        """One that `befall` befell before the first alarm rang: where all of that took longer, another with more time."""
        for milliseconds in 900, 5_000, 20_000:
            trouble = cls(place, name, shim, milliseconds)
            befall(trouble)
            if not any(trouble.rung()):
                return trouble
            trouble.eggd.kill()
            shutil.rmtree(trouble.eggd.place)
        raise TimeoutError(f"{name}: 44 changes and what befalls them took 20 s")

    def fail(self, kind, code):
        with open(self.control, "r+b") as file:
            file.seek(kind)
            file.write(struct.pack("i", code))

    def claim(self, claim, holds, seen=""):
        return check(f"{self.name}: {claim}", holds, f"{seen}\n" + "\n".join(self.eggd.told()[-6:]))

    def refuses(self):
        """eggctl's exit status is 1, and nothing else than StoreUnavailable is the reason."""
        try:
            self.client.call("Schedule", expression="1h")
            return "taken"
        except Refused as refused:
            if refused.name != "StoreUnavailable":
                return refused.name
        result = self.eggd.eggctl("schedule", "1h")
        return None if result.returncode == 1 and result.stderr.startswith("eggctl: error: ") else result

    def rung(self):
        """How often each of the three has rung."""
        return [self.eggd.rings(summary) for summary in self.soon]

    def rings(self):
        self.claim("alarms in memory ring", eventually(lambda: all(self.rung()), self.patience), self.rung())

    def recovers(self, patience=PATIENCE):
        """Changes are taken again, and what rang is recorded; each once."""
        def again():
            try:
                return self.make("4h", "again")
            except Refused:
                return None
        self.claim("changes are taken again", eventually(again, patience))
        self.claim("what rang is recorded", eventually(
            lambda: sum("journaledAt" in alarm.get("latest", {}) for alarm in self.listed().values()) == 3))

    def listed(self):
        try:
            return self.client.alarms()
        except Refused:
            return {}

    def outlives(self, lost=0):
        """After SIGKILL and another start all that was acknowledged is there."""
        self.eggd.kill()
        self.claim("eggd starts again", self.eggd.start())
        found = {number: alarm.get("label") for number, alarm in self.eggd.client().alarms().items()}
        missing = {number for number, label in self.labels.items() if found.get(number) != label}
        self.claim(f"after SIGKILL everything is there{f' but for {lost}' if lost else ''}", len(missing) <= lost, missing)
        self.claim("each rang once", self.rung() == [1, 1, 1], self.rung())
        self.eggd.end()


def failing(place, name, shim, kinds, code):
    def befall(trouble):
        for kind in kinds:
            trouble.fail(kind, code)

    trouble = Trouble.before_it_rings(place, name, befall, shim)
    if WRITES in kinds or SYNCS in kinds:
        refusal = trouble.refuses()
        trouble.claim("a change is refused, exit 1", refusal is None, refusal)
    trouble.rings()
    trouble.claim("eggd goes on", trouble.eggd.process.poll() is None)
    for kind in kinds:
        trouble.fail(kind, 0)
    trouble.recovers()
    trouble.outlives()


def spoilt(place, name, spoil, by_a_record=False):
    """The file is damaged while eggd runs, and all of it was in the file itself: it is set aside and salvaged, and what
    memory holds is in the new one; also what has just rung, where that is how the damage is found."""
    def befall(trouble):
        database = sqlite3.connect(trouble.eggd.database)
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        database.close()
        if by_a_record:
            # what another program did is what eggd would read the file for
            eventually(lambda: any("Another program wrote" in line for line in trouble.eggd.told()))
        spoil(trouble.eggd)

    trouble = Trouble.before_it_rings(place, name, befall)
    trouble.rings()
    eventually(lambda: len(trouble.listed()) >= FAR + 3, 10)
    told = [line for line in trouble.eggd.told() if "set aside as" in line]
    trouble.claim("it is set aside, and eggd says so", len(told) == 1
                  and any(".corrupt-" in file for file in os.listdir(trouble.eggd.directory)))
    trouble.recovers()
    trouble.outlives()


def taken(place, name, take, put_back):
    """The file is taken away, or another lies in its place: changes are refused, what lies there is left alone, and a
    good file that is put there is used."""
    def befall(trouble):
        backup(trouble.eggd.database, f"{trouble.eggd.place}/copy")
        take(trouble.eggd)

    trouble = Trouble.before_it_rings(place, name, befall)
    before = contents(trouble.eggd.database)
    refusal = eventually(lambda: trouble.refuses() or "refused", 5)
    trouble.claim("a change is refused, exit 1", refusal == "refused", refusal)
    trouble.rings()
    trouble.claim("what lies in its place is left alone", contents(trouble.eggd.database) == before)
    put_back(trouble.eggd, f"{trouble.eggd.place}/copy")
    trouble.recovers()
    trouble.outlives()


def contents(path):
    """Of a file; None where there is none, a list for a folder."""
    if os.path.isdir(path):
        return os.listdir(path)
    if not os.path.exists(path):
        return None
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def backup(path, target):
    source, copy = sqlite3.connect(path), sqlite3.connect(target)
    source.backup(copy)
    source.close()
    copy.close()


def truncated(part):
    return lambda eggd: os.truncate(eggd.database, int(os.stat(eggd.database).st_size * part) // 4096 * 4096)


def noise(eggd):
    draw = seeded("wrongs", "noise")
    with open(eggd.database, "r+b") as file:
        for _ in range(6):
            file.seek(draw.randrange(4096, os.stat(eggd.database).st_size - 4096))
            file.write(draw.randbytes(3000))


def delete(*ends):
    def take(eggd):
        for end in ends:
            os.unlink(eggd.database + end)
    return take


def put(eggd, copy):
    os.rename(copy, eggd.database)


def garbage(eggd):
    path = f"{eggd.place}/garbage"
    with open(path, "wb") as file:
        file.write(seeded("wrongs", "garbage").randbytes(100_000))
    os.rename(path, eggd.database)


def folder(eggd):
    os.unlink(eggd.database)
    os.mkdir(eggd.database)


def put_for_folder(eggd, copy):
    os.rmdir(eggd.database)
    os.rename(copy, eggd.database)


def main():
    shim, seconds = sys.argv[1], float(sys.argv[2])
    begin = time.monotonic()
    all_of_it = [WRITES, SYNCS, READS]
    cases = [
        (spoilt, "cut to nothing", truncated(0)),
        (spoilt, "cut to nothing, found by a ring", truncated(0), True),
        (failing, "EIO on every call", shim, all_of_it, errno.EIO),
        (taken, "deleted", delete(""), put),
        (taken, "replaced by noise", garbage, put),
        (failing, "EIO on syncing", shim, [SYNCS], errno.EIO),
        (failing, "ENOSPC on writing", shim, [WRITES], errno.ENOSPC),
        (spoilt, "cut in half", truncated(0.5)),
        (spoilt, "noise over it", noise),
        (taken, "deleted with its log", delete("", "-wal", "-shm"), put),
        (failing, "EIO on writing", shim, [WRITES], errno.EIO),
        (failing, "EIO on reading", shim, [READS], errno.EIO),
        (failing, "EROFS on writing", shim, [WRITES], errno.EROFS),
        (spoilt, "cut to a page", truncated(0.02)),
        (taken, "replaced by a folder", folder, put_for_folder),
    ]
    left_out = []
    with Place() as place:
        for index, (act, name, *how) in enumerate(cases):
            # in a slice the first of each kind
            if time.monotonic() - begin > seconds and any(act == done for done, *_ in cases[:index]):
                left_out.append(name)
            else:
                act(place, name, *how)
    figure(f"{len(cases) - len(left_out)} of {len(cases)} things that can go wrong with the file, "
           f"{time.monotonic() - begin:.0f} s; left out: {', '.join(left_out) or 'none'}")
    finish()


main()
