"""calendars.py - a real Radicale of its own, and vdirsyncer's way to it."""

import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

from torture import EGGCTL, PATIENCE, eventually

YEAR = time.gmtime().tm_year + 1


class Server:
    """Radicale, and what it has."""

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

    def end(self):
        self.process.terminate()
        self.process.wait(PATIENCE)


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as one:
        return one.getsockname()[1]


def configure(home, folder, port, user="cal"):
    """Has vdirsyncer carry the calendar `alarms` below `folder` to that user's on the server."""
    os.makedirs(f"{home}/.config/vdirsyncer", exist_ok=True)
    with open(f"{home}/.config/vdirsyncer/config", "w", encoding="utf-8") as file:
        file.write(
            f'[general]\nstatus_path = "{home}/vdirsyncer"\n'
            '[pair alarms]\na = "here"\nb = "server"\ncollections = [["alarms", "alarms", "alarms"]]\n'
            f'conflict_resolution = ["command", "{EGGCTL}", "sync", "--merge"]\n[storage here]\ntype = "filesystem"\npath = "{folder}"\n'
            f'fileext = ".ics"\n[storage server]\ntype = "caldav"\nurl = "http://127.0.0.1:{port}/"\n'
            f'username = "{user}"\npassword = "x"\n')
