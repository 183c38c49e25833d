"""servers.py - a session bus and a notification server that do their worst: absent, late, hung, refusing, dying at each
Notify, two in line for one name, a bus that goes and comes; then all of it in any order.

usage: servers.py SECONDS     each of the former once, whatever the time; the latter for the rest of it, once at least
"""

import os
import sqlite3
import sys
import time
import uuid

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from torture import *  # noqa: E402
from notifications import IN_LINE, Bus, Server  # noqa: E402

# of Notify calls without an answer
LIMIT = 64
# bubbles beside the one that all the rest share
OWN = 64


class Desk:
    """A bus and an eggd on it."""

    def __init__(self, place, name, has_bus=True, arguments=()):
        self.name = name
        self.eggd = place.eggd(name.replace(" ", "-"))
        self.eggd.arguments = arguments
        self.bus = Bus(self.eggd.place)
        self.eggd.environment["DBUS_SESSION_BUS_ADDRESS"] = self.bus.address
        if has_bus:
            self.bus.start()
        assert self.eggd.start(), self.eggd.told()
        self.client = self.eggd.client()
        self.dues = {}  # by summary
        self.numbers = {}

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.eggd.kill()
        if self.bus.process:
            self.bus.kill()

    def claim(self, claim, holds, seen=""):
        return check(f"{self.name}: {claim}", holds, f"{seen}\n" + "\n".join(self.eggd.told()[-6:]))

    def alarm(self, expression, count=1):
        """That many of them; their summaries."""
        made = []
        for _ in range(count):
            summary = f"Egg {len(self.dues)}!"
            alarm = self.client.call("Schedule", expression=expression, summary=summary)["alarm"]
            self.dues[summary], self.numbers[summary] = alarm["due"], alarm["number"]
            made.append(summary)
        return made

    def entries(self):
        """How often each alarm has its entry."""
        counts = {}
        for line in self.eggd.told():
            if line.startswith("<5>Egg "):
                summary = line[3:line.index("!") + 1]
                counts[summary] = counts.get(summary, 0) + 1
        return counts

    def rang(self, summaries, patience=PATIENCE):
        return eventually(lambda: all(self.entries().get(summary) for summary in summaries), patience)

    def rang_once(self):
        self.claim("every alarm has its entry, once", self.rang(self.dues) and set(self.entries().values()) <= {1},
                   self.entries())

    def lateness(self, summaries):
        """By eggd's own clock, µs, once all rings are recorded, and their entries too: else a kill repeats these."""
        def look():
            alarms = self.client.alarms()
            latest = [alarms[self.numbers[summary]].get("latest", {}) for summary in summaries]
            return all("lateness" in ring and "journaledAt" in ring for ring in latest) and latest
        return [ring["lateness"] for ring in eventually(look) or []]

    def were_shown(self, summaries):
        alarms = self.client.alarms()
        return all("shownAt" in alarms[self.numbers[summary]].get("latest", {}) for summary in summaries)


def shows(server, summaries):
    return eventually(lambda: server.shown() == sorted(summaries))


def hung(place):
    with Desk(place, "hung") as desk:
        server = Server(desk.bus.address, manner="hang")
        # one by one, so that each has a bubble of its own
        summaries = [summary for index in range(100) for summary in desk.alarm(f"{1_000 + 15 * index}ms")]
        answered = []
        while not desk.rang(summaries, 0) and len(answered) < 600:
            begin = time.monotonic()
            desk.client.call("Status")
            answered.append(int((time.monotonic() - begin) * 1e6))
            time.sleep(0.02)
        desk.claim("every alarm has its entry, once", desk.rang(summaries) and set(desk.entries().values()) == {1})
        late = desk.lateness(summaries)
        desk.claim("no alarm waits for it", max(late) < 5_000_000 and sorted(late)[50] < 250_000, spread(late))
        desk.claim("no caller waits for it", max(answered) < 5_000_000, spread(answered))
        desk.claim(f"{LIMIT} calls without an answer, and no more",
                   eventually(lambda: server.most_pending == LIMIT, 5) and server.most_pending == LIMIT,
                   server.most_pending)
        figure(f"hung: late by us: {spread(late)}; Status answered after us: {spread(answered)}; unanswered at most "
               f"{server.most_pending}")
        server.behave("answer")
        desk.claim("when it answers, everything is shown", eventually(lambda: desk.were_shown(summaries)))
        desk.claim("what came meanwhile in one shared bubble", len(server.bubbles) <= LIMIT + 2, len(server.bubbles))


def dying(place):
    with Desk(place, "dying") as desk:
        summaries = desk.alarm("300ms", 3)
        notifies = 0
        for _ in range(6):
            server = Server(desk.bus.address, manner="die")
            eventually(lambda: server.is_dead, 3)
            notifies += len(server.received)
        desk.claim("it is asked again by each that comes, and is not hammered", 6 <= notifies <= 18, notifies)
        server = Server(desk.bus.address)
        desk.claim("one that lives shows everything", shows(server, summaries), server.shown())
        desk.rang_once()


def refusing(place):
    with Desk(place, "refusing") as desk:
        server = Server(desk.bus.address, manner="refuse")
        summaries = desk.alarm("200ms", 2)
        desk.rang(summaries)
        eventually(lambda: len(server.received) >= 2, 5)
        desk.claim("it is not hammered", len(server.received) <= 4, len(server.received))
        server.behave("answer")
        summaries += desk.alarm("200ms")
        desk.claim("with the next ring it shows all of them", shows(server, summaries), server.shown())
        desk.rang_once()


def absent_then_late(place):
    with Desk(place, "no bus", has_bus=False) as desk:
        summaries = desk.alarm("200ms", 3)
        desk.claim("alarms ring", desk.rang(summaries, 5))
        desk.claim("status says so", desk.client.call("Status")["desktop"] == "noBus")
        desk.bus.start()
        desk.claim("a bus without a server: status says so",
                   eventually(lambda: desk.client.call("Status")["desktop"] == "noServer"))
        server = Server(desk.bus.address)
        desk.claim("a server that starts late shows them", shows(server, summaries), server.shown())
        desk.claim("which is recorded", eventually(lambda: desk.were_shown(summaries)))
        desk.rang_once()


def bus_restarted(place):
    with Desk(place, "bus restarted") as desk:
        server = Server(desk.bus.address)
        summaries = desk.alarm("200ms", 3)
        desk.claim("three bubbles", shows(server, summaries))
        # and eggd has heard that they are
        eventually(lambda: desk.were_shown(summaries))
        desk.bus.kill()
        during = desk.alarm("200ms")
        desk.claim("an alarm without the bus rings", desk.rang(during, 5))
        desk.bus.start()
        server = Server(desk.bus.address)
        desk.claim("all four are shown on the next bus", shows(server, summaries + during), server.shown())
        desk.claim("those that were on the screen without a sound",
                   sorted(call["summary"] for call in server.received if call["sound"]) == during, server.received)
        desk.client.call("Delete", numbers=[desk.numbers[summaries[0]]])
        desk.claim("and one that is deleted is closed there", shows(server, summaries[1:] + during), server.shown())
        desk.rang_once()


def two_sessions(place):
    with Desk(place, "two sessions") as desk:
        first = Server(desk.bus.address)
        second = Server(desk.bus.address, queue=IN_LINE)
        summaries = desk.alarm("200ms", 3)
        desk.claim("the bubbles are in one of them", shows(first, summaries) and not second.received)
        eventually(lambda: desk.were_shown(summaries))
        first.die()
        desk.claim("when that ends they are in the other", shows(second, summaries), second.shown())
        desk.claim("without a sound", not any(call["sound"] for call in second.received))
        second.close(next(iter(second.bubbles)), 2)
        desk.claim("where the person dismisses them",
                   eventually(lambda: sum("dismissedAt" in alarm["latest"] for alarm in desk.client.alarms().values()) == 1))
        third = Server(desk.bus.address, queue=IN_LINE)
        second.die()
        desk.claim("dismissed is not shown again", eventually(lambda: len(third.bubbles) == 2), third.shown())
        desk.rang_once()


def thousand(place):
    with Desk(place, "1000 at once") as desk:
        server = Server(desk.bus.address)
        begin = now()
        due = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(begin // 1_000_000 + 5))
        summaries = []
        for _ in range(10):
            for _ in range(100):
                summary = f"Egg {len(desk.dues)}!"
                desk.dues[summary] = 0
                desk.client.send("Schedule", expression=due, zone="UTC", summary=summary)
                summaries.append(summary)
            for summary in summaries[-100:]:
                alarm = desk.client.receive()["alarm"]
                desk.dues[summary], desk.numbers[summary] = alarm["due"], alarm["number"]
        desk.rang_once()
        desk.claim("all are shown, and said how many", eventually(
            lambda: any("1000" in body.replace(",", "") for _, body in server.bubbles.values())), server.bubbles)
        desk.claim("in one bubble", len(server.bubbles) == 1, server.bubbles)
        late = desk.lateness(summaries)
        desk.claim("none early", min(late) >= 0)
        figure(f"1000 at once: late by us: {spread(late)}; Notify calls: {len(server.received)}")
        desk.client.call("Dismiss", all=True)
        desk.claim("dismissed, the bubble is closed", eventually(lambda: not server.bubbles), server.bubbles)


def unanswered(place):
    """A person who never dismisses anything."""
    with Desk(place, "150 unanswered") as desk:
        server = Server(desk.bus.address)
        summaries = [summary for index in range(150) for summary in desk.alarm(f"{500 + 12 * index}ms")]
        desk.claim("every alarm is shown", eventually(lambda: desk.were_shown(summaries)))

        def many():
            """Without the names that follow how many they are."""
            return [body.split(":")[0] for summary, body in server.bubbles.values() if summary == "Wait!"]

        def tidy():
            return len(server.bubbles) == OWN + 1 and many() == [f"Your eggs are almost done!\n{150 - OWN} alarms"]

        desk.claim(f"{OWN} bubbles, and one for all the rest", eventually(tidy), server.bubbles)
        before = dict(server.bubbles)
        # one that is killed before it could record a ring rings again
        desk.lateness(summaries)
        desk.eggd.kill()
        # the bus tells that eggd is gone, and it is told of itself
        assert desk.eggd.start(), desk.eggd.told()
        desk.client = desk.eggd.client()
        calls = len(server.received)
        late = desk.alarm("150ms")
        desk.rang(late)
        desk.claim("eggd killed: the next has the very same bubbles",
                   eventually(lambda: len(server.received) >= calls and server.bubbles.keys() == before.keys()),
                   server.bubbles)
        desk.claim("and the next alarm joins the rest", eventually(
            lambda: many() == [f"Your eggs are almost done!\n{151 - OWN} alarms"]), many())
        desk.lateness(late)
        desk.eggd.kill()
        server.behave("hang")
        assert desk.eggd.start(), desk.eggd.told()
        desk.client = desk.eggd.client()
        chosen = [desk.numbers[summary] for summary in summaries[:3] + summaries[-3:]]
        desk.client.call("Delete", numbers=chosen)
        server.behave("answer")
        desk.claim("deleted as soon as the next one answers, their bubbles are closed", eventually(
            lambda: len(server.bubbles) == OWN + 1 - 3 and many() == [f"Your eggs are almost done!\n{148 - OWN} alarms"]),
            server.bubbles)
        desk.rang_once()


def closed_unseen(place):
    with Desk(place, "closed unseen") as desk:
        server = Server(desk.bus.address)
        summaries = [summary for index in range(OWN + 2) for summary in desk.alarm(f"{500 + 12 * index}ms")]
        eventually(lambda: desk.were_shown(summaries))
        shared = [number for number, (summary, _) in server.bubbles.items() if summary == "Wait!"]
        server.behave("hang")
        unseen = desk.alarm("100ms")
        eventually(lambda: server.pending)
        # the person closes what is on the screen: two alarms, and not the one that is on its way there
        server.close(shared[0], 2)
        desk.claim("a shared bubble that is closed dismisses what it named", eventually(
            lambda: sum("dismissedAt" in alarm.get("latest", {}) for alarm in desk.client.alarms().values()) == 2))
        server.behave("answer")
        desk.claim("an alarm that was joining it goes on ringing, and is shown",
                   eventually(lambda: unseen[0] in server.shown()), server.bubbles)
        desk.claim("and is not dismissed", "dismissedAt" not in desk.client.alarms()[desk.numbers[unseen[0]]]["latest"])
        desk.rang_once()


def answered_beside_lock(place):
    """What a person chooses on a bubble while another program holds the database's lock, longer than eggd waits."""
    with Desk(place, "answers beside a lock", arguments=["--snooze", "2s"]) as desk:
        server = Server(desk.bus.address)
        dismissed, snoozed, again = desk.alarm("300ms", 3)
        eventually(lambda: desk.were_shown(desk.numbers))
        lock = sqlite3.connect(desk.eggd.database, isolation_level=None)
        lock.execute("BEGIN IMMEDIATE")
        bubbles = {summary: number for number, (summary, _) in server.bubbles.items()}
        server.close(bubbles[dismissed], 2)
        for summary, action in (snoozed, "snooze"), (again, "again"):
            server.emit("ActionInvoked", "us", (bubbles[summary], action))
        desk.claim("the bubbles are closed", eventually(lambda: not server.shown(), 5), server.bubbles)
        for summary in snoozed, again:
            desk.claim(f"that of {'Snooze' if summary == snoozed else 'Again'} comes back",
                       eventually(lambda: summary in server.shown()), server.bubbles)
        desk.claim("that of a dismissal does not", dismissed not in server.shown(), server.bubbles)
        lock.execute("ROLLBACK")
        desk.claim("the dismissal is stored when the lock is free", eventually(
            lambda: "dismissedAt" in desk.client.alarms()[desk.numbers[dismissed]]["latest"]))
        desk.rang_once()


def ten_thousand(place):
    """As an eggd of before left them that had no limit, beside the same server."""
    count, each = 10_000, 100_000
    with Desk(place, "10000 unanswered") as desk:
        server = Server(desk.bus.address)
        desk.alarm("50ms")
        eventually(lambda: desk.were_shown(desk.numbers))
        desk.eggd.end()
        with server.lock:
            server.last_id = count
            server.bubbles = {number: ("Wait!", "") for number in range(1, count + 1)}
        database = sqlite3.connect(desk.eggd.database)
        owner = database.execute("SELECT bubbleServer FROM occurrence").fetchone()[0]
        begin = now() - count * each
        rows = [(10 + index, str(uuid.uuid4()), begin + index * each, index + 1) for index in range(count)]
        with database:
            database.execute("DELETE FROM alarm")
            database.executemany(
                """INSERT INTO alarm (number, id, position, kind, instant, expression, readingZone, state, overAt, createdAt)
                   VALUES (?1, ?2, ?1 << 20, 'at', ?3, '2026-01-01 00:00', 'UTC', 'over', ?3, ?3)""",
                [row[:3] for row in rows])
            database.executemany(
                """INSERT INTO occurrence (id, alarm, dueAt, outcome, firedAt, journaledAt, shownAt, lateness, bubble,
                     bubbleServer) VALUES (?3, ?1, ?3, 'rung', ?3, ?3, ?3, 0, ?4, ?5)""",
                [(number, None, moment, bubble, owner) for number, _, moment, bubble in rows])
        database.close()
        desk.dues, desk.numbers = {}, {}
        begin = time.monotonic()
        desk.eggd.launch()
        assert desk.eggd.answers(), desk.eggd.told()
        desk.client = desk.eggd.client()
        started = int((time.monotonic() - begin) * 1e6)
        summaries, answered = [], []
        # Only the last ones are told: bubbles of others stay until somebody closes them.
        told, others = 1_024, count - 1_024
        while len(server.bubbles) > others + 2 * OWN and len(answered) < 1_000:
            if len(summaries) < 50:
                summaries += desk.alarm("300ms")
            begin = time.monotonic()
            desk.client.call("Status")
            answered.append(int((time.monotonic() - begin) * 1e6))
            time.sleep(0.005)
        desk.claim(f"the last {told} are told within seconds", len(server.bubbles) <= others + 2 * OWN, len(server.bubbles))
        desk.claim("alarms ring meanwhile", desk.rang(summaries) and summaries)
        late = sorted(desk.lateness(summaries))
        # Other parts may run beside this one: a single alarm may find no processor, or a disk that stalls.
        desk.claim("none waits for them", late[-2] < 500_000 and late[-1] < 5_000_000 and late[len(late) // 2] < 50_000,
                   spread(late))
        desk.claim("nor does a caller", max(answered) < 2_000_000, spread(answered))
        figure(f"10000 unanswered: first answer after us: {started}; late by us: {spread(late)}; Status answered after us: "
               f"{spread(answered)}")


def walk(place, number, steps):
    """Everything that can happen, in any order; then a server that behaves has exactly what still rings."""
    draw = seeded("bus", number)
    with Desk(place, f"walk {number}") as desk:
        servers, is_up, killed, done = [], True, 0, []
        most = 0

        def server():
            return servers[-1] if servers and not servers[-1].is_dead else None

        for _ in range(steps):
            step = draw.choice(["alarm", "alarm", "alarms", "start", "start", "die", "hang", "refuse", "answer",
                                "delete", "dismiss", "bus", "kill", "second", "person"])
            done.append(step)
            if step == "alarm":
                desk.alarm(f"{draw.randint(1, 60)}ms", draw.randint(1, 4))
            elif step == "alarms":
                desk.alarm(f"{draw.randint(30, 60)}ms", draw.randint(6, 20))
            elif step in ("start", "second") and is_up and (not server() or step == "second"):
                servers.append(Server(desk.bus.address, queue=IN_LINE))
            elif step == "die" and server():
                server().behave("die")
            elif step in ("hang", "refuse", "answer") and server():
                server().behave(step)
            elif step in ("delete", "dismiss") and desk.numbers:
                summary = draw.choice(sorted(desk.numbers))
                try:
                    desk.client.call(step.capitalize(), numbers=[desk.numbers[summary]])
                except Refused:
                    pass
            elif step == "person" and server() and server().bubbles:
                with server().lock:
                    if server().bubbles:
                        server().close(draw.choice(sorted(server().bubbles)), draw.choice([1, 2, 3]))
            elif step == "bus":
                if is_up:
                    desk.bus.kill()
                    servers = []
                else:
                    desk.bus.start()
                is_up = not is_up
            elif step == "kill" and draw.random() < 0.3:
                desk.eggd.kill()
                killed += 1
                assert desk.eggd.start(), desk.eggd.told()
                desk.client = desk.eggd.client()
            most = max([most] + [each.most_pending for each in servers])
            time.sleep(draw.random() * 0.04)
        if not is_up:
            desk.bus.start()
        for old in servers:
            old.die()
        last = Server(desk.bus.address)
        eventually(lambda: all(alarm["state"] != "scheduled" for alarm in desk.client.alarms().values()))

        def wrong():
            """What is on the screen of the last server, beside what rings."""
            if any("shownAt" not in alarm["latest"] for alarm in desk.client.alarms().values()
                   if alarm["state"] == "ringing"):
                return "some that ring were never shown"
            ringing = [alarm for alarm in desk.client.alarms().values() if alarm["state"] == "ringing"]
            single = {summary for summary, _ in last.bubbles.values()} - {"Wait!"}
            names = {alarm["summary"] for alarm in ringing}
            if single - names:
                return f"shown, and does not ring: {single - names}"
            shared = len(last.bubbles) - len([1 for summary, _ in last.bubbles.values() if summary != "Wait!"])
            if names - single and not shared:
                return f"rings, and is not shown: {names - single}"
            if not ringing and last.bubbles:
                return f"nothing rings, and there are bubbles: {last.bubbles}"
            return None

        eventually(lambda: wrong() is None, 10)
        faults = [f"at first {wrong()}"] if wrong() else []
        ringing = [alarm["number"] for alarm in desk.client.alarms().values() if alarm["state"] == "ringing"]
        for method in ("Delete", "Dismiss"):
            if ringing:
                chosen = draw.sample(ringing, (len(ringing) + 1) // 2)
                desk.client.call(method, numbers=chosen)
                ringing = sorted(set(ringing) - set(chosen))
                eventually(lambda: wrong() is None, 10)
                faults += [f"after {method} {wrong()}"] if wrong() else []
        # what is deleted may have rung or not
        listed = {alarm["summary"] for alarm in desk.client.alarms().values()}
        entries = desk.entries()
        faults += [f"{summary} never rang" for summary in listed if not entries.get(summary)]
        faults += [f"{summary} rang {count} times" for summary, count in entries.items() if count > 1 + killed]
        if most > LIMIT:
            faults.append(f"{most} calls without an answer")
        if desk.eggd.process.poll() is not None:
            faults.append("eggd has ended")
        return [f"walk {number}: {fault}; {done}" for fault in faults], len(desk.dues), len(last.received), most


def main():
    seconds = float(sys.argv[1])
    begin = time.monotonic()
    with Place() as place:
        for part in [hung, dying, refusing, absent_then_late, bus_restarted, two_sessions, thousand, unanswered,
                     closed_unseen, answered_beside_lock, ten_thousand]:
            part(place)
        faults, walks, alarms, most = [], 0, 0, 0
        while time.monotonic() - begin < seconds or not walks:
            wrong, count, _, pending = walk(place, walks, 60)
            faults += wrong
            walks, alarms, most = walks + 1, alarms + count, max(most, pending)
        check(f"{walks} walks of 60 steps, servers and buses coming and going: what rings is shown, and nothing else",
              not faults, "\n".join(faults[:10]))
        figure(f"{walks} walks, {alarms} alarms, at most {most} calls without an answer")
    finish()


main()
