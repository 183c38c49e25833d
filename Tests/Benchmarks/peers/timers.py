"""Rings at moments given in µs since the epoch, and says how late each was, in µs: with Python's sched, where the first
argument is that, else with APScheduler and its schedule in that file."""
import sched
import sys
import threading
import time

peer, moments = sys.argv[1], [int(moment) for moment in sys.argv[2:]]
late = []


def check():
    """All of them are stored in time."""
    if time.time() > moments[0] / 1e6 - 0.5:
        sys.exit("timers.py: they were stored too late to ring at their moment")


done = threading.Event()


def ring(moment):
    late.append(time.time_ns() / 1e3 - moment)
    if len(late) == len(moments):
        done.set()


if peer == "sched":
    timers = sched.scheduler(time.time, time.sleep)
    for moment in moments:
        timers.enterabs(moment / 1e6, 1, ring, (moment,))
    check()
    timers.run()
else:
    from datetime import datetime, timezone

    from apscheduler.executors.pool import ThreadPoolExecutor
    from apscheduler.jobstores.sqlalchemy import SQLAlchemyJobStore
    from apscheduler.schedulers.background import BackgroundScheduler

    timers = BackgroundScheduler(
        timezone=timezone.utc, executors={"default": ThreadPoolExecutor(1)},
        jobstores={"default": SQLAlchemyJobStore(url="sqlite:///" + peer)}, job_defaults={"misfire_grace_time": None})
    for moment in moments:
        when = datetime.fromtimestamp(moment // 1_000_000, timezone.utc).replace(microsecond=moment % 1_000_000)
        timers.add_job(ring, "date", run_date=when, args=[moment])
    timers.start()
    check()
    done.wait(moments[-1] / 1e6 - time.time() + 60)
print(*late, sep="\n")
