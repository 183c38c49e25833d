#!/usr/bin/env python3
"""step-clock.py MICROSECONDS CMD...: sets the machine's wall clock by that much (two seconds at most) while CMD runs,
and puts it back when CMD ends, also when this is interrupted. Exit status: CMD's. Needs CAP_SYS_TIME."""
import ctypes
import os
import signal
import subprocess
import sys


class Timex(ctypes.Structure):
    """struct timex, adjtimex(2)."""

    _fields_ = (
        [("modes", ctypes.c_uint)]
        + [(name, ctypes.c_long) for name in ("offset", "freq", "maxerror", "esterror")]
        + [("status", ctypes.c_int)]
        + [(name, ctypes.c_long) for name in ("constant", "precision", "tolerance", "sec", "nsec", "tick")]
        + [("rest", ctypes.c_byte * 256)]
    )


def step(microseconds):
    """ADJ_SETOFFSET: the kernel adds, so that no time is lost between reading and setting."""
    change = Timex(modes=0x0100 | 0x2000)
    change.sec, rest = divmod(microseconds, 1_000_000)
    change.nsec = rest * 1_000
    if ctypes.CDLL(None, use_errno=True).clock_adjtime(0, ctypes.byref(change)) < 0:
        code = ctypes.get_errno()
        sys.exit(f"step-clock: {os.strerror(code)}")


def main():
    if len(sys.argv) < 3 or abs(int(sys.argv[1])) > 2_000_000:
        sys.exit(__doc__)
    microseconds = int(sys.argv[1])
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(1))
    step(microseconds)
    try:
        status = subprocess.run(sys.argv[2:], timeout=20).returncode
    finally:
        step(-microseconds)
    sys.exit(status)


main()
