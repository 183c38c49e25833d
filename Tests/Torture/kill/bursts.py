#!/usr/bin/python3
"""Kills the real eggd while thousands of alarms a second ring, and looks what became of each.

usage: bursts.py SECONDS
Each burst has an eggd of its own. It is killed at a random moment from the first ring to some time after the last.
"""
import os
import random
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "box"))
from product import RANG, Claims, Eggd, Gone, Place, Refused, lines, now  # noqa: E402

ALARMS = 2_000
# from the first to the last, us
SPREAD = 300_000
# what was shown that long before a kill is stored, however slow the disk, us
LONG_STORED = 2_000_000
# calls under way, as many as one connection may have
PIPELINE = 64


def schedule(connection, first):
    """Due moments by number."""
    dues, sent, wanted = {}, 0, [first + index * SPREAD // ALARMS for index in range(ALARMS)]
    while len(dues) < ALARMS:
        while sent < min(ALARMS, len(dues) + PIPELINE):
            due = wanted[sent]
            connection.send("Schedule", {"expression": f"@{due // 1_000_000}.{due % 1_000_000:06}", "kind": "at"})
            sent += 1
        alarm = connection.receive()["alarm"]
        dues[alarm["number"]] = alarm["due"]
    return dues


def entries(pid):
    """The moments of the entries of that process, by number."""
    found = {}
    for line in lines(os.environ["BOX"] + "/journal.jsonl"):
        if line["pid"] == pid and line.get("MESSAGE_ID") == RANG:
            found.setdefault(int(line["EGG_ALARM_NUMBER"]), []).append(line["at"])
    return found


def come_to_rest(place, connection):
    """Waits until each has rung, has its entry and is shown; the ends of those that have not."""
    question = "SELECT number FROM alarm WHERE number NOT IN (" \
        "SELECT alarm FROM occurrence WHERE outcome = 'rung' AND journaledAt IS NOT NULL AND shownAt IS NOT NULL)"
    end = time.monotonic() + 30
    while (left := [row[0] for row in place.look(question)[0]]) and time.monotonic() < end:
        connection.call("Status")
        time.sleep(0.1)
    return left


def burst(name, chance, faults, again):
    """One burst and its kill. `faults` are added to by claim; `again` gets how long before the kill each rang that rings
    again."""
    place = Place.new(name)
    first = Eggd(place)
    connection = first.connect()
    # time to be stored, on a slow disk too
    start = now() + 6_000_000
    dues = schedule(connection, start)
    if now() > start:
        return False
    kill_at = start + chance.randint(0, SPREAD + 200_000)
    time.sleep(max(0, kill_at - now()) / 1_000_000)
    killed = now()
    first.kill()
    for text in place.damage():
        faults["the database is whole"].append(text)
    stored = dict(place.look("SELECT alarm, journaledAt FROM occurrence WHERE outcome = 'rung'")[0])
    second = Eggd(place)
    connection = second.connect()
    for number in come_to_rest(place, connection):
        faults["each alarm rings, is journaled and shown"].append(f"#{number}")
    second.stop()
    before, after = entries(first.pid), entries(second.pid)
    for number, due in dues.items():
        one, other = before.get(number, []), after.get(number, [])
        if not one and not other:
            faults["each alarm rings, is journaled and shown"].append(f"#{number}, due {due}, has no entry")
        if any(at < due for at in one + other):
            faults["none rings early"].append(f"#{number}, due {due}: {one} {other}")
        if len(one) > 1 or len(other) > 1:
            faults["one life rings each once"].append(f"#{number}: {one} {other}")
        if other and stored.get(number) is not None:
            faults["what was recorded does not ring again"].append(f"#{number}: {one} {other}")
        if one and other and number not in stored:
            again.append(killed - one[0])
            if again[-1] > LONG_STORED:
                faults["what rang long before the kill does not ring again"].append(f"#{number}: {again[-1]} us")
    twice = place.look("SELECT alarm FROM occurrence GROUP BY alarm HAVING count(*) > 1")[0]
    for row in twice:
        faults["what was recorded does not ring again"].append(f"#{row[0]} has two occurrences")
    return True


def main():
    seconds = float(sys.argv[1])
    claims, chance = Claims(), random.Random(f"{os.environ['TORTURE_SEED']} bursts")
    faults = {
        claim: []
        for claim in (
            "the database is whole", "each alarm rings, is journaled and shown", "none rings early",
            "one life rings each once", "what was recorded does not ring again",
            "what rang long before the kill does not ring again",
        )
    }
    again, bursts, tries = [], 0, 0
    begin = time.monotonic()
    while tries == 0 or (time.monotonic() - begin) * (tries + 1) / tries < seconds:
        tries += 1
        try:
            bursts += burst(f"burst {tries}", chance, faults, again)
        except (Gone, Refused, TimeoutError) as error:
            faults["each alarm rings, is journaled and shown"].append(f"{type(error).__name__} {error}")
    longest = f", the first of them {max(again) / 1_000:.0f} ms before the kill" if again else ""
    claims.figure(
        f"{bursts} kills among {ALARMS} rings in {SPREAD // 1_000} ms, {len(again)} rang again{longest}")
    for claim, found in faults.items():
        claims.check(f"killed in a burst: {claim}", found)
    claims.check("killed in a burst: the alarms were scheduled in time", [] if bursts else [f"{tries} tries"])
    return min(claims.failed, 1)


if __name__ == "__main__":
    sys.exit(main())
