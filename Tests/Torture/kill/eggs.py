"""What a client knows of its alarms: what was acknowledged, and when."""
import threading

# what no change but the client's own gives another value
LASTING = (
    "number label id category eggs group summary body expression kind key createdAt span instant civil ifMissed"
    " ringWithin until anniversary"
).split()
# a countdown's moment on the wall clock is derived anew each time it is asked for
FINENESS = 2_000


class Step:
    """Something that was asked for, and the alarm as it is known to be afterwards."""

    def __init__(self, what, sent):
        self.what, self.sent = what, sent
        # when it was answered, or found out after a kill
        self.known = None
        # the alarm; None where it is gone
        self.view = None
        # in the reply to a deletion: the ring came first
        self.rang = False


class Egg:
    """One alarm. Its steps follow each other; only the last one may be unanswered."""

    def __init__(self, view, sent, known):
        self.number, self.label = view["number"], view.get("label", "")
        self.steps = []
        self.begin("Schedule", sent)
        self.end(view, known)

    @property
    def view(self):
        return self.steps[-1].view

    @property
    def is_certain(self):
        return self.steps[-1].known is not None

    def begin(self, what, sent):
        self.steps.append(Step(what, sent))

    def end(self, view, known, rang=False):
        step = self.steps[-1]
        step.view, step.known, step.rang = view, known, rang

    def refused(self):
        """Nothing was changed."""
        self.steps.pop()


def is_over(view):
    return view["state"] in ("rung", "missed", "skipped")


def presumed_state(view, moment):
    """Where an alarm stands when nothing was done to it since."""
    due = view.get("due")
    if view["state"] in ("scheduled", "snoozed") and due and due < moment:
        return "ringing"
    return view["state"]


def difference(view, seen, moment):
    """What of an alarm that was seen at that moment does not follow from what was known of it; None for nothing."""
    for field in LASTING:
        if view.get(field) != seen.get(field):
            return f"{field} was {view.get(field)!r} and is {seen.get(field)!r}"
    if view.get("kind") == "every":
        return None
    if view["done"] != seen["done"]:
        return f"done was {view['done']} and is {seen['done']}"
    state, now_state, due = view["state"], seen["state"], view.get("due")
    if state in ("scheduled", "snoozed"):
        if now_state == state:
            if abs(seen["due"] - due) > FINENESS:
                return f"due was {due} and is {seen['due']}"
        elif due > moment:
            return f"{state} for {due}, {now_state} at {moment}"
        elif now_state == "missed":
            if "ifMissed" not in view:
                return f"{state} for {due}, missed"
        elif now_state != "ringing":
            return f"{state} for {due}, {now_state}"
    elif state != now_state:
        return f"was {state} and is {now_state}"
    elif state == "paused" and view.get("remaining") != seen.get("remaining"):
        return f"remaining was {view.get('remaining')} and is {seen.get('remaining')}"
    elif "latest" in view and view["latest"]["id"] != seen.get("latest", {}).get("id"):
        return f"its latest occurrence was {view['latest']['id']} and is {seen.get('latest')}"
    return None


class Registry:
    """All alarms that were acknowledged, and the turns of those who change them."""

    def __init__(self):
        self.eggs = {}
        self.lock = threading.Condition()
        self.sharing = 0
        self.is_alone = False
        # of acknowledged changes
        self.sequence = 0
        # of acknowledged changes: sent, answered
        self.answers = []
        self.faults = []
        self.counts = {}

    def add(self, egg):
        with self.lock:
            self.eggs[egg.number] = egg

    def count(self, what, by=1):
        with self.lock:
            self.counts[what] = self.counts.get(what, 0) + by

    def fault(self, text):
        with self.lock:
            self.faults.append(text)

    def saw(self, sequence):
        with self.lock:
            self.sequence = max(self.sequence, sequence)

    # An undo takes back the last change, whoever made it: nobody else has one under way meanwhile.
    def share(self):
        with self.lock:
            self.lock.wait_for(lambda: not self.is_alone)
            self.sharing += 1

    def end_share(self):
        with self.lock:
            self.sharing -= 1
            self.lock.notify_all()

    def be_alone(self):
        with self.lock:
            self.lock.wait_for(lambda: not self.is_alone)
            self.is_alone = True
            self.lock.wait_for(lambda: self.sharing == 0)

    def end_alone(self):
        with self.lock:
            self.is_alone = False
            self.lock.notify_all()
