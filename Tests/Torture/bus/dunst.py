"""dunst.py - a real notification server, stopped, killed, restarted; its bus too; and the same on the display of another
graphical session.

usage: dunst.py     Below with-notify-server none.
"""

import os
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from torture import *  # noqa: E402
from notifications import Bus  # noqa: E402


class Dunst:
    """One on that bus and display, which owns the name once made."""

    def __init__(self, bus, display, waits=True):
        self.environment = {**os.environ, "DBUS_SESSION_BUS_ADDRESS": bus.address, "DISPLAY": display}
        self.process = subprocess.Popen(
            ["dunst", "-conf", f"{os.environ['NOTIFY_DIR']}/dunstrc"], env=self.environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if waits:
            assert eventually(lambda: self.count() is not None), "dunst does not start"

    def count(self, which="displayed"):
        """How many bubbles it shows; None while it does not answer."""
        try:
            told = subprocess.run(["dunstctl", "count", which], env=self.environment, capture_output=True, text=True,
                                  timeout=5)
            return int(told.stdout)
        except (ValueError, subprocess.TimeoutExpired):
            return None

    def shows(self, count):
        return eventually(lambda: self.count() == count, 10)

    def end(self, number=signal.SIGKILL):
        if self.process.poll() is None:
            self.process.send_signal(number)
            self.process.wait()


class Display:
    """Another X server."""

    def __enter__(self):
        reading, writing = os.pipe()
        self.process = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writing), "-screen", "0", "800x600x24", "-nolisten", "tcp"], pass_fds=[writing],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(writing)
        with os.fdopen(reading) as told:
            self.name = ":" + told.readline().strip()
        return self

    def __exit__(self, *failure):
        self.process.kill()
        self.process.wait()


def main():
    here = os.environ["DISPLAY"]
    with Place() as place, Bus(place.path) as bus, Display() as other:
        eggd = place.eggd("", DBUS_SESSION_BUS_ADDRESS=bus.address)
        assert eggd.start(), eggd.told()
        client = eggd.client()
        made = []

        def ring(count):
            for _ in range(count):
                call = client.call("Schedule", expression="150ms", summary=f"Egg {len(made)}!")
                made.append(call["alarm"]["number"])

        def show(number):
            return client.call("Show", number=number)["alarm"]

        def rang():
            return eventually(lambda: all(eggd.rings(f"Egg {index}!") for index in range(len(made))), 5)

        dunst = Dunst(bus, here)
        ring(3)
        check("dunst: three bubbles", dunst.shows(3), dunst.count())
        dunst.end()
        dunst = Dunst(bus, here)
        check("dunst killed and started again: the three are shown again", dunst.shows(3), dunst.count())

        os.kill(dunst.process.pid, signal.SIGSTOP)
        begin = time.monotonic()
        ring(2)
        check("dunst stopped: alarms ring", rang())
        client.call("Delete", numbers=[made[0]])
        waited = time.monotonic() - begin
        check("dunst stopped: nobody waits for it", waited < 5, waited)
        # an entry comes before its record
        recorded = eventually(lambda: all("latest" in show(number) for number in made[3:]))
        check("dunst stopped: an alarm waits for its answer",
              recorded and all("shownAt" not in show(number)["latest"] for number in made[3:]))
        os.kill(dunst.process.pid, signal.SIGCONT)
        check("dunst goes on: what came is shown, what was deleted is not", dunst.shows(4), dunst.count())

        os.kill(dunst.process.pid, signal.SIGSTOP)
        ring(1)
        rang()
        dunst.end()
        dunst = Dunst(bus, here)
        check("dunst stopped, then killed: the next one shows all five", dunst.shows(5), dunst.count())

        second = Dunst(bus, other.name, waits=False)
        check("a second graphical session: its dunst does not get the name, and nothing changes",
              dunst.shows(5) and second.process.wait(PATIENCE) is not None)
        dunst.end(signal.SIGTERM)
        second = Dunst(bus, other.name)
        check("the first session ends: the second shows all five", second.shows(5), second.count())
        client.call("Dismiss", numbers=made[1:3])
        check("dismissed by eggctl, they are closed there", second.shows(3), second.count())
        second.end()

        bus.kill()
        ring(1)
        check("the bus is gone: an alarm rings", rang())
        bus.start()
        dunst = Dunst(bus, here)
        check("bus and dunst are back: all four are shown", dunst.shows(4), dunst.count())
        eggd.kill()
        assert eggd.start(), eggd.told()
        check("eggd is killed: its bubbles are the same four", dunst.shows(4), dunst.count())
        told = [eggd.rings(f"Egg {index}!") for index in range(len(made))]
        check("every alarm rang once", set(told) == {1}, told)
        dunst.end()
    finish()


main()
