"""A subscriber: what eggd has told to be stored of rings."""
import os
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "box"))
from product import Connection, Gone, now  # noqa: E402


class Witness(threading.Thread):
    def __init__(self, place):
        super().__init__(name="witness", daemon=True)
        self.place = place
        # by number, when it fired, and how late: when it was told that the entry is stored. A snooze and the alarm's own
        # moment may ring at once.
        self.journaled = {}
        self.is_over = threading.Event()
        self.messages = 0

    def run(self):
        while not self.is_over.is_set():
            try:
                connection = Connection(self.place, patience=60)
            except Gone:
                time.sleep(0.003)
                continue
            try:
                connection.send("Subscribe", {"pages": False}, more=True)
                while not self.is_over.is_set():
                    self.take(connection.receive())
            except Gone:
                pass
            finally:
                connection.close()

    def take(self, message):
        self.messages += 1
        latest = message.get("new", {}).get("latest", {})
        if "firedAt" not in latest:
            return
        if "journaledAt" in latest:
            self.journaled.setdefault((message["new"]["number"], latest["firedAt"], latest["lateness"]), now())
