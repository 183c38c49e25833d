"""calendars.py - a real Radicale of its own, and vdirsyncer's way to it."""

import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
import uuid

from torture import PATIENCE, eventually

YEAR = time.gmtime().tm_year + 1


class Server:
    """Radicale, and a client that writes to it without asking anybody."""

    def __init__(self, place):
        self.port = free_port()
        self.folder = f"{place}/radicale"
        os.makedirs(self.folder)
        with open(f"{self.folder}/config", "w", encoding="utf-8") as file:
            file.write(
                f"[server]\nhosts = 127.0.0.1:{self.port}\n[auth]\ntype = none\n[rights]\ntype = owner_only\n"
                f"[storage]\nfilesystem_folder = {self.folder}/data\n")
        with open(f"{self.folder}/log", "wb") as log:
            self.process = subprocess.Popen(["radicale", "--config", f"{self.folder}/config"], stdout=log, stderr=log)
        self.url = f"http://127.0.0.1:{self.port}/cal/alarms/"
        if not eventually(lambda: self.ask("MKCALENDAR", "") is not None):
            sys.exit("Radicale does not answer")

    def ask(self, method, name, body=None):
        """The body of the reply; nil if it is refused or nobody answers."""
        request = urllib.request.Request(self.url + name, data=body, method=method)
        request.add_header("Authorization", "Basic Y2FsOng=")
        request.add_header("Content-Type", "text/calendar; charset=utf-8")
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as reply:
                return reply.read()
        except (urllib.error.URLError, OSError):
            return None

    def entries(self):
        """Names and texts of all entries but the placeholder, by summary."""
        folder = f"{self.folder}/data/collection-root/cal/alarms"
        found = {}
        for name in os.listdir(folder):
            if not name.startswith(".") and name != "eggd-placeholder.ics":
                with open(f"{folder}/{name}", encoding="utf-8", newline="") as file:
                    text = file.read()
                found[re.search(r"\r?\nSUMMARY[^:]*:(.*?)\r?\n", text).group(1)] = (name, text)
        return found

    def add(self, label, dice):
        uid = str(uuid.UUID(int=dice.getrandbits(128), version=4)) if dice.random() < 0.5 else f"{label}@example.org"
        day = f"{YEAR}{dice.randint(1, 12):02}{dice.randint(2, 28):02}T{dice.randint(2, 22):02}1500Z"
        rule = "RRULE:FREQ=WEEKLY;INTERVAL=3\r\n" if dice.random() < 0.3 else ""
        text = (
            f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//phone//EN\r\nBEGIN:VEVENT\r\nUID:{uid}\r\nDTSTAMP:{stamp()}\r\n"
            f"DTSTART:{day}\r\n{rule}SUMMARY:{label}\r\nLOCATION:somewhere\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n")
        return self.ask("PUT", uid.replace("@", "-") + ".ics", text.encode()) is not None

    def change(self, label, new):
        name, text = self.entries()[label]
        text = text.replace(f"SUMMARY:{label}", f"SUMMARY:{new}")
        text = re.sub(r"LAST-MODIFIED:[^\r\n]*", f"LAST-MODIFIED:{stamp()}", text)
        return self.ask("PUT", name, text.encode()) is not None

    def delete(self, label):
        return self.ask("DELETE", self.entries()[label][0]) is not None

    def end(self):
        self.process.terminate()
        self.process.wait(PATIENCE)


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as one:
        return one.getsockname()[1]


def stamp():
    return time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())


def configure(home, folder, port, user="cal"):
    """Has vdirsyncer carry the calendar `alarms` below `folder` to that user's on the server."""
    os.makedirs(f"{home}/.config/vdirsyncer", exist_ok=True)
    with open(f"{home}/.config/vdirsyncer/config", "w", encoding="utf-8") as file:
        file.write(
            f'[general]\nstatus_path = "{home}/vdirsyncer"\n'
            '[pair alarms]\na = "here"\nb = "server"\ncollections = [["alarms", "alarms", "alarms"]]\n'
            f'conflict_resolution = "b wins"\n[storage here]\ntype = "filesystem"\npath = "{folder}"\n'
            f'fileext = ".ics"\n[storage server]\ntype = "caldav"\nurl = "http://127.0.0.1:{port}/"\n'
            f'username = "{user}"\npassword = "x"\n')
