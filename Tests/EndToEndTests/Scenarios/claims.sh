#!/bin/bash
# claims.sh - the claims of the scenarios are judged by all of their commands.
# shellcheck disable=SC2016,SC2034,SC2317 # claims are shell text in single quotes
. "${BASH_SOURCE[0]%/*}/checks.sh"

work=$(mktemp -d /tmp/egg-scenario.XXXXXX)
trap 'rm -rf "$work" "$seen"' EXIT

# judged WORD CMD...: the line of that claim begins with WORD
judged() {
  local word=$1 said; shift
  said=$("$@")
  echo "$said"
  [[ $said == "$word "* ]]
}
two_lines() { "$1"; "$2"; }
check "a claim whose commands succeed is ok" judged ok check_sh claim $'true\ntrue'
check "one whose first line fails is not" judged FAIL check_sh claim $'false\ntrue'
check "nor one whose last does" judged FAIL check_sh claim $'true\nfalse'
check "nor one with a pipe whose begin fails" judged FAIL check_sh claim $'false | true\ntrue'
check "nor a function whose first line fails" judged FAIL check claim two_lines false true
check "in a piece of shell neither" judged FAIL check_sh claim $'two_lines false true\ntrue'
check "what waits for its processes is judged by its status" judged FAIL check_here claim false
eventually "what comes to hold holds in every line" 'echo >>"$work/tries"; test "$(wc -l <"$work/tries")" -ge 3
  true'
check_sh "and was tried until it did" 'test "$(wc -l <"$work/tries")" = 3'
check_sh "what failed is counted, and a scenario ends with it" '! (check_sh claim false; finish) >/dev/null'
finish
