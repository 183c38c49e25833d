"""Stores alarms with APScheduler in SQLite, one after the other, for so many seconds; says how many in a second."""
import sys
import time
from datetime import datetime, timedelta, timezone

from apscheduler.jobstores.sqlalchemy import SQLAlchemyJobStore
from apscheduler.schedulers.background import BackgroundScheduler

database, seconds = sys.argv[1], float(sys.argv[2])


def ring():
    pass


timers = BackgroundScheduler(
    timezone=timezone.utc, jobstores={"default": SQLAlchemyJobStore(url="sqlite:///" + database)})
timers.start()
begin = time.monotonic()
count = 0
while time.monotonic() < begin + seconds:
    timers.add_job(ring, "date", run_date=datetime.now(timezone.utc) + timedelta(days=1))
    count += 1
print(count / (time.monotonic() - begin))
timers.shutdown()
