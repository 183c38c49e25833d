"""The real eggd and its wire, for the programs of the torture suite."""
import json
import os
import signal
import socket
import subprocess
import time

INTERFACE = "io.eggd.Schedule."


def now():
    """The wall clock in us since the epoch."""
    return time.time_ns() // 1000


def socket_path():
    return os.environ["XDG_RUNTIME_DIR"] + "/eggd/eggd.sock"


def database():
    return os.environ["XDG_STATE_HOME"] + "/eggd/schedule.db"


class Gone(Exception):
    """The connection has ended."""


class Refused(Exception):
    """An error reply: its name without the interface, and its parameters."""

    def __init__(self, name, parameters):
        super().__init__(f"{name} {parameters}")
        self.name, self.parameters = name, parameters


class Connection:
    """One Varlink connection; replies come in the order of the calls."""

    def __init__(self, patience=30):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(patience)
        self.rest = b""
        try:
            self.socket.connect(socket_path())
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

    def __init__(self, **environment):
        self.spawned = now()
        self.ended = None
        self.process = subprocess.Popen(
            [os.environ["EGGD"]],
            env=os.environ | environment,
            stdin=subprocess.DEVNULL,
            stderr=open(os.environ["BOX"] + "/stderr", "ab"),
        )
        self.pid = self.process.pid

    def connect(self, patience=30):
        """A connection, once it answers; None where it ended before."""
        end = time.monotonic() + patience
        while time.monotonic() < end:
            try:
                connection = Connection()
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

    @property
    def was_killed(self):
        return self.process.poll() == -signal.SIGKILL


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
