#!/bin/bash
# python-venv.sh - makes .build/python-venv, with what tests need of PyPI in it, and prints its python.
#
# usage: python-venv.sh [test|bench]     Does nothing more when it is there. Several at once wait for each other. What
# only benchmarks need goes to .build/python-venv-bench.
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
case ${1-test} in
  test) venv=$root/.build/python-venv packages=(varlink==31.0.0 icalendar==7.3.0 recurring-ical-events==3.8.2 python-dateutil==2.9.0.post0
    korean-lunar-calendar==0.4.0 holidays==0.109 mcp==1.27.2) ;;
  bench) venv=$root/.build/python-venv-bench packages=(APScheduler==3.11.0 SQLAlchemy==2.0.41) ;;
  *) echo "python-venv.sh: no group '$1'" >&2; exit 2 ;;
esac
python=$venv/bin/python

mkdir -p "$root/.build"
# one that root has made is only read
[[ -e $venv.lock ]] || : >"$venv.lock"
exec 9<"$venv.lock"
flock 9
if ! "$python" -c "
import sys, importlib.metadata as m
sys.exit(any(m.version(p.split('==')[0]) != p.split('==')[1] for p in sys.argv[1:]))" "${packages[@]}" 2>/dev/null; then
  echo "python-venv.sh: making ${venv#"$root/"} with ${packages[*]}" >&2
  rm -rf "$venv"
  python3 -m venv "$venv" >&2
  "$venv/bin/pip" install --quiet --disable-pip-version-check "${packages[@]}" >&2
fi
echo "$python"
