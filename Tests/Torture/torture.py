"""torture.py - what the parts in Python share: claims, a seed, an eggd of their own, a client of its wire."""

import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

SEED = int(os.environ.get("TORTURE_SEED") or random.randrange(1 << 30))
SECONDS = float(os.environ.get("TORTURE_SECONDS") or 60)
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
EGGD = os.environ.get("EGGD") or f"{ROOT}/.build/release/eggd"
EGGCTL = os.environ.get("EGGCTL") or f"{ROOT}/.build/release/eggctl"
# what nothing on a machine that is alive takes longer than
PATIENCE = 30

_failed = 0


def seeded(*names):
    """A generator for one purpose: what one part draws does not move what another gets."""
    return random.Random(f"{SEED} {' '.join(map(str, names))}")


def check(claim, holds, seen=""):
    """Prints the claim, with what was seen where it does not hold."""
    global _failed
    print(f"{'ok  ' if holds else 'FAIL'} {claim}", flush=True)
    if not holds:
        _failed += 1
        for line in str(seen).splitlines() or ["?"]:
            print(f"     | {line}", flush=True)
    return holds


def figure(text):
    print(f"     | {text}", flush=True)


def finish():
    sys.exit(1 if _failed else 0)


def eventually(look, patience=PATIENCE):
    """What `look` comes to return that is true; its last answer after `patience` seconds."""
    end = time.monotonic() + patience
    while True:
        answer = look()
        if answer or time.monotonic() > end:
            return answer
        time.sleep(0.005)


def now():
    """Microseconds since the epoch."""
    return time.time_ns() // 1000


def spread(spans):
    """The lowest, the middle, the 99th of a hundred and the highest."""
    spans = sorted(spans)
    if not spans:
        return "none"
    middle, high = spans[len(spans) // 2], spans[min(len(spans) - 1, len(spans) * 99 // 100)]
    return f"min {spans[0]} p50 {middle} p99 {high} max {spans[-1]} of {len(spans)}"


class Refused(Exception):
    """An error reply: its last name, and its parameters."""

    def __init__(self, name, parameters):
        super().__init__(name, parameters)
        self.name = name
        self.parameters = parameters


class Client:
    """One connection."""

    def __init__(self, path, patience=PATIENCE):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(patience)
        try:
            self.socket.connect(path)
        except OSError:
            self.socket.close()
            raise
        self.rest = b""

    def send(self, method, **parameters):
        name = method if "." in method else f"io.eggd.Schedule.{method}"
        self.socket.sendall(json.dumps({"method": name, "parameters": parameters}).encode() + b"\0")

    def receive(self):
        while b"\0" not in self.rest:
            block = self.socket.recv(65536)
            if not block:
                raise ConnectionError("eggd closed the connection")
            self.rest += block
        message, _, self.rest = self.rest.partition(b"\0")
        reply = json.loads(message)
        if "error" in reply:
            raise Refused(reply["error"].rpartition(".")[2], reply.get("parameters", {}))
        return reply.get("parameters", {})

    def call(self, method, **parameters):
        self.send(method, **parameters)
        return self.receive()

    def alarms(self):
        """All of them, by number."""
        alarms, after = {}, None
        while True:
            page = self.call("List", **({"after": after} if after else {}))
            alarms.update((alarm["number"], alarm) for alarm in page["alarms"])
            after = page.get("after")
            if not after:
                return alarms

    def close(self):
        self.socket.close()


class Eggd:
    """A real eggd with directories of its own; what it tells the journal is on its standard error."""

    def __init__(self, place, state=None, **environment):
        self.place = place
        self.state = state or f"{place}/state"
        self.runtime = f"{place}/run"
        for directory in (self.state, self.runtime):
            os.makedirs(directory, mode=0o700, exist_ok=True)
        self.directory = f"{self.state}/eggd"
        self.database = f"{self.directory}/schedule.db"
        self.socket = f"{self.runtime}/eggd/eggd.sock"
        self.errors = f"{place}/errors"
        self.environment = {
            "PATH": os.environ["PATH"], "LANG": "C.UTF-8", "HOME": place, "TZ": "UTC",
            "XDG_RUNTIME_DIR": self.runtime, "XDG_STATE_HOME": self.state,
            # There is none: what servers are asked to play does not depend on the machine.
            "PULSE_SERVER": f"unix:{self.runtime}/pulse", **environment,
        }
        self.process = None
        self.arguments = []

    def launch(self, **environment):
        """Starts it, and does not wait."""
        with open(self.errors, "ab") as errors:
            self.process = subprocess.Popen(
                [EGGD, *self.arguments], stdin=subprocess.DEVNULL, stdout=errors, stderr=errors,
                env={**self.environment, **environment})
        return self

    def start(self, patience=PATIENCE, **environment):
        """Starts it; whether it answers. One that ended by itself does not."""
        self.launch(**environment)
        return self.answers(patience)

    def answers(self, patience=PATIENCE):
        end = time.monotonic() + patience
        while time.monotonic() < end and self.process.poll() is None:
            try:
                client = self.client(patience)
                client.call("org.varlink.service.GetInfo")
                client.close()
                return True
            except OSError:
                time.sleep(0.002)
        return False

    def client(self, patience=PATIENCE):
        return Client(self.socket, patience)

    def eggctl(self, *arguments):
        return subprocess.run(
            [EGGCTL, *arguments], env=self.environment, capture_output=True, text=True, timeout=PATIENCE * 2)

    def end(self, number=signal.SIGTERM):
        """Its exit status."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        return self.process.wait(PATIENCE)

    def kill(self):
        return self.end(signal.SIGKILL)

    def told(self):
        """The lines of its standard error."""
        try:
            with open(self.errors, encoding="utf-8", errors="replace") as file:
                return file.read().splitlines()
        except FileNotFoundError:
            return []

    def rings(self, summary):
        """How often an alarm with that summary has its entry."""
        return sum(line.startswith(f"<5>{summary} ") for line in self.told())


class Place:
    """A directory that goes at the end, and with it what runs in it."""

    def __init__(self):
        self.path = tempfile.mkdtemp(prefix="egg-torture.")
        self.daemons = []

    def __enter__(self):
        return self

    def eggd(self, name="", **options):
        daemon = Eggd(f"{self.path}/{name}" if name else self.path, **options)
        self.daemons.append(daemon)
        return daemon

    def __exit__(self, *failure):
        for daemon in self.daemons:
            if daemon.process and daemon.process.poll() is None:
                daemon.kill()
        shutil.rmtree(self.path, ignore_errors=True)
