"""Who keeps alarms: eggd and its peers, each set up as its manual recommends. As root in a box or a virtual machine
with the user egg; what a person does is done as that user. `given` is the command as a person enters it;
docs/compared.md has it."""
import json
import os
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
HOME = Path("/home/egg")
UID = 4242
RUN = f"/run/user/{UID}"
MAILBOX = Path("/var/mail/egg")
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
RING = "cf5f9b230d1e4ddb9d5b5e792f1015a6"  # the message ID of a ring, eggd(8)


def as_egg(*command, **options):
    """The user's command, with the environment of a login; its output as text."""
    environment = [f"HOME={HOME}", f"PATH={PATH}", "LANG=C.UTF-8", f"XDG_RUNTIME_DIR={RUN}"]
    environment += [f"DBUS_SESSION_BUS_ADDRESS=unix:path={RUN}/bus", "USER=egg", "LOGNAME=egg"]
    options = {"capture_output": True, "text": True, "timeout": 240, "cwd": HOME} | options
    return subprocess.run(["runuser", "-u", "egg", "--", "env", "-i", *environment, *command], **options)


def must(finished):
    if finished.returncode:
        raise RuntimeError(f"{finished.args[-3:]}: {finished.stdout}{finished.stderr}")
    return finished.stdout


def user(*words):
    """systemctl --user, as egg."""
    return as_egg("systemctl", "--user", *words)


def journal(*matches):
    """The journal's entries of this boot, oldest first."""
    found = subprocess.run(["journalctl", "-q", "-b", "-o", "json", *matches], capture_output=True, text=True)
    return [json.loads(line) for line in found.stdout.splitlines()]


class Peer:
    name = given = ""
    # counts the time that passes; the others wait for a moment of the wall clock
    is_countdown = False
    # rings at full minutes only
    is_minutely = False

    def start(self):
        """Installs and starts what keeps the alarms."""

    def give(self, moment, label):
        """Takes an alarm; `moment` is in seconds since the epoch. What identifies it to `remove`."""
        return self.give_all(moment, [label])[0]

    def remove(self, handle):
        """Deletes it; whether that was acknowledged, without a word of a ring."""
        raise NotImplementedError

    def kill(self):
        """SIGKILL to what keeps the alarms; what the service manager starts again by itself comes back."""

    def told(self):
        """Where the person can read that something went wrong, apart from the bubble."""
        return ""


def clock(moment, form):
    return time.strftime(form, time.localtime(moment))


class Eggd(Peer):
    name = "eggd"
    given = "eggctl schedule 07:30 \"two soft ones\""

    def start(self):
        must(user("enable", "--now", "eggd.service", "eggd.socket"))
        must(as_egg("eggctl", "status"))

    def give_all(self, moment, labels):
        due = clock(moment, "%F %T") if moment == int(moment) else f"@{moment:.3f}"
        script = 'for label in "${@:2}"; do eggctl schedule "$1" -q --label "$label" || exit; done'
        return must(as_egg("bash", "-c", script, "bash", due, *labels)).split()

    def remove(self, handle):
        finished = as_egg("eggctl", "delete", handle, "--json")
        return finished.returncode == 0 and not json.loads(finished.stdout)["rang"]

    def kill(self):
        user("kill", "-s", "KILL", "eggd.service")

    def told(self):
        return "journal" if any(entry.get("EGG_LATE_REASON") for entry in journal(f"MESSAGE_ID={RING}")) else ""


class At(Peer):
    name = "at"
    given = "echo \"notify-send Wait! 'two soft ones'\" | at 07:30"
    is_minutely = True

    def start(self):
        must(subprocess.run(["systemctl", "start", "atd"], capture_output=True, text=True))

    def give_all(self, moment, labels):
        script = """for label in "${@:2}"; do echo "notify-send Wait! '$label'" | at -t "$1" || exit; done"""
        said = must(as_egg("bash", "-c", 'exec 2>&1; ' + script, "bash", clock(moment, "%Y%m%d%H%M"), *labels))
        return [line.split()[1] for line in said.splitlines() if line.startswith("job ")]

    def remove(self, handle):
        return as_egg("atrm", handle).returncode == 0

    def kill(self):
        subprocess.run(["systemctl", "kill", "-s", "KILL", "--kill-who=main", "atd"])

    def told(self):
        mails = MAILBOX.read_text().split("\nFrom ") if MAILBOX.exists() else []
        return "mail" if any("Output from your job" in mail for mail in mails) else ""


class Cron(Peer):
    name = "cron"
    given = "30 7 27 11 * notify-send Wait! 'two soft ones'"
    is_minutely = True

    def start(self):
        must(subprocess.run(["systemctl", "start", "cron"], capture_output=True, text=True))

    def give_all(self, moment, labels):
        when = clock(moment, "%M %H %d %m *")
        lines = [f"{when} notify-send Wait! '{label}'" for label in labels]
        self.write(self.lines() + lines)
        return lines

    def lines(self):
        return [line for line in as_egg("crontab", "-l").stdout.splitlines() if "notify-send" in line]

    def write(self, lines):
        table = f"DBUS_SESSION_BUS_ADDRESS=unix:path={RUN}/bus\n" + "".join(line + "\n" for line in lines)
        return must(as_egg("crontab", "-", input=table))

    def remove(self, handle):
        self.write([line for line in self.lines() if line != handle])
        return True

    def kill(self):
        subprocess.run(["systemctl", "kill", "-s", "KILL", "--kill-who=main", "cron"])

    def told(self):
        mails = MAILBOX.read_text().split("\nFrom ") if MAILBOX.exists() else []
        return "mail" if any("(Cron Daemon)" in mail or "Subject: Cron" in mail for mail in mails) else ""


class SystemdRun(Peer):
    name = "systemd-run --user"
    given = "systemd-run --user --on-active=6m30s --timer-property=AccuracySec=1us notify-send Wait! 'two soft ones'"
    is_countdown = True
    prefix = "run-"

    def give_all(self, moment, labels):
        script = """for label in "${@:2}"; do
          left=$(awk "BEGIN { printf \\"%.3f\\", $1 - $EPOCHREALTIME }")
          systemd-run -q --user --on-active="$left" --unit="run-$label" --timer-property=AccuracySec=1us \
            notify-send Wait! "$label" || exit
        done"""
        must(as_egg("bash", "-c", script, "bash", f"{moment:.3f}", *labels))
        return [f"run-{label}.timer" for label in labels]

    def remove(self, handle):
        return user("stop", handle).returncode == 0

    def kill(self):
        """The user manager, which takes the session's bus with it; then the user logs in again."""
        subprocess.run(["systemctl", "kill", "-s", "KILL", "--kill-who=main", f"user@{UID}"])
        time.sleep(1)
        subprocess.run(["systemctl", "start", f"user@{UID}"])

    def told(self):
        entries = journal(f"_UID={UID}", "-p", "4") + journal(f"_SYSTEMD_UNIT=user@{UID}.service", "-p", "4")
        return "journal" if any(entry.get("USER_UNIT", "").startswith(self.prefix) for entry in entries) else ""


class Timer(SystemdRun):
    name = "a timer with Persistent="
    given = "OnCalendar=2026-11-27 07:30, Persistent=true, AccuracySec=1us; systemctl --user enable --now egg.timer"
    is_countdown = False
    prefix = "timer-"

    def give_all(self, moment, labels):
        units = HOME / ".config/systemd/user"
        must(as_egg("mkdir", "-p", units))
        when = clock(moment, "%F %T") + f"{moment % 1:.3f}"[1:]
        for label in labels:
            self.unit(f"timer-{label}.timer", "[Timer]\n" f"OnCalendar={when}\nPersistent=true\nAccuracySec=1us\n"
                      "[Install]\nWantedBy=timers.target\n")
            self.unit(f"timer-{label}.service", f"[Service]\nType=oneshot\nExecStart=notify-send Wait! '{label}'\n")
        must(user("daemon-reload"))
        must(user("enable", "--now", *(f"timer-{label}.timer" for label in labels)))
        return [f"timer-{label}.timer" for label in labels]

    @staticmethod
    def unit(name, text):
        file = HOME / ".config/systemd/user" / name
        file.write_text(text)
        shutil.chown(file, UID, UID)

    def remove(self, handle):
        return user("disable", "--now", handle).returncode == 0


class Sleep(Peer):
    name = "sleep; notify-send"
    given = "sleep 390; notify-send Wait! 'two soft ones'"
    is_countdown = True

    def __init__(self):
        self.shells = []

    def give_all(self, moment, labels):
        script = """for label in "${@:2}"; do
          left=$(awk "BEGIN { printf \\"%.3f\\", $1 - $EPOCHREALTIME }")
          (sleep "$left"; exec notify-send Wait! "$label") >>~/terminal 2>&1 </dev/null & echo $!
        done"""
        # its shells write to the terminal, not to this pipe
        handles = must(as_egg("setsid", "bash", "-c", script, "bash", f"{moment:.3f}", *labels)).split()
        self.shells += map(int, handles)
        return handles

    def remove(self, handle):
        try:
            os.kill(int(handle), signal.SIGKILL)
        except ProcessLookupError:
            return False
        return True

    def kill(self):
        for shell in self.shells:
            self.remove(shell)

    def told(self):
        terminal = HOME / "terminal"
        return "terminal" if terminal.exists() and terminal.stat().st_size else ""


class APScheduler(Peer):
    name = "APScheduler, SQLite"
    given = "scheduler.add_job(ring, 'date', run_date=…), misfire_grace_time=None, in a service with Restart=always"

    def start(self):
        must(as_egg("mkdir", "-p", HOME / ".config/systemd/user"))
        Timer.unit("timers.service", "[Service]\nRestart=always\n" f"Environment=PYTHONPATH={os.environ['APSCHEDULER']}\n"
                   f"ExecStart=/usr/bin/python3 {HERE}/timers.py {HOME}/timers.db {RUN}/timers\n"
                   "[Install]\nWantedBy=default.target\n")
        must(user("daemon-reload"))
        must(user("enable", "--now", "timers.service"))
        end = time.monotonic() + 60
        while not os.path.exists(f"{RUN}/timers") and time.monotonic() < end:
            time.sleep(0.1)

    @staticmethod
    def ask(*lines):
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(f"{RUN}/timers")
            with client.makefile("rw") as stream:
                replies = []
                for line in lines:
                    print(line, file=stream, flush=True)
                    replies.append(stream.readline().strip())
        return replies

    def give_all(self, moment, labels):
        replies = self.ask(*(f"add {moment:.3f} {label}" for label in labels))
        if set(replies) != {"ok"}:
            raise RuntimeError(f"APScheduler: {set(replies)}")
        return labels

    def remove(self, handle):
        return self.ask(f"remove {handle}") == ["ok"]

    def kill(self):
        user("kill", "-s", "KILL", "--kill-who=main", "timers.service")

    def told(self):
        entries = journal("_SYSTEMD_USER_UNIT=timers.service")
        return "its log" if any("missed" in str(e["MESSAGE"]) or "Error" in str(e["MESSAGE"]) for e in entries) else ""


ALL = {peer.__name__: peer for peer in (Eggd, At, Cron, SystemdRun, Timer, Sleep, APScheduler)}
