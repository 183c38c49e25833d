#!/usr/bin/python3
"""documents.py - runs the commands of README, docs, CONTRIBUTING, SECURITY and the manuals. In the box, under the real unit.

A command is a line of an indented block or of ```sh, of these that begin with `$` where any does, and text in backquotes
(.Ql, .Ic in a manual) that begins with the name of a program. A verb that is only spoken of must be in the help, with the
options that stand behind it; a file must exist. A comment marks what is not run, with the reason:

    <!-- not run: REASON -->                       the next paragraph, list, table or block
    <!-- not run here: WORDS, ... : REASON -->     what begins with these words, in the whole document
    .\\" not run: REASON                            the next line or block of a manual
    <!-- run in order, on an empty schedule -->    the whole document is one session

Of what is not run, targets of make and files of the repository must still exist. Each claim is a line, "ok" or "FAIL".
"""
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
HOME = Path.home()
STATE = HOME / ".local/state/eggd"
KEPT = HOME / "kept"
STUBS = HOME / "stubs"
DOCUMENTS = ["README.md", "CONTRIBUTING.md", "SECURITY.md", *sorted(p.relative_to(ROOT) for p in ROOT.glob("docs/*.md")),
             *sorted(p.relative_to(ROOT) for p in ROOT.glob("share/man/**/*.[1-8]"))]
PROGRAMS = ("eggctl eggd systemctl systemd-analyze journalctl loginctl make apt sudo man swift secret-tool ls msginit shellcheck "
            "Tests/ .ci/ .build/ po/ packaging/ install mkdir touch chmod").split()
# they end only when they are ended
FOLLOWING = re.compile(r"eggctl (-H \S+ )?(watch|monitor|wait|timer|mcp|next --follow|sync --watch)\b")
# what the numbers of a command have to be for it
STATES = {"ringing": r"(snooze|dismiss|again$)", "recurring": r"(skip|edit .*--until)", "paused": r"resume", "done": r"undone"}
MAKING = {
    "waiting": ["for n in {1..20}; do eggctl schedule 10h -q >/dev/null; done"],
    "ringing": ["for n in {1..20}; do eggctl schedule 10ms -q --sound none >/dev/null; done",
                "until [[ $(eggctl list --rung -q | wc -l) == 20 ]]; do read -rt 0.1 <> <(:) || true; done"],
    "recurring": ["for n in {1..20}; do eggctl schedule every day 07:30 -q >/dev/null; done"],
    "paused": ["for n in {1..20}; do eggctl schedule 10h -q >/dev/null; done", "eggctl pause 1-20"],
    "done": ["for n in {1..20}; do eggctl schedule 10h -q >/dev/null; done", "eggctl done 1-20"],
}
failed = 0


def claim(holds, text, seen=""):
    global failed
    print(("ok   " if holds else "FAIL ") + text)
    if not holds:
        failed += 1
        print("".join(f"     | {line}\n" for line in seen.splitlines()), end="")


def program_of(text):
    """The entry of PROGRAMS that the text begins with, if one stands there as a whole word or is a folder."""
    first = text.split(" ")[0]
    if text == "eggd":
        return None
    return next((name for name in PROGRAMS if first == name or name.endswith("/") and first.startswith(name)), None)


class Command:
    def __init__(self, document, line, text, block, reason):
        self.document, self.line, self.text, self.block, self.reason = document, line, text.strip(), block, reason
        self.in_order = False


def in_block(lines):
    """The commands among the lines of a block, with the index of each; continuations are joined."""
    prompted = any(line.startswith("$ ") for line in lines)
    found, index = [], 0
    while index < len(lines):
        start, line = index, lines[index]
        while line.endswith("\\") and index + 1 < len(lines):
            index += 1
            line = line[:-1] + " " + lines[index].strip()
        index += 1
        if prompted and line.startswith("$ "):
            found.append((start, line[2:]))
        elif not prompted and program_of(line.strip()):
            found.append((start, line.strip()))
    return found


def of_markdown(document, text):
    """Blocks and texts in backquotes; a mark holds until the next empty line, or for the block behind it."""
    here, commands = [], []
    reason, number, fence, block = None, 0, None, []
    lines = text.split("\n") + [""]
    paragraph, begun = [], 0

    def close_paragraph():
        nonlocal paragraph, reason
        words = "\n".join(paragraph)
        for found in re.finditer(r"`([^`]+)`", words):
            command = " ".join(found.group(1).split())
            if program_of(command):
                commands.append(Command(document, begun + words[:found.start()].count("\n"), command, None, reason))
        if paragraph:
            reason = None
        paragraph = []

    def close_block():
        nonlocal block, reason
        for index, command in in_block(block):
            commands.append(Command(document, begun + index, command, begun, reason))
        reason, block = None, []

    for number, line in enumerate(lines, 1):
        mark = re.match(r"<!-- not run( here)?: (?:([^:]*) : )?(.*) -->$", line)
        if fence is not None:
            if line.startswith("```"):
                if fence == "sh":
                    close_block()
                fence, block = None, []
            else:
                block.append(line)
        elif mark and mark.group(1):
            here.append((mark.group(2).split(", "), mark.group(3)))
        elif mark:
            close_paragraph()
            reason = mark.group(3)
        elif line.startswith("```"):
            close_paragraph()
            fence, begun, block = line[3:], number + 1, []
        elif line.startswith("    ") and not paragraph:
            begun = begun if block else number
            block.append(line[4:])
        else:
            if block:
                close_block()
            if line.strip():
                begun = begun if paragraph else number
                paragraph.append(line)
            else:
                close_paragraph()
    for command in commands:
        command.in_order = "<!-- run in order, on an empty schedule -->" in lines
        for begins, why in here:
            if any((command.text + " ").startswith(words if words[-1] == "/" else words + " ") for words in begins):
                command.reason = command.reason or why
    return commands


def of_manual(document, text):
    commands, reason, block, begun = [], None, None, 0
    for number, line in enumerate(text.split("\n"), 1):
        line = line.replace("\\(dq", '"').replace("\\e", "\\").replace("\\&", "")
        if mark := re.match(r'\.\\" not run: (.*)', line):
            reason = mark.group(1)
            continue
        if line.startswith(".Bd"):
            block, begun = [], number + 1
        elif line.startswith(".Ed"):
            found = in_block(block) if any(item.startswith("$ ") for item in block) else []
            commands += [Command(document, begun + index, command, begun, reason) for index, command in found]
            block = reason = None
        elif block is not None:
            block.append(line)
        elif found := re.match(r"\.(?:Ql|Ic) (.*?)(?: [.,;:)]+)*$", line):
            if program_of(found.group(1)):
                commands.append(Command(document, number, found.group(1), None, reason))
            reason = None
    return commands


def sh(text, **options):
    return subprocess.run(["bash", "-c", text], capture_output=True, text=True, cwd=HOME / "here", stdin=subprocess.DEVNULL,
                          timeout=60, **options)


def systemctl(*words):
    subprocess.run(["systemctl", "--user", "-q", *words], check=True, stderr=subprocess.DEVNULL)


def restore(name):
    """The schedule as it was kept under that name; none: an empty one."""
    systemctl("stop", "eggd.service")
    for file in STATE.glob("schedule.db*"):
        file.unlink()
    if name:
        for file in (KEPT / name).iterdir():
            shutil.copy(file, STATE)
    systemctl("start", "eggd.service")


def prepare():
    for folder in KEPT, STUBS, HOME / "here", HOME / ".config/eggd":
        folder.mkdir(parents=True)
    (HOME / ".config/eggd/config.toml").write_text('[timers]\ntea = "4m"\n')
    # the other machine is this one
    (STUBS / "ssh").write_text('#!/bin/sh\nfor last; do :; done\nexec sh -c "$last"\n')
    for name in "paplay", "notify-phone":
        (STUBS / name).write_text("#!/bin/sh\n")
    for stub in STUBS.iterdir():
        stub.chmod(0o755)
    os.environ["PATH"] = f"{STUBS}:{os.environ['PATH']}"
    os.environ.update(MANPAGER="cat", SYSTEMD_PAGER="", TERM="xterm")
    (HOME / "backup.sh").write_text("#!/bin/sh\n")
    (HOME / "backup.sh").chmod(0o755)
    (HOME / "here/song.oga").touch()
    (HOME / "here/holidays.ics").write_text("\r\n".join([
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x", "BEGIN:VEVENT", "UID:x", "DTSTAMP:20260101T000000Z",
        "DTSTART;VALUE=DATE:20361224", "SUMMARY:day off", "END:VEVENT", "END:VCALENDAR", ""]))
    systemctl("enable", "-q", "--now", "eggd.service", "eggd.socket")
    for name, lines in MAKING.items():
        restore(None)
        made = sh("set -e\n" + "\n".join(lines))
        if made.returncode:
            sys.exit(f"documents.py: {name}: {made.stderr}")
        systemctl("stop", "eggd.service")
        shutil.copytree(STATE, KEPT / name, ignore=lambda _, files: [f for f in files if not f.startswith("schedule.db")])


def exists(command):
    """Of what is not run: the target of make, the file."""
    words = shlex.split(command.text.split("&&")[0], comments=True)
    if words[0] == "make":
        known = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.M)
        return all(word in known for word in words[1:] if re.fullmatch("[a-z-]+", word))
    return (ROOT / words[0]).exists() if "/" in words[0] and words[0][0] != "." else True


def is_path(text):
    """A file of the repository that is no program, or one that a build makes."""
    file = ROOT / text
    return "/" in text.split(" ")[0] and " " not in text and (not os.access(file, os.X_OK) or file.is_dir())


def run(command):
    """Whether it did what is expected, and what it said."""
    text = command.text
    follows = FOLLOWING.match(text) and not (command.in_order and text.startswith("eggctl wait"))
    finished = sh(f"script -qec {shlex.quote('timeout 1 ' + text)} /dev/null" if follows else text)
    if follows and finished.returncode == 124:
        return True, ""
    said = f"exit status {finished.returncode}\n{finished.stdout[-600:]}{finished.stderr[-600:]}"
    if text.startswith("eggctl doctor"):
        # the box has no notification server
        return finished.returncode in (0, 1), said
    if finished.returncode == 64 and (spoken := re.fullmatch(r"eggctl ([a-z-]+(?: [a-z]+)?)((?: --[a-z-]+)*)", text)):
        explained = sh(f"eggctl help {spoken.group(1)}")
        return explained.returncode == 0 and all(word in explained.stdout for word in spoken.group(2).split()), said
    return finished.returncode == 0, said


def main():
    commands = []
    for document in DOCUMENTS:
        text = (ROOT / document).read_text()
        commands += of_markdown(document, text) if str(document).endswith(".md") else of_manual(document, text)
    if "--list" in sys.argv:
        for command in commands:
            print(f"{command.document}:{command.line}: {command.text}" + (f"   [{command.reason}]" if command.reason else ""))
        return
    prepare()
    block = None
    for command in commands:
        where = f"{command.document}:{command.line}: {command.text}"
        if is_path(command.text):
            file = command.text
            claim(file[0] == "." or "<" in file or any(ROOT.glob(file.rstrip("/"))), where, "there is no such file")
            continue
        if command.reason:
            claim(exists(command), f"{where} (not run: {command.reason})", "there is none")
            continue
        # the commands of a block, or of a document in order, follow each other; each other one finds what it takes
        follows = block == (command.document, None if command.in_order else command.block)
        if command.in_order and not follows:
            restore(None)
        elif command.text.startswith("eggctl") and not (follows and (command.block or command.in_order)):
            verb = " ".join(command.text.split()[1:])
            restore(next((name for name, pattern in STATES.items() if re.match(pattern, verb)), "waiting"))
        block = command.document, None if command.in_order else command.block
        holds, said = run(command)
        claim(holds, where, said)
    sys.exit(failed > 0)


main()
