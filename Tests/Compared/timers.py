#!/usr/bin/python3
"""What keeps alarms with APScheduler: a service with its jobs in SQLite, which takes them over a socket.

usage: timers.py DATABASE SOCKET

A line is "add MOMENT LABEL", with seconds since the epoch, or "remove LABEL"; the reply is "ok" or an error.
"""
import logging
import os
import socketserver
import subprocess
import sys
from datetime import datetime, timezone

from apscheduler.jobstores.sqlalchemy import SQLAlchemyJobStore
from apscheduler.schedulers.background import BackgroundScheduler


def ring(label):
    subprocess.run(["notify-send", "Wait!", label], check=True)


class Request(socketserver.StreamRequestHandler):
    def handle(self):
        for line in self.rfile:
            verb, _, rest = line.decode().rstrip("\n").partition(" ")
            try:
                if verb == "add":
                    moment, _, label = rest.partition(" ")
                    when = datetime.fromtimestamp(float(moment), timezone.utc)
                    timers.add_job("__main__:ring", "date", run_date=when, args=[label], id=label)
                else:
                    timers.remove_job(rest)
                self.wfile.write(b"ok\n")
            except Exception as error:  # whatever the job store says
                self.wfile.write(f"{type(error).__name__}\n".encode())


if __name__ == "__main__":
    logging.basicConfig(level=logging.WARNING, format="%(message)s")
    # without a grace time a job that was missed is run at the start
    timers = BackgroundScheduler(
        timezone=timezone.utc, jobstores={"default": SQLAlchemyJobStore(url="sqlite:///" + sys.argv[1])},
        job_defaults={"misfire_grace_time": None})
    timers.start()
    if os.path.exists(sys.argv[2]):
        os.unlink(sys.argv[2])
    socketserver.ThreadingUnixStreamServer(sys.argv[2], Request).serve_forever()
