"""foreign.py - a phone: entries as phones and other calendars make and change them, and what eggctl must leave of them."""

import datetime
import re
import time
import uuid

from calendars import YEAR, Server
from icalendar import Calendar

BERLIN = """BEGIN:VTIMEZONE
TZID:Europe/Berlin
BEGIN:DAYLIGHT
TZOFFSETFROM:+0100
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
DTSTART:19810329T020000
TZOFFSETTO:+0200
END:DAYLIGHT
BEGIN:STANDARD
TZOFFSETFROM:+0200
RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
DTSTART:19961027T030000
TZOFFSETTO:+0100
END:STANDARD
END:VTIMEZONE
"""

# {d}, {e}: a day and the next; {t}: a time of day, {u}: half an hour later.
ENTRIES = [
    """BEGIN:VEVENT
UID:{uid}
DTSTAMP:{now}
DTSTART:{d}T{t}Z
{rule}SUMMARY:{label}
LOCATION:somewhere
END:VEVENT
""",
    BERLIN + """BEGIN:VEVENT
UID:{uid}
SUMMARY:{label}
DTEND;TZID=Europe/Berlin:{d}T{u}
DTSTART;TZID=Europe/Berlin:{d}T{t}
LAST-MODIFIED:{now}
DTSTAMP:{now}
LOCATION:Main Street 1\\nBerlin
SEQUENCE:1
URL;VALUE=URI:https://example.org/dentist
X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-APPLE-RADIUS=70;X-TITLE="Main Str
 eet 1":geo:52.500000,13.400000
BEGIN:VALARM
UID:{uid}-1
TRIGGER:-PT15M
ATTACH;VALUE=URI:Chord
ACTION:AUDIO
END:VALARM
BEGIN:VALARM
UID:{uid}-2
TRIGGER;VALUE=DATE-TIME:{d}T003000Z
DESCRIPTION:Event reminder
ACTION:DISPLAY
END:VALARM
BEGIN:VALARM
TRIGGER;VALUE=DATE-TIME:19760401T005545Z
ACTION:NONE
END:VALARM
END:VEVENT
""",
    BERLIN + """BEGIN:VTODO
DTSTAMP:{now}
UID:{uid}
LAST-MODIFIED:{now}
SUMMARY:{label}
DESCRIPTION:form A
PRIORITY:5
LOCATION:home
RELATED-TO;RELTYPE=PARENT:1122334455667788
DTSTART;TZID=Europe/Berlin:{d}T{t}
DUE;TZID=Europe/Berlin:{e}T{u}
X-APPLE-SORT-ORDER:690123456
CATEGORIES:paperwork,medium,home
BEGIN:VALARM
TRIGGER;RELATED=END:PT0S
ACTION:DISPLAY
DESCRIPTION:{label}
END:VALARM
END:VTODO
""",
    """BEGIN:VEVENT
DTSTART:{d}T{t}Z
DTEND:{d}T{u}Z
DTSTAMP:{now}
SUMMARY:{label}
ORGANIZER;CN=Ann:mailto:ann@example.org
UID:{uid}
ATTENDEE;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED;CN=Ann;X-
 NUM-GUESTS=0:mailto:ann@example.org
ATTENDEE;PARTSTAT=NEEDS-ACTION;RSVP=TRUE;CN="Bob: the second":mailto:bob@example.org
DESCRIPTION:Agenda:\\n\\n- one\\, two
LAST-MODIFIED:{now}
STATUS:CONFIRMED
BEGIN:VALARM
ACTION:DISPLAY
DESCRIPTION:This is an event reminder
TRIGGER:-P0DT0H30M0S
END:VALARM
BEGIN:VALARM
ACTION:EMAIL
DESCRIPTION:This is an event reminder
ATTENDEE:mailto:ann@example.org
TRIGGER:-P1D
END:VALARM
END:VEVENT
""",
    """BEGIN:VEVENT
DTSTART;VALUE=DATE:{d}
DTEND;VALUE=DATE:{e}
DTSTAMP:{now}
UID:{uid}
CLASS:PRIVATE
SUMMARY:{label}
TRANSP:TRANSPARENT
END:VEVENT
""",
    BERLIN + """BEGIN:VEVENT
UID:{uid}
SUMMARY;LANGUAGE=en-US:{label}
DTSTART;TZID=Europe/Berlin:{d}T{t}
DTEND;TZID=Europe/Berlin:{d}T{u}
RRULE:FREQ=WEEKLY;INTERVAL=2
DTSTAMP:{now}
LAST-MODIFIED:{now}
X-MICROSOFT-CDO-BUSYSTATUS:BUSY
BEGIN:VALARM
DESCRIPTION:REMINDER
TRIGGER;RELATED=START:-PT15M
ACTION:DISPLAY
END:VALARM
END:VEVENT
BEGIN:VEVENT
UID:{uid}
RECURRENCE-ID;TZID=Europe/Berlin:{d}T{t}
SUMMARY;LANGUAGE=en-US:{label}
DTSTART;TZID=Europe/Berlin:{e}T{t}
DTEND;TZID=Europe/Berlin:{e}T{u}
DTSTAMP:{now}
LOCATION:Kitchen
END:VEVENT
""",
]

# The lines of each field of an alarm; an edit of it leaves all others.
BOOKKEEPING = {"DTSTAMP", "LAST-MODIFIED", "SEQUENCE"}
DONE = {"STATUS", "PERCENT-COMPLETE", "COMPLETED", "ACTION"}
OWN = {
    "label": {"SUMMARY"}, "note": {"COMMENT"}, "text": {"DESCRIPTION", "CATEGORIES"}, "done": DONE, "leads": set(),
    "time": DONE | {"DTSTART", "DTEND", "DUE", "DURATION", "RRULE", "RDATE", "EXDATE", "RECURRENCE-ID", "X-EGGD-FROM"},
}


class Phone(Server):
    """A client that writes to its server without asking anybody."""

    def __init__(self, place):
        super().__init__(place)
        # By UID: what the server has made of what it has put there last, or what was found there when that was compared.
        self.put = {}

    def add(self, label, dice):
        uid = str(uuid.UUID(int=dice.getrandbits(128), version=4)) if dice.random() < 0.5 else f"{label}@example.org"
        return self.store(uid.replace("@", "-") + ".ics", make(label, uid, dice))

    def change(self, label, new, dice):
        """The new label and the new done mark; None for those that stay."""
        name, text = self.entries()[label]
        text, label, mark = change(text, label, new, dice)
        self.store(name, text)
        return label, mark

    def store(self, name, text):
        if self.ask("PUT", name, text.encode()) is None:
            return False
        uid = uid_of(text)
        self.put[uid] = next(text for _, text in self.entries().values() if uid_of(text) == uid)
        return True

    def delete(self, label):
        name, text = self.entries()[label]
        self.put.pop(uid_of(text), None)
        return self.ask("DELETE", name) is not None


def stamp():
    return time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())


def make(label, uid, dice):
    day = datetime.date(YEAR, dice.randint(1, 12), dice.randint(3, 27))
    hour = dice.randint(3, 22)
    text = dice.choice(ENTRIES).format(
        uid=uid, label=label, now=stamp(), d=f"{day:%Y%m%d}", e=f"{day + datetime.timedelta(days=1):%Y%m%d}",
        t=f"{hour:02}1500", u=f"{hour:02}4500",
        rule=dice.choice(["RRULE:FREQ=WEEKLY;INTERVAL=3\n", "RRULE:FREQ=WEEKLY;COUNT=9\n", "", "", ""]))
    return f"BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//phone//EN\n{text}END:VCALENDAR\n".replace("\n", "\r\n")


def uid_of(text):
    # An alarm has one, too: it comes later, but in what eggctl writes.
    return re.search(r"\r?\nUID:(.*?)\r?\n", text).group(1)


def change(text, label, new, dice):
    """What a person changes on a phone: the text, and what of (new label, done mark) that changes."""
    recurs = re.search(r"\r\n(RRULE|RDATE|X-EGGD-EVENT|X-EGGD-INTERVAL)[;:]", text)
    is_ticked = "\r\nSTATUS:COMPLETED\r\n" in text
    kinds = ["title", "place", "alarm", "strip"]
    kinds += ["tick"] * ("BEGIN:VTODO" in text and not recurs)
    kinds += ["move"] * (not recurs and not is_ticked and "X-EGGD-DONE" not in text)
    kind = dice.choice(kinds)
    text = re.sub(r"LAST-MODIFIED:[^\r\n]*", f"LAST-MODIFIED:{stamp()}", text)
    end = re.search(r"(BEGIN:VALARM|END:VEVENT|END:VTODO)\r\n", text).start()
    if kind == "title":
        text = re.sub(rf"((?:SUMMARY|DESCRIPTION)[^:\r\n]*:){label}\r\n", rf"\g<1>{new}\r\n", text)
        return text, new, None
    if kind == "place":
        text = text[:end] + f"X-PHONE-PLACE;X-BY={new}:{new}\\, upstairs\r\n" + text[end:]
    elif kind == "alarm" and text.count("BEGIN:VALARM") < 6:
        trigger = dice.choice(["-PT25M", "-P1D", "-PT3H", "PT0S"])
        alarm = f"BEGIN:VALARM\r\nACTION:DISPLAY\r\nDESCRIPTION:{new}\r\nTRIGGER:{trigger}\r\nEND:VALARM\r\n"
        end = re.search(r"(END:VEVENT|END:VTODO)\r\n", text).start()
        text = text[:end] + alarm + text[end:]
    elif kind == "strip":
        text = re.sub(r"(X-EGGD-|COMMENT)[^\r\n]*\r\n([ \t][^\r\n]*\r\n)*", "", text)
    elif kind == "tick":
        text = re.sub(r"\r\n(STATUS|PERCENT-COMPLETE|COMPLETED)[;:][^\r\n]*", "", text)
        if not is_ticked:
            text = text.replace(
                "END:VTODO", f"STATUS:COMPLETED\r\nPERCENT-COMPLETE:100\r\nCOMPLETED:{stamp()}\r\nEND:VTODO") \
                if "BEGIN:VALARM" not in text else \
                text.replace("BEGIN:VALARM", f"STATUS:COMPLETED\r\nPERCENT-COMPLETE:100\r\nCOMPLETED:{stamp()}\r\nBEGIN:VALARM", 1)
        return text, None, not is_ticked
    elif kind == "move":
        def later(match):
            day = datetime.date(int(match[2][:4]), int(match[2][4:6]), int(match[2][6:])) + datetime.timedelta(days=1)
            return f"{match[1]}{day:%Y%m%d}"
        text = re.sub(rf"(\r\n(?:DTSTART|DTEND|DUE)[^:\r\n]*:)({YEAR}\d{{4}})", later, text)
    return text, None, None


def lines(text, fields):
    """All lines but those of these fields, with the components that they are in."""
    own = BOOKKEEPING.union(*(OWN[field] for field in fields))
    found = []

    def walk(component, path):
        is_alarm = component.name == "VALARM"
        if is_alarm and "leads" in fields or component.name == "VTIMEZONE" and "time" in fields:
            return
        for name, values in component.items():
            for value in values if isinstance(values, list) else [values]:
                params = sorted((str(key), str(param)) for key, param in value.params.items() if not key.startswith("X-EGGD-"))
                is_own = name in own and not (is_alarm and name == "DESCRIPTION") or name.startswith("X-EGGD-") and name != "X-EGGD-FROM"
                is_own |= is_alarm and "label" in fields and name == "DESCRIPTION"
                is_own |= is_alarm and "time" in fields and name == "TRIGGER" and ("VALUE", "DATE-TIME") in params
                if not is_own:
                    encoded = value.to_ical()
                    found.append((path, name, params, encoded if isinstance(encoded, str) else encoded.decode()))
        for inner in component.subcomponents:
            walk(inner, path + "/" + inner.name)

    walk(Calendar.from_ical(text), "")
    return sorted(found)


def differences(before, after, fields):
    """What became of lines that no edited field owns."""
    old, new = lines(before, fields), lines(after, fields)
    return [("lost", line) for line in old if line not in new] + [("new", line) for line in new if line not in old] or (
        [("count", len(old), len(new))] if len(old) != len(new) else [])
