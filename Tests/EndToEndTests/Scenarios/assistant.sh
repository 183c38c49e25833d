#!/bin/bash
# assistant.sh - eggctl mcp with the official client of the Model Context Protocol (PyPI mcp): each tool, refusals, who is
# named by undo, eggd away and back, and two thousand broken messages.
# shellcheck disable=SC2016,SC2034,SC2317 # claims are shell text in single quotes
. "${BASH_SOURCE[0]%/*}/checks.sh"
unset DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR
. "${BASH_SOURCE[0]%/*}/private-eggd.sh"
export TZ=Asia/Seoul
python=$("$repository/Tests/testbed/python-venv.sh")

start_eggd
check "an assistant can use its tools" "$python" "${BASH_SOURCE[0]%/*}/assistant.py" tools
cat "$seen"
check_sh "undo names it" 'eggctl undo --preview | tee /dev/stderr | has "kitchen-helper"'
check_sh "and takes back what it did last" 'eggctl undo --yes && ! eggctl list --json | has kettle'
check "broken messages do no harm" "$python" "${BASH_SOURCE[0]%/*}/assistant.py" broken
cat "$seen"
check_here "eggd ends" ends TERM 0
check "without eggd a tool says what to do" "$python" "${BASH_SOURCE[0]%/*}/assistant.py" away
exit $((failed > 0))
