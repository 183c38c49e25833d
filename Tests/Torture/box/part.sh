# shellcheck shell=bash
# part.sh - what the parts that run in a box share; sourced. Where TORTURE_KEEP is set what was recorded of a failure stays.
: "${TORTURE_SEED:=$RANDOM}" "${TORTURE_SECONDS:=60}"
repository=$(cd "${BASH_SOURCE[0]%/*}/../../.." && pwd)
: "${EGGD:=$repository/.build/release/eggd}" "${EGGCTL:=$repository/.build/release/eggctl}"
export EGGD EGGCTL TORTURE_SEED TORTURE_SECONDS PYTHONDONTWRITEBYTECODE=1
work=$(mktemp -d /tmp/egg-torture.XXXXXX)
failed=0
# shellcheck disable=SC2317 # run by the trap
leave() {
  if ((failed)) && [[ -n ${TORTURE_KEEP-} ]]; then echo "     | what was recorded is in $work"; else rm -rf "$work"; fi
}
trap leave EXIT
"$(type -P cc || type -P clang)" -shared -fPIC -O1 -Wall -Wextra -Werror -o "$work/strike.so" "$repository/Tests/Torture/box/strike.c" -ldl
export STRIKER=$work/strike.so
boxes=0

# box CMD...: runs it in a box of its own
box() {
  boxes=$((boxes + 1))
  mkdir "$work/$boxes"
  "$repository/Tests/Torture/box/run-in-box" "$work/$boxes" "$@" || failed=1
}
finish() { exit "$failed"; }
