"""cut.py - the power of a real file system is cut while eggd commits: what was not synced is lost, and all that was
acknowledged has to be there when it is on again.

usage: cut.py ROUNDS     Below with-small-disk -t ext4.
"""

import os
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from torture import *  # noqa: E402


def work(eggd, acknowledged):
    """Makes alarms, eight calls ahead of their replies, until the disk is gone."""
    try:
        client = eggd.client()
        for index in range(100_000):
            client.send("Schedule", expression="3h", label=f"egg {index}", body="x" * (index % 700))
            if index >= 8:
                acknowledged.append(client.receive()["alarm"]["number"])
    except (OSError, Refused):
        pass


def main():
    draw = seeded("cut")
    lost, damaged, counts = set(), [], []
    with Place() as place:
        eggd = place.eggd("", state=os.environ["SMALL_DISK"])
        for _ in range(int(sys.argv[1])):
            assert eggd.start(), eggd.told()
            acknowledged = []
            worker = threading.Thread(target=work, args=(eggd, acknowledged))
            worker.start()
            time.sleep(0.1 + draw.random() * 0.4)
            subprocess.run(["disk-power-cut"], check=True)
            eggd.kill()
            worker.join()
            subprocess.run(["disk-power-on"], check=True, stdout=subprocess.DEVNULL)
            assert eggd.start(), eggd.told()
            client = eggd.client()
            lost |= set(acknowledged) - set(client.alarms())
            client.call("Delete", all=True)
            eggd.end()
            counts.append(len(acknowledged))
            damaged = [line for line in eggd.told() if "set aside" in line]
    figure(f"power cut after so many acknowledged alarms: {counts}")
    check("every alarm that was acknowledged before the power was cut is there", not lost and sum(counts), sorted(lost)[:20])
    check("and nothing was damaged", not damaged, damaged)
    finish()


main()
