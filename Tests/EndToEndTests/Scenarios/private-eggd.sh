# shellcheck shell=bash
# private-eggd.sh - an eggd of the scenario's own, without journald, on the bus there is; sourced after
# checks.sh. eggd's standard error is in $work/stderr.
work=$(mktemp -d /tmp/egg-scenario.XXXXXX)
repository=$(cd "${BASH_SOURCE[0]%/*}/../../.." && pwd)
export PATH=$repository/.build/release:$PATH
export XDG_STATE_HOME=${XDG_STATE_HOME-$work/state}
if [[ -z ${XDG_RUNTIME_DIR-} ]]; then
  export XDG_RUNTIME_DIR=$work/run
  mkdir -m 700 "$XDG_RUNTIME_DIR"
fi
# named, a sound server is not started by its clients
export PULSE_SERVER=unix:$XDG_RUNTIME_DIR/pulse/native
eggd_pid=
# shellcheck disable=SC2317 # run by the trap
end_all() {
  local processes
  mapfile -t processes < <(jobs -p)
  # without a word on who was killed
  if ((${#processes[@]})); then { kill -KILL "${processes[@]}"; wait "${processes[@]}"; } 2>/dev/null || true; fi
  rm -rf "$work" "${seen-}"
}
trap end_all EXIT

# starts eggd and waits until it answers
start_eggd() {
  "$repository/Tests/testbed/without-journald" eggd 2>>"$work/stderr" </dev/null &
  eggd_pid=$!
  until_true answers || { echo "FAIL eggd does not answer"; cat "$work/stderr"; exit 1; }
}
answers() { eggctl status >/dev/null 2>&1; }
# ends SIGNAL STATUS: it ends by that signal with that exit status
ends() {
  local status=0
  kill -"$1" "$eggd_pid"
  wait "$eggd_pid" || status=$?
  echo "exit status $status"
  [[ $status == "$2" ]]
}
