"""Two hundred hostile clients on one eggd, while alarms are scheduled and ring.

usage: clients.py PID SOCKET STDERR SEED SECONDS

Prints claims as "ok ..." or "FAIL ...", figures as "     | ...". Lateness is eggd's own, at the journal call; beside
it stands that of a bare sleep in a process of its own, and beside the calls a bare sync: what the machine and its disk
were busy with. The attackers run at a lower priority: what they cost is to be eggd's time, not the processors'.
"""

import asyncio
import collections
import contextlib
import json
import multiprocessing
import os
import random
import socket
import sys
import tempfile
import threading
import time

MIB = 1 << 20
CROWD = 200
SPACING = 0.04


def call(method, parameters=None, **flags):
    if "." not in method:
        method = "io.eggd.Schedule." + method
    message = {"method": method, "parameters": parameters or {}, **flags}
    return json.dumps(message).encode() + b"\0"


INFO = call("org.varlink.service.GetInfo")
LIST = call("List", {"limit": 20})
TEXT = call("org.varlink.service.GetInterfaceDescription", {"interface": "io.eggd.Schedule"})

# The attacks: each on a connection of its own, again and again; what it returns is how it went.


async def silent(reader, writer):
    return "closed" if await reader.read(1) == b"" else "answered"


async def byte_by_byte(reader, writer):
    for byte in INFO:
        writer.write(bytes([byte]))
        await asyncio.sleep(0.02)
    return "answered" if b"eggd" in await reader.readuntil(b"\0") else "wrong"


async def deaf(reader, writer):
    """Calls and never reads, until it is cut off."""
    while True:
        await send(writer, TEXT * 20)


async def deaf_in_bounds(reader, writer):
    """Calls for 3 MiB of replies, which are never read, and stays, unless memory is short."""
    await send(writer, TEXT * 220)
    await asyncio.Event().wait()


async def flooding(reader, writer):
    """Lists without end, and reads the replies."""
    async def read():
        while await reader.read(MIB):
            pass
        raise ConnectionResetError
    reading = asyncio.ensure_future(read())
    try:
        while not reading.done():
            await send(writer, LIST * 16)
        reading.result()
    finally:
        reading.cancel()


async def huge(reader, writer):
    """A message of 16 MiB."""
    await send(writer, b'{"method":"io.eggd.Schedule.Schedule","parameters":{"expression":"1h","label":"')
    for _ in range(256):
        await send(writer, b"x" * 65536)
    await send(writer, b'"}}\0')
    return await outcome(reader)


async def nested(reader, writer):
    await send(writer, b'{"method":"x.y","parameters":{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}}\0")
    return await outcome(reader)


async def no_utf8(reader, writer):
    await send(writer, b'{"method":"io.eggd.Schedule.Schedule","parameters":{"expression":"1h","label":"\xff\xc0\x80"}}\0')
    return await outcome(reader)


async def bare_nul(reader, writer):
    await send(writer, b'{"method":"io.eggd.Schedule.Schedule","parameters":{"expression":"1h","label":"a\0b"}}\0')
    return await outcome(reader)


async def escaped_nul(reader, writer):
    await send(writer, call("Schedule", {"expression": "1h", "label": "a\0b"}))
    return await outcome(reader)


async def noise(reader, writer):
    await send(writer, random.randbytes(random.randrange(1, 100_000)) + b"\0")
    return await outcome(reader)


async def leaving(reader, writer):
    """Calls, or does not, and is gone before any answer; all ten at most two thousand times a second."""
    await asyncio.sleep(random.random() / 100)
    writer.write(INFO * random.randrange(4))
    return "left"


async def pipelined(reader, writer):
    """A hundred thousand calls at once, whose replies are read: so many, and nothing else."""
    calls = 100_000
    sending = asyncio.ensure_future(send(writer, INFO * calls))
    replies, first, rest = 0, None, b""
    while replies < calls:
        data = await reader.read(MIB)
        if not data:
            return "closed"
        *messages, rest = (rest + data).split(b"\0")
        first = first or next((json.loads(message) for message in messages), None)
        if any(json.loads(message) != first for message in messages):
            return "wrong"
        replies += len(messages)
    await sending
    return "answered" if first["parameters"]["product"] == "eggd" and not rest else "wrong"


# how many at a time, how they have to end, and how many at least must have ended so
ATTACKS = [
    (silent, 40, {"stays"}, 0), (byte_by_byte, 30, {"answered", "stays"}, 1), (deaf, 10, {"closed", "stays"}, 1),
    (deaf_in_bounds, 15, {"closed", "stays"}, 0), (flooding, 20, {"stays"}, 0), (huge, 15, {"closed", "stays"}, 1),
    (nested, 15, {"closed", "stays"}, 1), (no_utf8, 10, {"closed", "stays"}, 1), (bare_nul, 10, {"closed", "stays"}, 1),
    (escaped_nul, 10, {"io.eggd.Schedule.InvalidText", "stays"}, 1), (noise, 13, {"closed", "stays"}, 1),
    (leaving, 10, {"left", "stays"}, 100), (pipelined, 2, {"answered", "stays"}, 0),
]
assert sum(attack[1] for attack in ATTACKS) == CROWD


async def send(writer, data):
    writer.write(data)
    await writer.drain()


async def outcome(reader):
    reply = await reader.read(4096)
    if not reply:
        return "closed"
    return json.loads(reply.rstrip(b"\0")).get("error", "answered")


async def again_and_again(attack, path, counts):
    while True:
        writer = None
        end = "stays"
        try:
            reader, writer = await asyncio.open_unix_connection(path, limit=MIB)
            end = await attack(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            end = "closed"
        except asyncio.CancelledError:
            raise
        except BaseException as error:
            end = repr(error)
        finally:
            counts[f"{attack.__name__} {end}"] += 1
            if writer:
                writer.transport.abort()


def crowd(path, seed, seconds, pipe):
    """The attackers' process."""
    os.nice(10)
    random.seed(seed)
    counts = collections.Counter()

    async def run():
        attackers = [attack for attack, many, _, _ in ATTACKS for _ in range(many)]
        random.shuffle(attackers)
        tasks = [asyncio.ensure_future(again_and_again(attack, path, counts)) for attack in attackers]
        await asyncio.sleep(seconds)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(run())
    pipe.send(counts)


def alone(attack, path, pipe):
    """One attack in a process of its own: how it went, and how long it took, in s."""
    async def run():
        return await attack(*await asyncio.open_unix_connection(path, limit=MIB))

    begin = time.time()
    pipe.send((asyncio.run(run()), time.time() - begin))


def bare_sleep(moments, pipe):
    """A process that does nothing but sleep until each moment (s since the epoch); how late it was, in us."""
    late = []
    for moment in moments:
        while (left := moment - time.time()) > 0:
            time.sleep(left)
        late.append(int((time.time() - moment) * 1e6))
    pipe.send(late)


def bare_sync(folder, seconds, pipe):
    """A process that only writes a page and syncs it, on the disk of eggd's database; how long each took, in us."""
    took = []
    with tempfile.TemporaryFile(dir=folder, buffering=0) as file:
        end = time.time() + seconds
        while time.time() < end:
            before = time.time()
            os.pwrite(file.fileno(), b"x" * 4096, 0)
            os.fdatasync(file.fileno())
            took.append(int((time.time() - before) * 1e6))
            time.sleep(SPACING)
    pipe.send(took)


class Client:
    """An ordinary client, one call at a time."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(60)
        self.socket.connect(path)

    def call(self, method, parameters=None):
        self.socket.sendall(call(method, parameters))
        reply = b""
        while not reply.endswith(b"\0"):
            data = self.socket.recv(MIB)
            if not data:
                raise ConnectionError("eggd has closed the connection")
            reply += data
        return json.loads(reply[:-1])


class Memory(threading.Thread):
    """Watches what eggd holds resident, in bytes."""

    def __init__(self, pid):
        super().__init__(daemon=True)
        self.pid, self.peak, self.ended = pid, 0, threading.Event()

    def now(self):
        with open(f"/proc/{self.pid}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def run(self):
        while not self.ended.wait(0.02):
            self.peak = max(self.peak, self.now())


def sockets(pid):
    count = 0
    for name in os.listdir(f"/proc/{pid}/fd"):
        # one may be closed meanwhile
        with contextlib.suppress(FileNotFoundError):
            count += os.readlink(f"/proc/{pid}/fd/{name}").startswith("socket:")
    return count


def in_child(function, *arguments):
    """Starts a process; returns a function that waits for what it sends."""
    here, there = multiprocessing.Pipe(False)
    process = multiprocessing.Process(target=function, args=(*arguments, there), daemon=True)
    process.start()
    return here.recv


def ring(client, seconds, name):
    """Schedules an alarm every 40 ms for so long, each due 300 ms later; returns how late a bare sleep was, and how long
    the calls took, in us, and the alarms' names by number."""
    begin = time.time()
    sleeper = in_child(bare_sleep, [begin + 0.3 + index * SPACING for index in range(int(seconds / SPACING))])
    names, took = {}, []
    for index in range(int(seconds / SPACING)):
        time.sleep(max(0, begin + index * SPACING - time.time()))
        before = time.time()
        text = f"{name}{index}!"
        alarm = client.call("Schedule", {"expression": "300ms", "summary": text})["parameters"]["alarm"]
        took.append(int((time.time() - before) * 1e6))
        names[alarm["number"]] = text
    return sleeper(), took, names


def lateness(client, numbers):
    """How late they rang, by eggd's own account, once all have."""
    end = time.time() + 30
    while True:
        late = []
        for number in numbers:
            shown = client.call("Show", {"number": number})["parameters"]["alarm"]
            if "lateness" in shown.get("latest", {}):
                late.append(shown["latest"]["lateness"])
        if len(late) == len(numbers) or time.time() > end:
            return late
        time.sleep(0.1)


def figures(values):
    values = sorted(values) or [0]
    return [values[min(int(len(values) * part), len(values) - 1)] for part in (0.5, 0.99, 1)]


def main():
    pid, path, stderr, seed, seconds = int(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5])
    failed = 0

    def claim(text, holds, seen=""):
        nonlocal failed
        print(("ok   " if holds else "FAIL ") + text, flush=True)
        if not holds:
            failed = 1
            print(f"     | {seen}", flush=True)

    client = Client(path)
    memory = Memory(pid)
    # calm, attack, and what is left to count
    calm, storm = seconds * 0.2, seconds * 0.55
    quiet_bare, quiet_took, quiet_names = ring(client, calm, "Calm")
    before, open_before = memory.now(), sockets(pid)
    memory.start()
    attack = in_child(crowd, path, seed, storm + 1.5)
    time.sleep(1)
    synced = in_child(bare_sync, os.path.dirname(stderr), storm)
    bare, took, names = ring(client, storm, "Storm")
    synced = synced()
    counts = attack()
    memory.ended.set()
    quiet_late, late = lateness(client, quiet_names), lateness(client, names)

    for attack, many, ends, least in ATTACKS:
        seen = {key.split(" ", 1)[1]: count for key, count in counts.items() if key.split(" ", 1)[0] == attack.__name__}
        told = ", ".join(f"{count} {end}" for end, count in sorted(seen.items()))
        claim(f"{attack.__name__}, {many} at a time: {told}",
              set(seen) <= ends and sum(count for end, count in seen.items() if end != "stays") >= least,
              f"expected: {sorted(ends)}")

    q, l = figures(quiet_late), figures(late)
    b, s = figures(quiet_bare), figures(bare)
    print("     | late by, us                p50     p99     max")
    for name, row in (("alarms, calm", q), ("a bare sleep, calm", b), ("alarms, attacked", l), ("a bare sleep, attacked", s)):
        print(f"     | {name:22}" + "".join(f"{value:8}" for value in row) + ("" if "bare" in name else
              f"   of {len(quiet_late if 'calm' in name else late)}"))
    claim("every alarm that was acknowledged rang", len(quiet_late) == len(quiet_names) and len(late) == len(names),
          f"{len(late)} of {len(names)}")
    claim("none early", min(quiet_late + late, default=-1) >= 0)
    with open(stderr) as file:
        heard = collections.Counter(line.split(">")[-1].split(" ")[0] for line in file)
    twice = [text for text in [*quiet_names.values(), *names.values()] if heard[text] != 1]
    claim("each once", not twice, twice)
    # what the machine itself is late by counts twice: a ring wakes two threads, a sleep one
    for place, part, slack in ((0, "half of them", 1_000), (1, "99 of 100", 20_000)):
        bound = q[place] + slack + 2 * s[place]
        claim(f"attacked, {part} are as punctual as in the calm, to {slack // 1000} ms and what the machine is late by",
              l[place] <= bound, f"{l[place]} us late, not at most {bound}")
    print("     | a call of another took, us: calm p50 {} p99 {} max {}; attacked p50 {} p99 {} max {}".format(
        *figures(quiet_took), *figures(took)))
    print("     | a bare sync beside it: p50 {} p99 {} max {}".format(*figures(synced)))
    claim("others were answered within two seconds", max(took) < 2_000_000, f"{max(took)} us")

    answered, took = in_child(alone, pipelined, path)()
    claim("100 000 calls sent at once are answered one by one", answered == "answered", answered)
    print(f"     | in {took:.1f} s")

    end = time.time() + 20
    while sockets(pid) > open_before and time.time() < end:
        time.sleep(0.05)
    claim("their sockets are gone", sockets(pid) <= open_before, f"{sockets(pid)}, not {open_before}")
    after = memory.now()
    print(f"     | eggd's resident memory, MiB: {before / MIB:.0f} before, {memory.peak / MIB:.0f} at its peak, "
          f"{after / MIB:.0f} afterwards")
    # what all connections may hold, and what is being made of it
    allowed = 96 * MIB
    claim(f"it grew by no more than all clients together are granted, {allowed // MIB} MiB", memory.peak - before <= allowed)
    claim("and most of it is given back", after - before <= 32 * MIB)
    answer = client.call("Status")
    claim("eggd answers", "parameters" in answer and "error" not in answer, answer)
    sys.exit(failed)


if __name__ == "__main__":
    main()
