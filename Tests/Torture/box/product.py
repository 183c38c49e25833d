"""The real eggd and its wire, for the programs of the torture suite."""
import atexit
import json
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time

INTERFACE = "io.eggd.Schedule."
# MESSAGE_IDs of entries
RANG = "cf5f9b230d1e4ddb9d5b5e792f1015a6"
MISSED = "1949480d82264cecb0f434437ed29d41"
READY = "c14e83a1eb4e469990f37384be562307"


def now():
    """The wall clock in us since the epoch."""
    return time.time_ns() // 1000


class Place:
    """The directories of one eggd."""

    def __init__(self, runtime=None, state=None):
        self.runtime = runtime or os.environ["XDG_RUNTIME_DIR"]
        self.state = state or os.environ["XDG_STATE_HOME"]

    @classmethod
    def new(cls, name):
        """Directories of its own in the box."""
        directory = f"{os.environ['BOX']}/{name}"
        place = cls(directory + "/run", directory + "/state")
        os.makedirs(place.runtime, mode=0o700)
        os.makedirs(place.state, mode=0o700)
        return place

    @property
    def socket(self):
        return self.runtime + "/eggd/eggd.sock"

    @property
    def database(self):
        return self.state + "/eggd/schedule.db"

    @property
    def errors(self):
        """What its eggd write to standard error."""
        return self.state + "/stderr"

    @property
    def environment(self):
        bus = f"unix:path={os.environ['XDG_RUNTIME_DIR']}/bus"
        return {
            "XDG_RUNTIME_DIR": self.runtime, "XDG_STATE_HOME": self.state, "DBUS_SESSION_BUS_ADDRESS": bus,
        }

    def look(self, *questions):
        """Answers of SQLite, to questions about the database as it lies there: of a copy, so that it stays so."""
        copy = self.state + "/copy.db"
        for suffix in ("", "-wal"):
            if os.path.exists(self.database + suffix):
                shutil.copy(self.database + suffix, copy + suffix)
        connection = sqlite3.connect(copy)
        try:
            return [connection.execute(question).fetchall() for question in questions]
        finally:
            connection.close()
            for suffix in ("", "-wal", "-shm"):
                if os.path.exists(copy + suffix):
                    os.remove(copy + suffix)

    def damage(self):
        """What is wrong with the database."""
        try:
            found = [row[0] for row in self.look("PRAGMA integrity_check")[0]]
            orphans = "SELECT count(*) FROM occurrence WHERE alarm NOT IN (SELECT number FROM alarm)"
            if count := self.look(orphans)[0][0][0]:
                found.append(f"{count} occurrences without an alarm")
        except sqlite3.DatabaseError as error:
            # killed before there was a table
            found = [] if "no such table" in str(error) else [str(error)]
        return [text for text in found if text != "ok"]


class Gone(Exception):
    """The connection has ended."""


class Refused(Exception):
    """An error reply: its name without the interface, and its parameters."""

    def __init__(self, name, parameters):
        super().__init__(f"{name} {parameters}")
        self.name, self.parameters = name, parameters


class Connection:
    """One Varlink connection; replies come in the order of the calls."""

    def __init__(self, place, patience=30):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(patience)
        self.rest = b""
        try:
            self.socket.connect(place.socket)
        except OSError as error:
            self.socket.close()
            raise Gone(str(error)) from error

    def close(self):
        self.socket.close()

    def send(self, method, parameters, more=False):
        call = {"method": INTERFACE + method, "parameters": parameters}
        if more:
            call["more"] = True
        try:
            self.socket.sendall(json.dumps(call).encode() + b"\0")
        except OSError as error:
            raise Gone(str(error)) from error

    def receive(self):
        """The next reply's parameters; raises Refused, or Gone where there is none to come."""
        while b"\0" not in self.rest:
            try:
                more = self.socket.recv(262144)
            except OSError as error:
                raise Gone(str(error)) from error
            if not more:
                raise Gone("closed")
            self.rest += more
        text, self.rest = self.rest.split(b"\0", 1)
        reply = json.loads(text)
        if "error" in reply:
            raise Refused(reply["error"].removeprefix(INTERFACE), reply.get("parameters", {}))
        return reply["parameters"]

    def call(self, method, **parameters):
        self.send(method, parameters)
        return self.receive()


class Eggd:
    """One process of it: when it was started, and by when it was gone."""

    def __init__(self, place, **environment):
        self.place = place
        self.spawned = now()
        self.ended = None
        self.process = subprocess.Popen(
            [os.environ["EGGD"]],
            env=os.environ | place.environment | environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=open(place.errors, "ab"),
        )
        self.pid = self.process.pid
        running.append(self.process)

    def connect(self, patience=30):
        """A connection, once it answers; None where it ended before."""
        end = time.monotonic() + patience
        while time.monotonic() < end:
            try:
                connection = Connection(self.place)
                connection.call("Status")
                return connection
            except Gone:
                if self.process.poll() is not None:
                    self.ended = now()
                    return None
                time.sleep(0.002)
        raise TimeoutError("eggd does not answer")

    def kill(self):
        self.process.kill()
        self.wait()

    def stop(self):
        self.process.terminate()
        self.wait()

    def wait(self, patience=30):
        """Its exit status; negative where a signal ended it."""
        status = self.process.wait(patience)
        self.ended = self.ended or now()
        return status

    def own_end(self):
        """That it ended by itself, and its last words."""
        with open(self.place.errors, encoding="utf-8", errors="replace") as file:
            said = file.readlines()[-2:]
        return f"eggd ended by itself with {self.wait()}: " + " ".join(line.strip() for line in said)

    @property
    def was_killed(self):
        return self.process.poll() == -signal.SIGKILL


running = []


@atexit.register
def end_all():
    """None outlives the program that started it."""
    for process in running:
        if process.poll() is None:
            process.kill()
            process.wait()


signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))


class Claims:
    """What a part prints of what it found."""

    def __init__(self):
        self.failed = 0

    def check(self, claim, faults):
        """The claim holds where there are no faults."""
        faults = list(faults)
        print(("FAIL " if faults else "ok   ") + claim, flush=True)
        for fault in faults[:10]:
            print(f"     | {fault}")
        if len(faults) > 10:
            print(f"     | and {len(faults) - 10} more")
        self.failed += bool(faults)

    @staticmethod
    def figure(text):
        print(f"     | {text}", flush=True)


def lines(path):
    """The records of a file of JSON lines, but for one that is being written."""
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.endswith("\n")]
