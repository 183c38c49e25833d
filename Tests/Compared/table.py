#!/usr/bin/python3
"""Writes what Tests/Compared/run measured into docs/compared.md, between its two marks.

usage: table.py FOLDER DOCUMENT
"""
import json
import sys
from pathlib import Path

import peers

ROWS = {
    "in time": "nothing happens",
    "killed": "killed, 0.2 s before",
    "rebooted": "machine off, on again 5 s later",
    "set ahead": "clock set an hour ahead, over it",
    "set back": "clock set an hour back, before it",
    "full": "disk full",
    "absent": "no notification server, one 10 s later",
    "raced": "20 deleted as they come due",
    "thousand": "1 000 due at once",
}
# seconds; where the machine is emulated, a program takes some to start
IN_TIME, IN_TIME_EMULATED = 3, 15
BEGIN, END = "<!-- written by Tests/Compared/run -->\n", "<!-- to here -->\n"


def seconds(late):
    return f"{late:.0f} s" if late < 100 else f"{late / 60:.0f} min"


def cell(result, peer):
    scenario = result["scenario"]
    if scenario == "raced":
        after = f", {result['after']} of them after the reply" if result["after"] else ""
        return f"{result['unsaid']} rang though \"deleted\"{after}" if result["unsaid"] else "every reply was true"
    if scenario == "thousand":
        missing = "" if result["rang"] == result["count"] else f"{result['rang']:,} rang, ".replace(",", " ")
        last = result["last"]
        return f"{missing}the last {last:.{0 if last > 1 else 2}f} s late" if result["rang"] else "none rang"
    rang, told = result["rang"], result["told"]
    if scenario == "set ahead" and peer.is_countdown and not rang:
        return "counts on"
    if not rang:
        text = "**not**"
    elif scenario == "set back" and peer.is_countdown:
        text = "counts on"
    elif rang[0] < -0.05:
        text = f"{seconds(-rang[0])} **early**"
    else:
        limit = IN_TIME_EMULATED if scenario.startswith("set ") else IN_TIME
        text = "in time" if rang[0] < limit else f"{seconds(rang[0])} late"
    if len(rang) > 1:
        text += ", **twice**"
    if text in ("in time", "counts on"):
        return text
    return text + (f"; {', '.join(told)}" if told else "; nobody told")


def table(folder):
    results = {}
    for file in sorted(folder.glob("*.jsonl")):
        for line in file.read_text().splitlines():
            result = json.loads(line)
            results[result["scenario"], result["peer"]] = result
    columns = peers.ALL
    lines = ["| | " + " | ".join(peer.name for peer in columns.values()) + " |", "|---" * (len(columns) + 1) + "|"]
    for scenario, title in ROWS.items():
        cells = [cell(results[scenario, name], peer) if (scenario, name) in results else "not measured"
                 for name, peer in columns.items()]
        lines.append(f"| {title} | " + " | ".join(cells) + " |")
    lines += ["", "Given as:", ""]
    lines += [f"* {peer.name}: `{peer.given}`" for peer in columns.values()]
    return "\n".join(lines) + "\n"


def main():
    folder, document = map(Path, sys.argv[1:])
    before, rest = document.read_text().split(BEGIN)
    document.write_text(before + BEGIN + table(folder) + END + rest.split(END)[1])


if __name__ == "__main__":
    main()
