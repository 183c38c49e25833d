"""others.py - what other programs and a person may do to the database at the worst moment: hold its lock, delete a row or
the log, fill the disk, stop eggd while it is busy. What is due rings, once; what is deleted does not; nothing is lost.

usage: others.py SHIM SECONDS
"""

import errno
import os
import shutil
import sqlite3
import struct
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from torture import *  # noqa: E402

FIXTURES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Fixtures")
# struct control of faults.c
WRITES = 8
# a change of all of them takes a second or more
CROWD = 40_000
# more than the first read of a head has, and than one slice of a catch-up
OVERDUE = 300


def stranger(eggd):
    return sqlite3.connect(eggd.database, timeout=10, isolation_level=None, check_same_thread=False)


def make(client, expression, summary):
    return client.call("Schedule", expression=expression, summary=summary)["alarm"]


def crowd(eggd, count=CROWD):
    """Copies of alarm 1, by SQL, while no eggd runs."""
    database = stranger(eggd)
    columns = [row[1] for row in database.execute("PRAGMA table_info(alarm)")]
    new = {"number": "n", "id": "printf('%08x-0000-4000-8000-%012x', n, n)", "position": "n << 20"}
    database.execute(
        f"""WITH RECURSIVE c(n) AS (SELECT 1000 UNION ALL SELECT n + 1 FROM c WHERE n < {999 + count})
        INSERT INTO alarm ({', '.join(f'"{name}"' for name in columns)})
        SELECT {', '.join(new.get(name, f'"{name}"') for name in columns)} FROM alarm, c WHERE number = 1""")
    database.close()


def with_crowd(place, name):
    eggd = place.eggd(name)
    assert eggd.start(), eggd.told()
    make(eggd.client(), "3h", "far")
    eggd.end()
    crowd(eggd)
    assert eggd.start(), eggd.told()
    return eggd


def until(moment):
    time.sleep(max(moment - now(), 0) / 1e6)


def start_beside_lock(place, shim, empties_log=False):
    name = "write lock at start" + (", empty log" if empties_log else "")
    eggd = place.eggd(name.replace(" ", "-").replace(",", ""))
    assert eggd.start(), eggd.told()
    make(eggd.client(), "900ms", "Locked!")
    eggd.kill()
    lock = stranger(eggd)
    if empties_log:
        lock.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    lock.execute("BEGIN IMMEDIATE")
    began = time.monotonic()
    check(f"{name}: eggd starts", eggd.start(10), "\n".join(eggd.told()[-5:]))
    check(f"{name}: within a few seconds", time.monotonic() - began < 4, time.monotonic() - began)
    check(f"{name}: what is due rings", eventually(lambda: eggd.rings("Locked!"), 5), eggd.told()[-5:])
    lock.execute("ROLLBACK")
    check(f"{name}: changes are taken when it is free", bool(eventually(lambda: changes(eggd))))
    eggd.end()
    assert eggd.start(), eggd.told()
    check(f"{name}: it rang once", eggd.rings("Locked!") == 1, eggd.rings("Locked!"))
    eggd.end()


def changes(eggd):
    try:
        return make(eggd.client(), "3h", "after")
    except Refused:
        return None


def deleted_behind_lock(place, shim):
    name = "a row that another program deletes while a long change waits"
    eggd = with_crowd(place, "deleted-behind-lock")
    client = eggd.client()
    ends = []
    for round in range(3):
        alarm = make(client, "1500ms", f"Deleted {round}!")
        lock = stranger(eggd)
        lock.execute("BEGIN IMMEDIATE")
        client.send("Edit", all=True, label=f"round {round}")
        until(alarm["due"] - 300_000)
        lock.execute("DELETE FROM alarm WHERE number = ?", (alarm["number"],))
        lock.execute("COMMIT")
        lock.close()
        client.receive()
        ends.append(now() - alarm["due"])
        until(alarm["due"] + 300_000)
    rung = [eggd.rings(f"Deleted {round}!") for round in range(3)]
    check(f"{name}: does not ring", rung == [0, 0, 0], rung)
    check(f"{name}: the change was committed after its moment", max(ends) > 0, ends)
    eggd.end()


def stop_after_ring(place, shim, rounds=6):
    name = "SIGTERM after a ring, beside a long change"
    eggd = with_crowd(place, "stop-after-ring")
    chance = seeded("stops")
    times = []
    for round in range(rounds):
        client = eggd.client()
        alarm = make(client, "400ms", f"Stop {round}!")
        until(alarm["due"] - 150_000)
        client.send("Edit", all=True, label=f"round {round}")
        until(alarm["due"] + chance.randrange(20_000, 400_000))
        began = time.monotonic()
        eggd.end()
        times.append(time.monotonic() - began)
        assert eggd.start(), eggd.told()
    time.sleep(0.3)
    rung = [eggd.rings(f"Stop {round}!") for round in range(rounds)]
    check(f"{name}: each rings once", rung == [1] * rounds, rung)
    check(f"{name}: eggd ends within seconds", max(times) < 5, times)
    figure(f"eggd ended after {max(times):.2f} s at the latest")
    eggd.end()


def stop_beside_lock(place, shim):
    name = "SIGTERM after a ring, beside another program's lock"
    eggd = place.eggd("stop-beside-lock")
    assert eggd.start(), eggd.told()
    alarm = make(eggd.client(), "500ms", "Lock!")
    lock = stranger(eggd)
    lock.execute("BEGIN IMMEDIATE")
    until(alarm["due"] + 100_000)
    eggd.process.terminate()
    time.sleep(2)
    check(f"{name}: eggd waits for the record", eggd.process.poll() is None)
    lock.execute("ROLLBACK")
    check(f"{name}: and ends", eventually(lambda: eggd.process.poll() is not None, 10))
    assert eggd.start(), eggd.told()
    time.sleep(0.3)
    check(f"{name}: it rang once", eggd.rings("Lock!") == 1, eggd.rings("Lock!"))
    eggd.end()


def log_deleted(place, shim):
    for ends in ("-wal",), ("-shm",), ("-wal", "-shm"):
        name = f"{' and '.join(ends)} deleted"
        eggd = place.eggd("deleted" + "".join(ends))
        assert eggd.start(), eggd.told()
        client = eggd.client()
        numbers = [make(client, "3h", "before")["number"] for _ in range(20)]
        for end in ends:
            os.unlink(eggd.database + end)
        for _ in range(20):
            try:
                numbers.append(make(client, "3h", "after")["number"])
            except Refused:
                pass
        eggd.kill()
        assert eggd.start(), eggd.told()
        missing = set(numbers) - set(eggd.client().alarms())
        check(f"{name}: all that was acknowledged is there after SIGKILL", not missing, missing)
        check(f"{name}: changes were taken", len(numbers) == 40, len(numbers))
        eggd.end()


def two_names(place, shim):
    eggd = place.eggd("one-name")
    assert eggd.start(), eggd.told()
    other = place.eggd("other-name")
    os.makedirs(other.directory, mode=0o700)
    os.symlink(eggd.database, other.database)
    other.launch()
    status = other.process.wait(PATIENCE)
    check("another state directory that leads to the same database: eggd ends with 1", status == 1, status)
    check("and says why", any("another eggd" in line for line in other.told()), other.told())
    make(eggd.client(), "3h", "still there")
    eggd.end()


def full(eggd, code=errno.ENOSPC):
    control = f"{eggd.place}/control"
    with open(control, "wb") as file:
        file.write(bytes(4096))
    with open(control, "r+b") as file:
        file.seek(WRITES)
        file.write(struct.pack("i", code))
    return {"FAULTS_DIRECTORY": eggd.directory, "FAULTS_CONTROL": control}


def overdue_on_full_disk(place, shim):
    name = f"{OVERDUE} overdue alarms at the start on a full disk"
    eggd = place.eggd("overdue")
    assert eggd.start(), eggd.told()
    client = eggd.client()
    for index in range(OVERDUE):
        make(client, "2s", f"Overdue {index}!")
    eggd.kill()
    before = rung(eggd)
    time.sleep(2.5)
    check(f"{name}: eggd starts", eggd.start(LD_PRELOAD=shim, **full(eggd)), eggd.told()[-5:])
    check(f"{name}: all ring", eventually(lambda: rung(eggd) == OVERDUE, 15), rung(eggd))
    figure(f"{before} rang before the start")
    eggd.kill()


def rung(eggd):
    return len({line.split("!")[0] for line in eggd.told() if line.startswith("<5>Overdue ")})


def older_without_room(place, shim):
    name = "a database of an older eggd on a disk without room for a copy"
    eggd = place.eggd("older")
    os.makedirs(eggd.directory, mode=0o700)
    shutil.copy(f"{FIXTURES}/version11/plain.db", eggd.database)
    connection = sqlite3.connect(eggd.database)
    with connection:
        connection.execute("UPDATE alarm SET instant = 1, due = 1 WHERE label = 'instant'")
    # as eggd leaves them
    for suffix in ("-wal", "-shm"):
        shutil.copy(eggd.database + suffix, eggd.place + suffix)
    connection.close()
    for suffix in ("-wal", "-shm"):
        os.replace(eggd.place + suffix, eggd.database + suffix)
    with open(eggd.database, "rb") as file:
        before = file.read()
    check(f"{name}: eggd starts", eggd.start(LD_PRELOAD=shim, **full(eggd)), eggd.told()[-5:])
    check(f"{name}: what is due rings", eventually(lambda: any("(instant, #3)" in line for line in eggd.told())))
    check(f"{name}: what there is can be read", len(eggd.client().alarms()) > 3)
    check(f"{name}: it says what it needs", any("free" in line and "MiB" in line for line in eggd.told()), eggd.told())
    check(f"{name}: no half copy is left",
          not [file for file in os.listdir(eggd.directory) if ".writing" in file], os.listdir(eggd.directory))
    with open(eggd.database, "rb") as file:
        check(f"{name}: the file is as it was", file.read() == before)
    with open(f"{eggd.place}/control", "r+b") as file:
        file.seek(WRITES)
        file.write(struct.pack("i", 0))
    check(f"{name}: changes are taken when there is room", bool(eventually(lambda: changes(eggd))), eggd.told()[-5:])
    eggd.end()


def main():
    shim, seconds = sys.argv[1], float(sys.argv[2])
    begin = time.monotonic()
    cases = [
        (start_beside_lock,), (overdue_on_full_disk,), (log_deleted,), (stop_beside_lock,), (older_without_room,),
        (two_names,), (stop_after_ring,), (deleted_behind_lock,), (start_beside_lock, True),
    ]
    left_out = 0
    with Place() as place:
        for case, *options in cases:
            if time.monotonic() - begin > seconds:
                left_out += 1
            else:
                case(place, shim, *options)
    figure(f"{len(cases) - left_out} of {len(cases)} cases, {time.monotonic() - begin:.0f} s")
    finish()


main()
