"""mirror.py - a client of eggd that knows nothing but the interface and PyPI's varlink.

usage: mirror.py ADDRESS mirror LABEL   keeps the list by Subscribe until an alarm with that label is made, then
                                        prints it as JSON, with how often it started over
       mirror.py ADDRESS fill COUNT     makes alarms
"""

import json
import sys

import varlink


def mirror(eggd, label):
    alarms = {}
    anew = 0
    for told in eggd.Subscribe(_more=True):
        if told["part"] == "startOver":
            alarms = {}
            anew += 1
        for alarm in told.get("alarms", []):
            alarms[alarm["number"]] = alarm
        if told["part"] == "change":
            if "new" in told:
                alarms[told["new"]["number"]] = told["new"]
            else:
                alarms.pop(told["old"]["number"], None)
        if told["part"] == "ready":
            print("ready", file=sys.stderr, flush=True)
        if any(alarm.get("label") == label for alarm in alarms.values()):
            break
    listed = sorted(alarms.values(), key=lambda alarm: (alarm["position"], alarm["number"]))
    print(json.dumps({"alarms": listed, "anew": anew}))


def fill(eggd, count):
    for number in range(int(count)):
        eggd.Schedule(f"2099-01-01 {number % 24:02}:30", label=f"filled {number}")


with varlink.Client(sys.argv[1]) as client, client.open("io.eggd.Schedule") as eggd:
    {"mirror": mirror, "fill": fill}[sys.argv[2]](eggd, sys.argv[3])
