#!/usr/bin/python3
"""Reads the output of dbus-monitor, prints of the first Notify of eggd the moment it was seen, in µs since
the epoch, its summary and its body. Exits 1 where there is none with the texts of an egg that is done."""
import re
import sys

calls = re.split(r"^(?=(?:method call|method return|signal|error) time=)", sys.stdin.read(), flags=re.M)
for call in calls:
    if "member=Notify" not in call:
        continue
    # susssas...: the strings at the outer level are application, icon, summary, body
    texts = re.findall(r'^   string "(.*?)"$', call, flags=re.M | re.S)
    seconds, fraction = re.search(r"time=(\d+)\.(\d+)", call).groups()
    if len(texts) < 4 or texts[0] != "Egg Timer":
        continue
    summary, body = texts[2], texts[3]
    print(int(seconds) * 1_000_000 + int(fraction.ljust(6, "0")[:6]))
    print(f"summary: {summary}")
    print(f"body: {body}")
    sys.exit(0 if summary == "Wait!" and body.split("\n")[0] == "Your eggs are almost done!" else 1)
sys.exit(1)
