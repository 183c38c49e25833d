"""What has to be true of everything that was recorded, whatever was killed when.

A life is one process of eggd. A ring is told by its number and the moment at which it was due; entries and bubbles of
one ring in two lives are allowed only where the first life ended before it could store the ring.
"""
import bisect
import re

from eggs import FINENESS, difference
from product import MISSED, RANG, READY

# a client's own: its place, and how many it has made
LABEL = re.compile(r"[0-9]+-[0-9]+")
# how late something is on time; what is later says why
GRACE = 1_000_000
# how late an alarm may be that came due around a kill
AROUND = 2_000_000
# how long an entry or a bubble may take on its way to the store; the next change that is acknowledged was stored later
ON_ITS_WAY = 250_000
# how late the machine may be while eggd runs
ON_TIME = 500_000


class Ring:
    """One entry of a ring, or of one that was missed."""

    def __init__(self, entry):
        self.at, self.pid = entry["at"], entry["pid"]
        self.number, self.label = int(entry["EGG_ALARM_NUMBER"]), entry.get("EGG_LABEL", "")
        self.due, self.late = int(entry["EGG_DUE_AT"]), int(entry["EGG_LATENESS_US"])
        self.reason = entry.get("EGG_LATE_REASON")
        self.missed = entry["MESSAGE_ID"] == MISSED

    @property
    def fired(self):
        return self.due + self.late

    def __str__(self):
        return f"#{self.number} ({self.label}) due {self.due}, {self.late} us late, entry at {self.at} of {self.pid}"


class Evidence:
    """All that was recorded.

    lives: the processes in their order; journal, notifications: the recorders' lines; eggs: by number, of the
    clients; listed: by number, the alarms as they are at the end, at `seen`; journaled: what was told to be stored;
    answers: of each acknowledged change, when it was sent and when it was answered.
    """

    def __init__(self, lives, journal, notifications, eggs, listed, seen, journaled, answers):
        self.lives, self.eggs, self.listed, self.seen = lives, eggs, listed, seen
        self.journaled = journaled
        self.by_pid = {life.pid: life for life in lives}
        self.births = [life.spawned for life in lives]
        self.killed = [life for life in lives if life.was_killed]
        self.deaths = [life.ended for life in self.killed]
        entries = [Ring(line) for line in journal if line.get("MESSAGE_ID") in (RANG, MISSED)]
        self.rings = [ring for ring in entries if not ring.missed]
        self.misses = [ring for ring in entries if ring.missed]
        self.ready = {line["pid"]: line["at"] for line in journal if line.get("MESSAGE_ID") == READY}
        self.notifications = [line for line in notifications if line["call"] == "Notify"]
        self.of_number = {}
        for ring in sorted(self.rings, key=lambda ring: ring.at):
            self.of_number.setdefault(ring.number, []).append(ring)
        # the last moment at which a change was sent that was answered in that life
        self.latest = {}
        for sent, known in answers:
            life = self.life_at(known)
            if life and sent > life.spawned:
                self.latest[life.pid] = max(sent, self.latest.get(life.pid, 0))

    def ring_of(self, number, due, slack=FINENESS):
        return [ring for ring in self.of_number.get(number, []) if abs(ring.due - due) <= slack]

    def is_stored(self, life, moment):
        """Whether what began then has to be in the database by the end of that life."""
        return self.latest.get(life.pid, 0) > moment + ON_ITS_WAY

    def is_killed(self, first, last):
        """Whether there was a kill between two moments."""
        after = bisect.bisect_left(self.deaths, first)
        return after < len(self.deaths) and self.killed[after].killed <= last

    def life_at(self, moment):
        """The process that ran then; none runs beside another."""
        index = bisect.bisect_right(self.births, moment) - 1
        return self.lives[index] if index >= 0 and moment <= self.lives[index].ended else None

    def distinct(self, rings):
        """Rings that are not each other again, each as its entries in order."""
        groups = []
        for ring in sorted(rings, key=lambda ring: (ring.due, ring.at)):
            if groups and abs(groups[-1][0].due - ring.due) <= FINENESS:
                groups[-1].append(ring)
            else:
                groups.append([ring])
        return groups


def early(evidence):
    """Rings before their moment: that of the entry, and that which was acknowledged."""
    for ring in evidence.rings:
        if ring.at < ring.due or ring.late < 0:
            yield f"early: {ring}"
        egg = evidence.eggs.get(ring.number)
        if egg is None:
            continue
        # what it may have waited for when it fired: what was known by then, and what had been asked for
        known = [step for step in egg.steps if step.sent <= ring.fired]
        if known and known[-1].known is not None and known[-1].known <= ring.fired and len(known) == len(egg.steps):
            view = known[-1].view
            if view and view.get("kind") != "every" and view["state"] in ("scheduled", "snoozed"):
                if ring.fired < view["due"] - FINENESS:
                    yield f"before the {view['due']} that was acknowledged: {ring}"


def rung_after_deletion(evidence):
    for egg in evidence.eggs.values():
        for step, after in zip(egg.steps, egg.steps[1:] + [None]):
            if step.known is None or step.view is not None:
                continue
            end = after.sent if after else evidence.seen
            for ring in evidence.of_number.get(egg.number, []):
                if not step.known < ring.at < end:
                    continue
                # the ring came first, and its entry on its way into the journal
                if ring.fired < step.known and (step.rang or step.what != "Delete"):
                    continue
                if ring.fired < step.sent and ring.at < step.known + GRACE:
                    continue
                yield f"deleted by {step.known} ({step.what}): {ring}"


def rung_twice(evidence):
    """Returns the faults, how many were told twice, and the longest time between an entry and the kill after it."""
    faults, again, longest = [], 0, 0
    for number, rings in evidence.of_number.items():
        for entries in evidence.distinct(rings):
            for first, second in zip(entries, entries[1:]):
                again += 1
                life = evidence.by_pid.get(first.pid)
                if first.pid == second.pid or life is None or not life.was_killed:
                    faults.append(f"twice in one life: {first}; {second}")
                    continue
                longest = max(longest, life.killed - first.at)
                if evidence.is_stored(life, first.at):
                    faults.append(f"changes that came later were stored before the kill: {first}; {second}")
                told = evidence.journaled.get((number, first.fired, first.late))
                if told is not None and told < life.killed:
                    egg = evidence.eggs.get(number)
                    asked = ", ".join(f"{step.what} at {step.sent}" for step in egg.steps) if egg else "nothing"
                    faults.append(
                        f"told to be stored {life.killed - told} us before the kill at {life.killed}: {first}; {second};"
                        f" asked of it: {asked}"
                    )
    return faults, again, longest


def shown_twice(evidence):
    """New bubbles beyond one for each ring; by label, which is all that a bubble of one alarm says."""
    bubbles, rings, undone = {}, {}, set()
    for line in evidence.notifications:
        rest = line["body"].split("\n")
        if line["replaces"] == 0 and len(rest) > 1 and LABEL.fullmatch(rest[1]):
            bubbles.setdefault(rest[1], []).append(line)
    for number, entries in evidence.of_number.items():
        rings.setdefault(entries[0].label, []).extend(evidence.distinct(entries))
    for egg in evidence.eggs.values():
        if any(step.what == "Undo" for step in egg.steps):
            undone.add(egg.label)
    faults, again = [], 0
    for label, shown in bubbles.items():
        extra = len(shown) - len(rings.get(label, []))
        if extra <= 0:
            continue
        again += extra
        # what an undo brings back is shown again, as it had no bubble
        if label in undone:
            continue
        lives = [(evidence.life_at(line["at"]), line["at"]) for line in shown]
        cut_off = sum(1 for life, at in lives if life and life.was_killed and not evidence.is_stored(life, at))
        if cut_off < extra:
            faults.append(f"{label}: {len(shown)} new bubbles, {len(rings.get(label, []))} rings: {shown}")
    return faults, again


def unexplained(evidence):
    """Lateness without its reason, or with a wrong one."""
    for ring in evidence.rings + evidence.misses:
        life = evidence.life_at(ring.fired)
        if ring.late > GRACE and not ring.reason:
            yield f"no reason: {ring}"
        if life is None:
            yield f"fired while nothing ran: {ring}"
        elif ring.due < life.spawned and ring.reason != "down":
            yield f"due {life.spawned - ring.due} us before the start, and not down but {ring.reason}: {ring}"
        elif ring.reason == "down" and ring.due > evidence.ready.get(life.pid, life.ended):
            yield f"not down when it was due: {ring}"
        elif ring.reason not in (None, "down", "busy", "store"):
            yield f"nothing of that was done to it: {ring}"


def came_to_nothing(evidence):
    """Alarms whose moment passed untouched, and which neither rang nor were recorded as missed. Returns the faults,
    and how many moments were judged."""
    faults, judged = [], 0
    missed = {}
    for ring in evidence.misses:
        missed.setdefault(ring.number, []).append(ring)
    for egg in evidence.eggs.values():
        for step, after in zip(egg.steps, egg.steps[1:] + [None]):
            view = step.view
            if step.known is None or not view or view["state"] not in ("scheduled", "snoozed"):
                continue
            if view.get("kind") == "every" and view["state"] == "scheduled":
                continue
            due, end = view["due"], after.sent if after else evidence.seen
            # one that came late may have been taken away in time
            if due + (AROUND if evidence.is_killed(due, end) else ON_TIME) > end:
                continue
            judged += 1
            if evidence.ring_of(egg.number, due) or any(abs(ring.due - due) <= FINENESS for ring in missed.get(egg.number, [])):
                continue
            # the entry of a ring, cut off by a kill, is written at the next start, unless the alarm is gone by then;
            # one that was missed is only recorded
            last = next((later.view for later in egg.steps[egg.steps.index(step) + 1 :] if later.view), None) or {}
            last = evidence.listed.get(egg.number, last)
            if last.get("latest", {}).get("outcome") == "missed" or view.get("ifMissed") and evidence.is_killed(due, end):
                continue
            if egg.number not in evidence.listed and evidence.is_killed(due, end + AROUND):
                continue
            faults.append(f"#{egg.number} ({egg.label}) was to ring at {due}: {last or 'gone'}")
    return faults, judged


def at_the_end(evidence):
    """Alarms that are not at the end what was last known of them."""
    for egg in evidence.eggs.values():
        step, alarm = egg.steps[-1], evidence.listed.get(egg.number)
        if step.known is None:
            if alarm is None and step.what not in ("Delete", "DeleteGroup", "Undo"):
                yield f"#{egg.number} is gone after an unanswered {step.what}"
        elif step.view is None:
            if alarm is not None:
                yield f"#{egg.number} is there, though {step.what} was answered: {alarm}"
        elif alarm is None:
            yield f"#{egg.number} is gone: {step.what} was answered with {step.view}"
        elif text := difference(step.view, alarm, evidence.seen):
            yield f"#{egg.number} after {step.what}: {text}"


def still_waiting(evidence):
    """Alarms that wait for what is past, and rings that are nowhere."""
    for alarm in evidence.listed.values():
        due, latest = alarm.get("due"), alarm.get("latest", {})
        if due is not None and due < evidence.seen - GRACE:
            yield f"waits for {evidence.seen - due} us ago: {alarm}"
        if latest.get("outcome") == "rung" and "journaledAt" not in latest:
            yield f"rang and was not journaled: {alarm}"
        if alarm["state"] == "ringing" and "shownAt" not in latest:
            yield f"rings and was not shown: {alarm}"
        if latest.get("outcome") == "rung" and not evidence.ring_of(alarm["number"], latest["firedAt"] - latest["lateness"]):
            yield f"rang, and has no entry: {alarm}"


def unkeyed(evidence):
    """Two alarms of one key, which would be one that was made twice."""
    seen = {}
    for alarm in evidence.listed.values():
        if "key" in alarm:
            seen.setdefault(alarm["label"], []).append(alarm["number"])
    return [f"{label}: {numbers}" for label, numbers in seen.items() if len(numbers) > 1]


def recurring(evidence):
    """Recurring alarms that nobody touched: each elapse is rung or counted as missed, once. Returns the faults, and how
    many alarms were judged. What Again makes of one has what is left of its count."""
    faults, judged = [], 0
    for egg in evidence.eggs.values():
        first, alarm = egg.steps[0].view, evidence.listed.get(egg.number)
        # one that was asked for again after a kill may have rung by then
        isNew = first.get("kind") == "every" and "count" in first and "latest" not in first
        if len(egg.steps) > 1 or not isNew or not alarm or "occurrences" not in alarm:
            continue
        judged += 1
        elapsed = sum(occurrence.get("missedCount", 1) for occurrence in alarm["occurrences"])
        if elapsed != first["count"] or alarm["state"] not in ("ringing", "missed"):
            faults.append(f"{first['count']} elapses, {elapsed} occurred: {alarm}")
    return faults, judged
