#!/usr/bin/python3
"""leftovers.py - state directories as a kill leaves them, each with an overdue alarm 900.

usage: leftovers.py NEW OLD UPGRADED TARGET
NEW and UPGRADED are databases of today's version, OLD is one of version 11 from which UPGRADED was made.
Makes TARGET/NAME for each.
"""
import os
import shutil
import sqlite3
import sys
import time
import uuid

STAMP = "20261120T213400Z"


def add_overdue(database):
    due = time.time_ns() // 1000 - 10_000_000
    values = {
        "number": 900, "id": str(uuid.uuid4()), "summary": "Overdue", "position": 900 << 20, "kind": "at",
        "instant": due, "due": due, "expression": "1m", "readingZone": "UTC", "createdAt": due - 60_000_000,
    }
    connection = sqlite3.connect(database)
    with connection:
        connection.execute(
            f"INSERT INTO alarm ({', '.join(values)}) VALUES ({', '.join('?' * len(values))})", tuple(values.values()))
    connection.close()


def read(path):
    with open(path, "rb") as file:
        return file.read()


def leave(name, files):
    """Makes the directory with these files, by the ends of their names."""
    os.makedirs(f"{TARGET}/{name}", mode=0o700)
    for end, data in files.items():
        with open(f"{TARGET}/{name}/schedule.db{end}", "wb") as file:
            file.write(data)


def in_the_midst(database, *statements):
    """The files of the database after these statements, while its connection is open."""
    copy = database + ".copy"
    shutil.copy(database, copy)
    connection = sqlite3.connect(copy, isolation_level=None)
    # So small a cache writes pages before the commit.
    connection.execute("PRAGMA wal_autocheckpoint = 0")
    connection.execute("PRAGMA cache_size = 5")
    for statement in statements:
        connection.execute(statement)
    files = {end: read(copy + end) for end in ("", "-wal", "-shm")}
    connection.close()
    assert files["-wal"], "nothing was written"
    return files


def without_log(database):
    """As eggd writes it beside the one that it replaces."""
    copy = database + ".next"
    shutil.copy(database, copy)
    connection = sqlite3.connect(copy)
    connection.execute("PRAGMA journal_mode = DELETE")
    connection.close()
    return read(copy)


def damaged(data, offset, count):
    return data[:offset] + b"\xa5" * count + data[offset + count:]


def main():
    for database in (NEW, OLD, UPGRADED):
        add_overdue(database)
    new, old = read(NEW), read(OLD)
    next_new, next_upgraded = without_log(NEW), without_log(UPGRADED)
    connection = sqlite3.connect(NEW)
    page, = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'alarm_category'").fetchone()
    connection.close()
    in_index = damaged(new, (page - 1) * 4096, 4096)
    log = in_the_midst(OLD, "UPDATE alarm SET label = 'in the log' WHERE number = 1")

    leave("nothing", {"": new})
    leave("nothing of version 11", {"": old})
    columns = ", ".join(f'"{row[1]}"' for row in sqlite3.connect(NEW).execute("PRAGMA table_info(alarm)"))
    leave("a large change", in_the_midst(
        NEW, "BEGIN", "WITH RECURSIVE n(i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)"
        " INSERT INTO alarm (number, id, position, kind, instant, expression, readingZone, createdAt)"
        " SELECT i, 'x' || i, i, 'at', 0, 'much text for one alarm', 'UTC', 0 FROM n",
        "UPDATE alarm SET label = 'not committed', due = NULL"))
    leave("a staged import", in_the_midst(
        NEW, f"INSERT INTO alarm_image (holder, side, place, {columns}) SELECT -5, 0, 1, {columns} FROM alarm LIMIT 1"))
    half = {".writing": next_upgraded[:len(next_upgraded) // 2], ".writing-journal": b"\xa5" * 5_000}
    leave("an upgrade while it writes", log | half)
    leave("an upgrade before its renames", log | {".next": next_upgraded})
    leave("an upgrade amid its renames", {f".v11-{STAMP}": log[""], "-wal": log["-wal"], ".next": next_upgraded})
    leave("an upgrade before its last rename", {f".v11-{STAMP}": old, ".next": next_upgraded})
    half = {".reading": new[:len(new) // 2], ".writing": next_new[:len(new) // 3]}
    leave("a salvage while it reads", {"": in_index} | half)
    leave("a salvage of what SQLite cannot open", {"": damaged(new, 0, 16)} | half)
    leave("a salvage before its last rename", {f".corrupt-{STAMP}": damaged(new, 0, 16), ".next": next_new})
    leave("the copy before a migration", {"": new, ".copying": new[:len(new) // 2], ".copying-journal": b"\xa5" * 512})


if __name__ == "__main__":
    NEW, OLD, UPGRADED, TARGET = sys.argv[1:]
    main()
