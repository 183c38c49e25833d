"""Clients that change alarms as fast as eggd answers, note what is acknowledged, and look after each kill whether
that is still so."""
import os
import random
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "box"))
from eggs import Egg, difference, is_over, presumed_state  # noqa: E402
from product import Connection, Gone, Refused, now  # noqa: E402

# alarms of one client that are to ring soon, and all of its alarms
WAITING, MOST = 60, 160
GROUPS = ("a", "b", "c")


class Client(threading.Thread):
    def __init__(self, index, seed, place, registry):
        super().__init__(name=f"client {index}", daemon=True)
        self.index, self.place, self.registry = index, place, registry
        self.random = random.Random(f"{seed} client {index}")
        self.eggs = {}
        # keyed calls of Schedule that were not answered: the same again is the same alarm
        self.again = []
        self.made = 0
        self.groups = {name: None for name in GROUPS}
        self.is_over = threading.Event()
        self.connection = None

    def run(self):
        while not self.is_over.is_set():
            try:
                self.connection = Connection(self.place)
            except Gone:
                time.sleep(0.003)
                continue
            try:
                self.look_again()
                while not self.is_over.is_set():
                    self.turn()
            except Gone:
                pass
            except Exception as error:  # pylint: disable=broad-except
                self.registry.fault(f"{self.name}: {type(error).__name__} {error}")
                raise
            finally:
                self.connection.close()

    # After a kill

    def look_again(self):
        """Finds out what became of unanswered changes; compares some of the answered ones with what is there."""
        self.registry.share()
        try:
            for parameters in self.again[:]:
                self.schedule([parameters], isAgain=True)
                self.again.remove(parameters)
            uncertain = [egg for egg in list(self.eggs.values()) if not egg.is_certain]
            latest = sorted(self.mine(), key=lambda egg: egg.steps[-1].known)[-8:]
            self.registry.count("looked at after a kill", len(latest))
            for egg in uncertain + latest:
                seen = self.show(egg.number)
                if not egg.is_certain:
                    self.settle(egg, seen)
                elif seen is None:
                    self.registry.fault(f"#{egg.number} is gone after a kill, though {egg.steps[-1].what} was answered")
                    self.forget(egg)
                elif text := difference(egg.view, seen, now()):
                    self.registry.fault(f"#{egg.number} after a kill: {text}")
            for name in GROUPS:
                if self.groups[name] is None:
                    self.groups[name] = self.finds(self.group(name))
        finally:
            self.registry.end_share()

    def settle(self, egg, seen):
        what = egg.steps[-1].what
        if seen is None:
            if what not in ("Delete", "DeleteGroup", "Undo"):
                self.registry.fault(f"#{egg.number} is gone after an unanswered {what}")
            self.forget(egg)
        egg.end(seen, now())

    def finds(self, group):
        try:
            return bool(self.connection.call("ListGroups", name=group)["groups"])
        except Refused as refusal:
            if refusal.name != "NoSuchGroup":
                raise
            return False

    def show(self, number):
        try:
            return self.connection.call("Show", number=number)["alarm"]
        except Refused as refusal:
            if refusal.name != "NoSuchAlarm":
                raise
            return None

    # One turn

    def turn(self):
        moment = now()
        roll = self.random.random()
        if roll < 0.03:
            return self.undo()
        self.registry.share()
        try:
            waiting = sum(1 for egg in self.mine() if is_soon(egg.view, moment))
            if waiting < WAITING and roll < 0.55:
                self.schedule([self.new() for _ in range(self.random.randint(1, 6))])
            elif len(self.eggs) > MOST or roll < 0.65:
                self.clear_up(moment)
            elif roll < 0.70:
                self.change_group()
            elif roll < 0.72:
                self.connection.call("List", limit=20, order=self.random.choice(["due", "label", "position"]))
            else:
                self.change_some(moment)
        finally:
            self.registry.end_share()
        time.sleep(self.random.random() * 0.005)

    def new(self):
        self.made += 1
        parameters = {"label": f"{self.index}-{self.made}"}
        soon = self.random.randint(5_000, 1_200_000)
        sort = self.random.random()
        if sort < 0.45:
            parameters |= {"expression": f"{soon}us", "kind": "in"}
        elif sort < 0.80:
            due = now() + soon
            parameters |= {"expression": f"@{due // 1_000_000}.{due % 1_000_000:06}", "kind": "at"}
        elif sort < 0.92:
            parameters |= {"expression": f"{self.random.randint(1, 9)}h", "kind": "in"}
        else:
            parameters |= {"expression": "*:*:*", "kind": "every", "count": self.random.randint(1, 3)}
        if self.random.random() < 0.15:
            parameters |= {"ifMissed": "record"}
        if self.random.random() < 0.3:
            parameters |= {"key": f"key {parameters['label']}"}
        if self.random.random() < 0.3:
            parameters |= {"category": self.random.choice(["soft", "hard"]), "eggs": self.random.randint(1, 9)}
        known = [name for name in GROUPS if self.groups[name]]
        if known and self.random.random() < 0.3:
            parameters |= {"group": self.group(self.random.choice(known))}
        return parameters

    def schedule(self, all_parameters, isAgain=False):
        sent = now()
        for parameters in all_parameters:
            self.connection.send("Schedule", parameters)
        unanswered = list(all_parameters)
        try:
            for parameters in all_parameters:
                try:
                    reply = self.connection.receive()
                    self.took(reply, sent)
                    egg = Egg(reply["alarm"], sent, now())
                    self.eggs[egg.number] = egg
                    self.registry.add(egg)
                except Refused as refusal:
                    self.refused(refusal, ("InThePast",))
                unanswered.remove(parameters)
        finally:
            if not isAgain:
                self.again += [parameters for parameters in unanswered if "key" in parameters]
            self.registry.count("unanswered", len(unanswered))

    def clear_up(self, moment):
        """Deletes: what comes next, or what is over, as an eggd that starts shows again whatever rings."""
        soon = sorted((egg for egg in self.mine() if is_soon(egg.view, moment)), key=lambda egg: egg.view["due"])
        if soon and self.random.random() < 0.5:
            self.change("Delete", soon[: self.random.randint(1, 4)], {})
            return
        old = [egg for egg in self.mine() if is_over(egg.view) or rings(egg.view, moment)]
        number = self.random.randint(1, 20)
        chosen = old[:number] if old and self.random.random() < 0.8 else self.some(self.random.randint(1, 3))
        if chosen:
            self.change("Delete", chosen, {})

    def change_some(self, moment):
        choice = self.random.choices(
            ["Dismiss", "Snooze", "Edit", "MarkDone", "Pause", "Resume", "Extend", "Skip", "Move", "Again"],
            [20, 10, 20, 8, 8, 8, 8, 5, 5, 5],
        )[0]
        states = {
            "Dismiss": ("ringing", "snoozed"), "Snooze": ("ringing",), "Pause": ("scheduled",),
            "Resume": ("paused",), "Extend": ("scheduled", "snoozed", "paused"), "Skip": ("scheduled",),
        }
        number = self.random.randint(4, 10) if choice == "Dismiss" else self.random.randint(1, 2)
        chosen = self.some(number, states.get(choice), moment)
        if not chosen:
            return
        if choice == "Again":
            self.again_of(chosen[0])
            return
        parameters = {
            "Snooze": {"span": self.random.randint(1_000_000, 1_800_000)},
            "Edit": self.edit(),
            "MarkDone": {"done": self.random.random() < 0.6},
            "Extend": {"span": self.random.randint(50_000, 900_000)},
            "Move": {"place": self.random.choice(["top", "bottom"])},
        }
        self.change(choice, chosen, parameters.get(choice, {}))

    def edit(self):
        known = [name for name in GROUPS if self.groups[name]]
        choices = [
            {"eggs": self.random.randint(1, 99)},
            {"category": self.random.choice(["soft", "medium", "hard", "other"])},
            {"summary": f"Egg {self.random.randint(1, 99)}!"},
            {"expression": f"{self.random.randint(20, 900)}ms"},
            {"group": self.group(self.random.choice(known)) if known else ""},
        ]
        return self.random.choice(choices)

    def some(self, number, states=None, moment=0):
        found = [egg for egg in self.mine() if not states or presumed_state(egg.view, moment) in states]
        return self.random.sample(found, min(number, len(found)))

    def again_of(self, egg):
        sent = now()
        self.connection.send("Again", {"number": egg.number})
        try:
            reply = self.connection.receive()
        except Refused as refusal:
            self.refused(refusal, ("InThePast", "NoElapseLeft"))
            return
        self.took(reply, sent)
        new = Egg(reply["alarm"], sent, now())
        self.eggs[new.number] = new
        self.registry.add(new)

    def change(self, method, chosen, parameters):
        sent = now()
        for egg in chosen:
            egg.begin(method, sent)
        self.registry.count("unanswered")
        self.connection.send(method, {"numbers": [egg.number for egg in chosen]} | parameters)
        try:
            reply = self.connection.receive()
        except Refused as refusal:
            for egg in chosen:
                egg.refused()
            self.registry.count("unanswered", -1)
            self.refused(refusal, ("WrongState", "InThePast", "InvalidDue", "NoSuchGroup"))
            return
        self.registry.count("unanswered", -1)
        self.took(reply, sent)
        moment = now()
        if reply["missing"]:
            self.registry.fault(f"{method} does not find {reply['missing']}")
        if method == "Delete":
            for egg in chosen:
                egg.end(None, moment, rang=egg.number in reply["rang"])
                self.forget(egg)
            return
        views = {alarm["number"]: alarm for alarm in reply["alarms"]}
        for egg in chosen:
            if egg.number in views:
                egg.end(views[egg.number], moment)
            else:
                egg.refused()

    def change_group(self):
        name = self.random.choice(GROUPS)
        if not self.groups[name]:
            self.groups[name] = None
            sent = now()
            self.took(self.connection.call("CreateGroup", name=self.group(name), color="red"), sent)
            self.groups[name] = True
            return
        if self.random.random() < 0.5:
            icon, sent = self.random.choice(["egg", "clock"]), now()
            self.took(self.connection.call("EditGroup", name=self.group(name), icon=icon), sent)
            return
        kept = self.random.choice(["keep", "delete"])
        members = [egg for egg in self.mine() if egg.view.get("group") == self.group(name)]
        self.groups[name] = None
        sent = now()
        for egg in members:
            egg.begin("DeleteGroup" if kept == "delete" else "DeleteGroup, keeping", sent)
        try:
            reply = self.connection.call("DeleteGroup", name=self.group(name), alarms=kept)
        except Refused as refusal:
            # an undo took the group back
            for egg in members:
                egg.refused()
            self.refused(refusal, ("NoSuchGroup",))
            return
        self.groups[name] = False
        self.took(reply, sent)
        moment = now()
        for egg in members:
            if kept == "delete":
                egg.end(None, moment, rang=egg.number in reply["rang"])
                self.forget(egg)
            else:
                egg.end({key: value for key, value in egg.steps[-2].view.items() if key != "group"}, moment)

    def undo(self):
        """Takes back the last change of anybody, and looks at what it names."""
        self.registry.be_alone()
        try:
            try:
                last = self.connection.call("Undo", preview=True)
                touched = [self.registry.eggs[number] for number in last["numbers"] if number in self.registry.eggs]
                if "Group" in last["change"]:
                    # not all that it touches is named
                    touched += [egg for client in self.everybody for egg in client.eggs.values() if egg not in touched]
                    for client in self.everybody:
                        client.groups = dict.fromkeys(GROUPS)
                sent = now()
                for egg in touched:
                    egg.begin("Undo", sent)
                    self.owner(egg).eggs[egg.number] = egg
                self.took(self.connection.call("Undo", sequence=last["sequence"]), sent)
            except Refused as refusal:
                # alone as it is, nobody can have changed anything since
                self.refused(refusal, ("NothingToUndo",))
                return
            self.registry.count("undone")
            for egg in touched:
                egg.end(self.show(egg.number), now())
                if egg.view is None:
                    self.owner(egg).forget(egg)
                isNamed = egg.number in last["numbers"]
                if egg.view is None and (last["change"] != "schedule" or not isNamed):
                    self.registry.fault(f"#{egg.number} is gone after the undo of {last['change']}")
                if egg.view is not None and last["change"] == "schedule" and isNamed:
                    self.registry.fault(f"#{egg.number} is there, though its making was undone")
            for client in self.everybody:
                for name in GROUPS:
                    if client.groups[name] is None:
                        client.groups[name] = self.finds(client.group(name))
        finally:
            self.registry.end_alone()

    # Small things

    def mine(self):
        """Those of which it is known what they are: another client's undo may have been cut off."""
        return [egg for egg in list(self.eggs.values()) if egg.is_certain]

    def owner(self, egg):
        return self.everybody[int(egg.label.split("-")[0])]

    def group(self, name):
        return f"{self.index}-{name}"

    def forget(self, egg):
        self.eggs.pop(egg.number, None)

    def took(self, reply, sent):
        self.registry.count("changes")
        self.registry.answers.append((sent, now()))
        if reply["sequence"] < self.registry.sequence:
            # replies of others may have been read first, but a life later it can only be higher
            self.registry.count("replies read out of order")
        self.registry.saw(reply["sequence"])

    def refused(self, refusal, expected):
        self.registry.count("refused")
        if refusal.name not in expected:
            self.registry.fault(f"{self.name}: {refusal}")


def is_soon(view, moment):
    return view["state"] == "scheduled" and moment < view.get("due", 0) < moment + 2_000_000


def rings(view, moment):
    return presumed_state(view, moment) == "ringing"
