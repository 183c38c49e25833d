"""Clients that take all slots and all memory of one eggd, and keep them, while alarms ring.

usage: holders.py PID SOCKET STDERR

Prints claims as "ok ..." or "FAIL ...", figures as "     | ...".
"""

import contextlib
import json
import multiprocessing
import resource
import select
import socket
import sys
import time

from clients import MIB, Client, Memory, call, sockets

SLOTS = 512
BUDGET = 64 * MIB


class Holder:
    """A connection that sends something and then does nothing."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(20)
        self.socket.connect(path)
        self.socket.setblocking(False)

    def send(self, data):
        """As much as eggd takes."""
        data = memoryview(data)
        while data:
            try:
                data = data[self.socket.send(data):]
            except BlockingIOError:
                if not select.select([], [self.socket], [], 0.05)[1]:
                    return
            except OSError:
                return

    def close(self):
        self.socket.close()


def fill(path, data, many, pipe):
    """A process that opens so many connections, sends the same on each, and stays."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    held = []
    for _ in range(many):
        with contextlib.suppress(OSError):
            held.append(Holder(path))
            held[-1].send(data)
    pipe.send(len(held))
    time.sleep(3600)


@contextlib.contextmanager
def crowd(path, *groups):
    """So many connections that send what they are given, each group in a process of its own."""
    processes = []
    try:
        for data, many in groups:
            here, there = multiprocessing.Pipe(False)
            process = multiprocessing.Process(target=fill, args=(path, data, many, there), daemon=True)
            process.start()
            processes.append(process)
            here.recv()
        yield
    finally:
        for process in processes:
            process.kill()
            process.join()


def until(condition, seconds=20):
    end = time.time() + seconds
    while not condition() and time.time() < end:
        time.sleep(0.02)
    return condition()


def answer(path, method="Status", parameters=None):
    """What a new connection is answered; None where it is not."""
    try:
        client = Client(path)
        client.socket.settimeout(10)
        return client.call(method, parameters)
    except (OSError, ValueError):
        return None


def first_of_stream(path, method, parameters):
    """The first reply to a call that takes many."""
    try:
        client = Client(path)
        client.socket.settimeout(10)
        client.socket.sendall(call(method, parameters, more=True))
        return json.loads(client.socket.recv(MIB).split(b"\0")[0])
    except (OSError, ValueError):
        return None


def main():
    pid, path, stderr = int(sys.argv[1]), sys.argv[2], sys.argv[3]
    failed = 0

    def claim(text, holds, seen=""):
        nonlocal failed
        print(("ok   " if holds else "FAIL ") + text, flush=True)
        if not holds:
            failed = 1
            print(f"     | {seen}", flush=True)

    def answered(reply):
        return reply is not None and "error" not in reply

    def serves(what):
        """A person's commands, by a process that has nothing to do with the others."""
        for name, ask in (
            ("a command", lambda: answer(path, "List", {"limit": 1})),
            ("a change", lambda: answer(path, "Schedule", {"expression": "300ms", "summary": f"With {what}!"})),
            ("a subscriber", lambda: first_of_stream(path, "Subscribe", {"pages": False})),
        ):
            reply = ask()
            claim(f"with {what}, {name} is answered", answered(reply), reply)

    client = Client(path)
    body = "x" * 900
    for index in range(2_000):
        client.call("Schedule", {"expression": "30d", "body": body})
    waiting = client.call("Schedule", {"expression": "30d"})["parameters"]["alarm"]["number"]
    client.socket.close()
    wait = call("Wait", {"numbers": [waiting]})
    many_waits = call("Wait", {"numbers": list(range(1, 1_001))}) * 64
    deaf_list = call("List", {}, more=True)
    deaf_feed = call("Subscribe", {}, more=True)
    partial = b'{"method":"io.eggd.Schedule.Schedule","parameters":{"expression":"1h","body":"' + b"x" * (MIB - 200)
    until(lambda: sockets(pid) < 20)
    calm = sockets(pid)

    dead = []
    for _ in range(SLOTS + 50):
        with contextlib.suppress(OSError):
            dead.append(Holder(path))
            dead[-1].send(wait)
            dead[-1].socket.shutdown(socket.SHUT_WR)
    # the last of them has been read
    until(lambda: answer(path) is not None, 5)
    for holder in dead:
        holder.close()
    claim("who only waits for a reply is noticed when it dies", until(lambda: sockets(pid) <= calm),
          f"{sockets(pid)} sockets, not {calm}")
    serves("half-closed clients that died")

    for what, groups in (
        ("idle connections", [(b"", SLOTS)]),
        ("idle connections and waits", [(b"", SLOTS - 8), (wait, 8)]),
        ("waits", [(wait, SLOTS)]),
        ("subscribers", [(call("Subscribe", {"pages": False}, more=True), SLOTS)]),
        ("calls that do not end", [(b"{", SLOTS)]),
    ):
        with crowd(path, *groups):
            serves(what)

    for what, data, many in (
        ("deaf lists", deaf_list, 490), ("deaf subscribers", deaf_feed, 490), ("partial messages", partial, 500),
        ("waits for a thousand alarms", many_waits, 490),
    ):
        until(lambda: sockets(pid) <= calm)
        before = Memory(pid).now()
        memory = Memory(pid)
        memory.start()
        with crowd(path, (data, many)):
            serves(what)
            # until nothing more is taken in
            last = 0
            while memory.peak > last:
                last = memory.peak
                time.sleep(0.5)
        memory.ended.set()
        memory.join()
        grown = memory.peak - before
        print(f"     | {many} {what}: resident {before / MIB:.0f} MiB before, {memory.peak / MIB:.0f} at the peak", flush=True)
        # what is held, and what is being made of it
        claim(f"{many} {what} get no more than all connections may hold together", grown <= BUDGET * 3 // 2,
              f"{grown / MIB:.0f} MiB more")
    claim("their sockets are gone", until(lambda: sockets(pid) <= calm), f"{sockets(pid)}, not {calm}")
    given_back = until(lambda: Memory(pid).now() <= 64 * MIB)
    claim("and most of their memory", given_back, "not within the bound")
    print(f"     | resident {Memory(pid).now() / MIB:.0f} MiB", flush=True)

    with open(stderr) as file:
        lines = file.read().splitlines()
    rang = [line for line in lines if "With " in line]
    claim("every alarm that was scheduled meanwhile rang once", len(rang) == len(set(rang)) == 10, rang)
    told = [line for line in lines if "client" in line]
    claim("that clients were cut off is said, and not for each of them", 0 < len(told) <= 40, told[:50])
    sys.exit(failed)


if __name__ == "__main__":
    main()
