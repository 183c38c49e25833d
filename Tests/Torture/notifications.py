"""notifications.py - a notification server that stands in for real ones where they have to misbehave: it hangs,
refuses, dies, waits in line for the name; and stamps what arrives. Needs Debian's python3-jeepney."""

import subprocess
import threading
import time

from jeepney import DBusAddress, HeaderFields, MessageType, new_error, new_method_return, new_signal
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import open_dbus_connection

NAME, PATH = "org.freedesktop.Notifications", "/org/freedesktop/Notifications"
# RequestName: in line, if another has it; or not at all
IN_LINE, NOT_IN_LINE = 0, 4


class Bus:
    """A session bus of its own, which can be taken away and come back under the same address."""

    def __init__(self, place):
        self.path = f"{place}/bus"
        self.address = f"unix:path={self.path}"
        self.process = None

    def start(self):
        self.process = subprocess.Popen(
            ["dbus-daemon", "--session", "--nofork", "--nopidfile", f"--address={self.address}"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while True:
            try:
                open_dbus_connection(self.address).close()
                return self
            except OSError:
                time.sleep(0.005)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def __enter__(self):
        return self.start()

    def __exit__(self, *failure):
        self.kill()


class Server:
    """Owns the name, or waits for it, once made. `manner`: what becomes of a Notify: "answer", "hang" (until
    `answer_late`), "refuse", or "die", as a process that crashes."""

    def __init__(self, address, manner="answer", queue=NOT_IN_LINE, capabilities=("actions", "body")):
        self.manner = manner
        self.capabilities = list(capabilities)
        self.lock = threading.RLock()
        self.received = []  # every Notify: moment, summary, body, replaces, sound
        self.bubbles = {}  # on the screen: id -> (summary, body)
        self.pending = []  # (message, id)
        self.most_pending = 0
        self.last_id = 0
        self.is_dead = False
        self.connection = open_dbus_connection(address)
        self.connection.send_and_get_reply(message_bus.RequestName(NAME, queue))
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()

    def serve(self):
        while not self.is_dead:
            try:
                message = self.connection.receive(timeout=0.2)
            except TimeoutError:
                continue
            except (OSError, EOFError, ValueError):
                break
            moment = time.time_ns() // 1000
            if message.header.message_type == MessageType.method_call:
                with self.lock:
                    try:
                        self.called(message, moment)
                    except OSError:
                        break
        self.is_dead = True

    def called(self, message, moment):
        member = message.header.fields[HeaderFields.member]
        if member == "Notify":
            self.notified(message, moment)
        elif member == "CloseNotification":
            self.close(message.body[0], 3)
            self.connection.send(new_method_return(message))
        elif member == "GetCapabilities":
            self.connection.send(new_method_return(message, "as", (self.capabilities,)))
        elif member == "GetServerInformation":
            self.connection.send(new_method_return(message, "ssss", ("stand-in", "eggd", "1", "1.2")))
        else:
            self.connection.send(new_error(message, "org.freedesktop.DBus.Error.UnknownMethod"))

    def notified(self, message, moment):
        _, replaces, _, summary, body, _, hints, _ = message.body
        self.received.append(
            {"moment": moment, "summary": summary, "body": body, "replaces": replaces, "sound": "sound-name" in hints})
        if self.manner == "die":
            self.die()
        elif self.manner == "refuse":
            self.connection.send(new_error(message, f"{NAME}.Error.Refused", "s", ("too many",)))
        else:
            self.last_id += not replaces
            self.pending.append((message, replaces or self.last_id))
            # those of a process that was killed meanwhile are nobody's any more
            sender = message.header.fields[HeaderFields.sender]
            mine = [1 for other, _ in self.pending if other.header.fields[HeaderFields.sender] == sender]
            self.most_pending = max(self.most_pending, len(mine))
            if self.manner == "answer":
                self.answer_late()

    def answer_late(self):
        """Answers every call that it has let hang, and shows what it asked for."""
        with self.lock:
            for message, number in self.pending:
                self.bubbles[number] = (message.body[3], message.body[4])
                self.connection.send(new_method_return(message, "u", (number,)))
            self.pending = []

    def behave(self, manner):
        with self.lock:
            self.manner = manner
            if manner == "answer":
                self.answer_late()

    def close(self, number, reason):
        """Takes a bubble off the screen; 2: the person did."""
        with self.lock:
            if self.bubbles.pop(number, None) is not None:
                self.emit("NotificationClosed", "uu", (number, reason))

    def emit(self, member, signature, body):
        self.connection.send(new_signal(DBusAddress(PATH, interface=NAME), member, signature, body))

    def die(self):
        """The connection breaks, and with it all it shows is gone."""
        with self.lock:
            self.bubbles = {}
            self.pending = []
            # the next one asks for the name as soon as this one is known to be dead
            self.connection.close()
            self.is_dead = True

    def arrived(self, prefix):
        """When each summary with that prefix came first, µs."""
        with self.lock:
            moments = {}
            for call in self.received:
                if call["summary"].startswith(prefix):
                    moments.setdefault(call["summary"], call["moment"])
            return moments

    def shown(self):
        """Summaries of the bubbles on the screen."""
        with self.lock:
            return sorted(summary for summary, _ in self.bubbles.values())
