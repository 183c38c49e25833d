#!/usr/bin/python3
"""Kills the real eggd at random moments while four clients change alarms and alarms ring; then judges all of it.

Runs in a box (box/run-in-box); reads TORTURE_SEED, and how many seconds it has from its argument.
"""
import copy
import os
import random
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "box"))
import oracle  # noqa: E402
from clients import Client  # noqa: E402
from eggs import Registry  # noqa: E402
from product import Claims, Eggd, Place, lines, now  # noqa: E402
from witness import Witness  # noqa: E402

# what the end takes: the last rings come, everything is read and judged
ENDING = 7


def kill_at_random(place, chance, registry, deadline, least):
    """Starts and kills until the time is over, and a fifth more of it where that were not `least` times by then; the
    processes in their order, and what was wrong with the files."""
    lives, damage, sequences = [], [], []
    latest = deadline + (deadline - time.monotonic()) / 5
    while time.monotonic() < (deadline if len(lives) >= least else latest):
        eggd = Eggd(place)
        # some during the start already, the others while it serves
        if chance.random() < 0.2:
            time.sleep(chance.random() * 0.1)
        else:
            connection = eggd.connect()
            if connection is None:
                damage.append(eggd.own_end())
                lives.append(eggd)
                eggd.killed = eggd.ended
                continue
            known = registry.sequence
            if (there := connection.call("Status")["sequence"]) < known:
                sequences.append(f"{there} after {known}")
            connection.close()
            time.sleep(chance.random() * (0.4 if chance.random() < 0.9 else 1.2))
        eggd.killed = now()
        eggd.kill()
        lives.append(eggd)
        if not eggd.was_killed:
            damage.append(eggd.own_end())
        damage += place.damage()
        # long enough for what is to ring only on time to be missed
        if chance.random() < 0.04:
            time.sleep(1.1 + chance.random() * 0.4)
    return lives, damage, sequences


def all_alarms(connection):
    found, after = {}, None
    while True:
        reply = connection.call("List", **({"after": after} if after else {}))
        found |= {alarm["number"]: alarm for alarm in reply["alarms"]}
        after = reply.get("after")
        if after is None:
            return found


def come_to_rest(place):
    """The last life: everything that is to ring soon has rung. The process, and the alarms as they are then."""
    eggd = Eggd(place)
    connection = eggd.connect()
    end = time.monotonic() + 20
    while time.monotonic() < end:
        listed = all_alarms(connection)
        soon = [alarm for alarm in listed.values() if alarm.get("due", now() * 2) < now() + 30_000_000]
        unsettled = [
            alarm
            for alarm in listed.values()
            if alarm.get("latest", {}).get("outcome") == "rung"
            and ("journaledAt" not in alarm["latest"] or alarm["state"] == "ringing" and "shownAt" not in alarm["latest"])
        ]
        if not soon and not unsettled:
            break
        time.sleep(0.1)
    seen = now()
    for alarm in listed.values():
        if alarm.get("kind") == "every":
            alarm["occurrences"] = connection.call("Show", number=alarm["number"])["occurrences"]
    return eggd, connection, listed, seen


# what has to be true, each with what finds its faults
CLAIMS = {
    "what was acknowledged is there at the end, as it was acknowledged": lambda seen: list(oracle.at_the_end(seen)),
    "every moment that came untouched was rung, or recorded as missed": lambda seen: (
        oracle.came_to_nothing(seen)[0] + oracle.recurring(seen)[0]
    ),
    "nothing waits for what is past, and all that rang was journaled and shown": lambda seen: list(
        oracle.still_waiting(seen)
    ),
    "none rang after its deletion was acknowledged": lambda seen: list(oracle.rung_after_deletion(seen)),
    "none rang early": lambda seen: list(oracle.early(seen)),
    "none rang twice, but where a kill came before the ring was stored": lambda seen: oracle.rung_twice(seen)[0],
    "none was shown twice, but where a kill came before that was stored": lambda seen: oracle.shown_twice(seen)[0],
    "what was late says why": lambda seen: list(oracle.unexplained(seen)),
    "what was asked for twice with one key is one alarm": oracle.unkeyed,
}


def doctored(evidence):
    """Evidence in which one thing is not as it should be, by the claim that it breaks."""
    def change(body):
        changed = copy.copy(evidence)
        for name in ("rings", "misses", "notifications"):
            setattr(changed, name, [copy.copy(item) for item in getattr(evidence, name)])
        changed.listed = copy.deepcopy(evidence.listed)
        body(changed)
        changed.of_number = {}
        for ring in sorted(changed.rings, key=lambda ring: ring.at):
            changed.of_number.setdefault(ring.number, []).append(ring)
        return changed

    def first(items):
        return next(iter(items), None)

    def alone(egg):
        """Whether it rang once, at its first moment and before anything else was done to it, and that is all it did."""
        view, rings = egg.steps[0].view, evidence.of_number.get(egg.number, [])
        if not view or view["kind"] == "every" or view["state"] != "scheduled" or len(rings) != 1:
            return False
        after = egg.steps[1].sent if len(egg.steps) > 1 else evidence.seen
        latest = evidence.listed.get(egg.number, {}).get("latest", {})
        return (
            latest.get("outcome") == "rung"
            and abs(rings[0].due - view["due"]) <= oracle.FINENESS
            and view["due"] + oracle.AROUND < after
        )

    def is_long_gone(egg):
        last = egg.steps[-1]
        return last.what == "Delete" and last.view is None and last.known + 3_000_000 < evidence.seen

    certain = [egg for egg in evidence.eggs.values() if egg.is_certain]
    kept = first(egg for egg in certain if egg.view)
    gone = first(egg for egg in certain if is_long_gone(egg))
    rung = first(alarm for alarm in evidence.listed.values() if alarm["state"] == "ringing" and alarm["kind"] == "in")
    keyed = first(alarm for alarm in evidence.listed.values() if "key" in alarm)
    lonely = first(egg for egg in certain if alone(egg))

    def lose(changed):
        del changed.listed[kept.number]

    def silence(changed):
        changed.rings = [ring for ring in changed.rings if ring.number != lonely.number]
        changed.killed, changed.deaths = [], []

    def wait(changed):
        changed.listed[rung["number"]]["due"] = evidence.seen - 5_000_000

    def ring_after(changed):
        ring = copy.copy(changed.rings[0])
        ring.number, ring.at = gone.number, gone.steps[-1].known + 2_000_000
        ring.due, ring.late = ring.at - 10, 5
        changed.rings.append(ring)

    def hasten(changed):
        changed.rings[-1].at = changed.rings[-1].due - 1

    def repeat(changed):
        again = copy.copy(changed.rings[0])
        again.at += 500
        changed.rings.append(again)

    def show(changed):
        line = next(
            line for line in changed.notifications
            if line["replaces"] == 0 and oracle.LABEL.fullmatch(line["body"].split("\n")[-1]))
        # more than its alarm can have rung
        changed.notifications += [dict(line, at=evidence.seen)] * (len(changed.rings) + 1)
        changed.eggs = {}
        changed.killed, changed.deaths = [], []

    def excuse(changed):
        def was_up(ring):
            life = evidence.life_at(ring.fired)
            return life is not None and ring.due > evidence.ready.get(life.pid, life.ended)

        next(ring for ring in changed.rings if ring.reason is None and was_up(ring)).reason = "down"

    def double(changed):
        changed.listed[10**9] = dict(keyed, number=10**9)

    for claim, body in zip(CLAIMS, (lose, silence, wait, ring_after, hasten, repeat, show, excuse, double)):
        # a short run may have left nothing to change
        try:
            yield claim, change(body)
        except (AttributeError, TypeError, StopIteration):
            yield claim, None


def main():
    seconds, seed = float(sys.argv[1]), os.environ["TORTURE_SEED"]
    claims, registry, place = Claims(), Registry(), Place()
    witness = Witness(place)
    begin = time.monotonic()
    clients = [Client(index, seed, place, registry) for index in range(4)]
    for client in clients:
        client.everybody = clients
        client.start()
    witness.start()
    span = max(seconds - ENDING, 5)
    least = 300 if seconds > 120 else int(span * 1.5)
    lives, damage, sequences = kill_at_random(
        place, random.Random(f"{seed} kills"), registry, begin + span, least
    )
    for thread in clients:
        thread.is_over.set()
    for thread in clients:
        thread.join(60)
    eggd, connection, listed, seen = come_to_rest(place)
    damage += place.damage()
    witness.is_over.set()
    eggd.killed = None
    eggd.stop()
    lives.append(eggd)
    time.sleep(0.2)
    evidence = oracle.Evidence(
        lives,
        lines(os.environ["BOX"] + "/journal.jsonl"),
        lines(os.environ["BOX"] + "/notifications.jsonl"),
        registry.eggs,
        listed,
        seen,
        witness.journaled,
        registry.answers,
    )
    faults = {claim: find(evidence) for claim, find in CLAIMS.items()}
    _, again, longest = oracle.rung_twice(evidence)
    _, shown_again = oracle.shown_twice(evidence)
    judged, every = oracle.came_to_nothing(evidence)[1], oracle.recurring(evidence)[1]

    killed = [life for life in lives if life.was_killed]
    serving = sum(1 for life in killed if life.pid in evidence.ready)
    counts = registry.counts
    took = time.monotonic() - begin
    claims.figure(f"seed {seed}: {len(killed)} kills in {took:.0f} s, {serving} of them while it served")
    claims.figure(
        f"{counts['changes']} changes acknowledged, {counts['unanswered']} cut off by a kill, {counts['refused']} refused,"
        f" {counts.get('undone', 0)} of them undone, by 4 clients"
    )
    rung = [ring for ring in evidence.rings if ring.reason is None]
    claims.figure(
        f"{len(evidence.rings)} rings, one every {took * 1000 / max(len(evidence.rings), 1):.1f} ms, {len(rung)} on time;"
        f" {len(evidence.misses)} missed; {len(evidence.notifications)} calls of Notify"
    )
    claims.figure(
        f"{again} journaled again and {shown_again} shown again, at most {longest / 1000:.1f} ms"
        " between the entry and the kill"
    )
    claims.figure(
        f"{judged} moments of one-shots and {every} recurring alarms judged;"
        f" {counts.get('looked at after a kill', 0)} alarms compared right after a kill, {len(listed)} at the end"
    )
    for claim, found in faults.items():
        claims.check(claim, found)
    claims.check("after each kill what was acknowledged was there", registry.faults)
    claims.check("the sequence never went back", sequences)
    claims.check("after each kill the database is sound, and eggd opened it", damage)
    claims.check(f"killed at least {least} times", [] if len(killed) >= least else [f"{len(killed)}"])
    tried = {claim: changed for claim, changed in doctored(evidence) if changed}
    unseen = [claim for claim, changed in tried.items() if len(CLAIMS[claim](changed)) <= len(faults[claim])]
    claims.check(f"{len(tried)} of these {len(faults)} claims were tried with a record changed, and then fail", unseen)
    return min(claims.failed, 1)


if __name__ == "__main__":
    sys.exit(main())
