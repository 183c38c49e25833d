#!/bin/bash
# search.sh - eggd-search on a private session bus: GNOME's and KRunner's questions, both readings, nothing scheduled before
# Enter, what rings, started by the bus and ended when idle, broken calls, no eggd.
# shellcheck disable=SC2016,SC2034,SC2317 # claims are shell text in single quotes
if [[ -z ${SEARCH_BUS-} ]]; then
  unset DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR
  data=$(mktemp -d /tmp/egg-search.XXXXXX)
  trap 'rm -rf "$data"' EXIT
  mkdir -p "$data/dbus-1/services" "$data/config"
  # ended sooner than the installed one
  sed "s|@libexecdir@|$PWD/.build/release|; s| 30$| 1|" systemd/io.eggd.Search.service >"$data/dbus-1/services/io.eggd.Search.service"
  mkdir -m 700 "$data/run"
  export XDG_DATA_HOME=$data XDG_DATA_DIRS=$data XDG_CONFIG_HOME=$data/config SEARCH_BUS=1 XDG_RUNTIME_DIR=$data/run
  dbus-run-session -- "$0" "$@"
  exit
fi
. "${BASH_SOURCE[0]%/*}/checks.sh"
. "${BASH_SOURCE[0]%/*}/private-eggd.sh"
export TZ=UTC

object() { gdbus call --session -d io.eggd.Search -o /io/eggd/Search -m "$@"; }
shell() { object "org.gnome.Shell.SearchProvider2.$1" "${@:2}"; }
runner() { object "org.kde.krunner1.$1" "${@:2}"; }
# found WORD...: the ids that GNOME gets, one a line, with a blank for a newline
found() {
  local words="" word
  for word; do words+="${words:+, }'$word'"; done
  busctl --user --json=short -- call io.eggd.Search /io/eggd/Search org.gnome.Shell.SearchProvider2 GetInitialResultSet \
    as "$#" "$@" | jq -r '.data[0][] | gsub("\n"; "|")'
}
# metas ID...: what GNOME shows of them
metas() {
  busctl --user --json=short call io.eggd.Search /io/eggd/Search org.gnome.Shell.SearchProvider2 GetResultMetas \
    as "$#" "$@" | jq -r '.data[0][] | [.name.data, .description.data, .gicon.data] | join(" / ")'
}
activate() {
  busctl --user call io.eggd.Search /io/eggd/Search org.gnome.Shell.SearchProvider2 ActivateResult sasu "$1" 0 0
}
owned() { gdbus call --session -d org.freedesktop.DBus -o /org/freedesktop/DBus -m org.freedesktop.DBus.NameHasOwner io.eggd.Search | has true; }
count() { eggctl list -q | wc -l; }
# matches TEXT: what KRunner gets: id, text, kind
matches() {
  busctl --user --json=short call io.eggd.Search /io/eggd/Search org.kde.krunner1 Match s "$1" |
    jq -r '.data[0][] | [(.[0] | gsub("\n"; "|")), .[1], .[5].subtext.data] | join(" / ")'
}

start_eggd
check_sh "nobody has the name before the first question" '! owned'
check_sh "the bus starts the program for GNOME's first words" '[[ $(found egg 6m30s soft) == "schedule|||6m30s|soft" ]] && owned'
one=$'schedule\n\n\n6m30s\nsoft'
check_sh "what is shown is the moment, in eggctl's words" \
  'metas "$one" | tee /dev/stderr | has -E "^20[0-9. :]+  in 6 min 30 s / soft · 6m30s · Enter schedules it / eggd$"'
check_sh "nothing is scheduled before Enter" '[[ $(count) == 0 ]]'
check "Enter" activate "$one"
check_sh "schedules it" '[[ $(field 1 "[.label, .span] | @csv") == "\"soft\",390000000" ]]'
check_sh "an ambiguous text gives both readings" \
  'diff <(found egg tomorrow 7) <(for hour in 07 19; do echo "schedule||$(date -d "tomorrow $hour:00" +%s)000000|tomorrow $hour:00"; done)'
evening=$(date -d "tomorrow 19:00" +%s)
check_sh "of which one is chosen" 'activate $'"'schedule\n\n${evening}000000\ntomorrow 19:00'"' && [[ $(field 2 "[.civil, .expression] | @csv") == "\"$(date -d "@$evening" "+%F %T")\",\"tomorrow 19:00\"" ]]'
check_sh "a moment that was shown is scheduled though its words name another one by then" \
  'activate $'"'schedule\n\n$((evening + 60))000000\ntomorrow 19:00'"' && field 3 .expression | has -x "$(date -d "@$((evening + 60))" "+%F %T")"'
check_sh "words that may belong to the time do, or are the label" \
  'found egg 10m 2 eggs | tee /dev/stderr | has -x "schedule|2 eggs||10m"'
check_sh "other words are not for eggd, nor half a word" '[[ -z $(found 6m30s; found eggplant 6m; found eggs-benedict; found) ]]'
check_sh "a time that is refused gives nothing" '[[ -z $(found egg yesterday; found egg 25:99; found egg soft) ]]'
check_sh "an option is a word" '[[ $(found egg 6m --run=true) == "schedule|||6m|--run=true" ]]'
check_sh "which runs nothing" 'activate $'"'schedule\n\n\n6m\n--run=touch /tmp/x'"'; ! eggctl list --json | has "\"run\""'
check_sh "GNOME narrows a search" 'shell GetSubsearchResultSet "[\"x\"]" "[\"egg\", \"7m\"]" | has 7m'
check_sh "the word alone gives what is next" \
  'found egg | has -x list && metas list | tee /dev/stderr | has -E "^#[0-9]+  20.*in [56] min .* / Enter shows all alarms"'

check "the button of all results asks for the list" shell LaunchSearch "['egg']" "uint32 0"

echo "# KRunner"
check_sh "gets results at once" 'matches "egg 6m30s soft" | tee /dev/stderr | has -E "^schedule\|\|\|6m30s\|soft / 20.* in 6 min 30 s / soft · 6m30s · Enter"'
check_sh "in Korean too" 'matches "계란 6분 30초 반숙" | tee /dev/stderr | has "in 6 min 30 s / 반숙"'
check_sh "has no further actions" 'runner Actions | has "@a(sss) \[\]"'
before=$(count)
check "Enter" runner Run "'schedule"$'\n\n\n'"8m"$'\n'"tea'" "''"
check_sh "schedules it" '[[ $(count) == $((before + 1)) ]] && eggctl list --json | has tea'

echo "# what rings"
ringing=$(alarm 100ms loud)
until_sh '[[ $(field "$ringing" .state) == ringing ]]'
check_sh "comes first" '[[ $(found egg | head -n 1) == "dismiss|$ringing" ]]'
check_sh "with its line" 'metas "dismiss"$'"'\n'"'"$ringing" | tee /dev/stderr | has -E "#$ringing .*ringing +loud / Enter dismisses it"'
check "Enter" activate "dismiss"$'\n'"$ringing"
check_sh "dismisses it" '[[ $(field "$ringing" .state) == rung ]]'

echo "# broken calls"
error() { ! "$@" >"$work/answer" 2>&1 && has "$wanted" "$work/answer"; }
wanted=InvalidArgs
check "words of another type are an error" error shell GetInitialResultSet "[1, 2]"
check "so is one word for a list" error shell GetResultMetas "'egg'"
check "so is a Match without a text" error runner Match
wanted=UnknownMethod
check "and a method that there is not" error shell Nosuch
check_sh "six hundred words are refused" '! found $(printf "egg %.0s" {1..600}) 2>/dev/null'
megabytes=$(printf 'egg %0120000d' 6)
check_sh "a long text gives nothing" '[[ -z $(matches "$megabytes") ]]'
check_sh "an id that no result has shows nothing, and changes nothing" \
  '[[ -z $(metas x "" schedule "dismiss" $'"'dismiss\nx'"') ]] && before=$(count) && activate x && [[ $(count) == "$before" ]]'
check_sh "it still answers" 'found egg 1m | has 1m'

echo "# idle"
eventually "without a question it ends" '! owned'
check_sh "and the bus starts it for Enter, too" 'before=$(count) && activate "$one" && [[ $(count) == $((before + 1)) ]]'
check_here "eggd ends" ends TERM 0
check_sh "without eggd a time is read all the same" 'found egg 6m | has 6m && [[ -z $(found egg) ]]'
dbus-monitor --session "member='Notify'" >"$work/notified" &
until_sh 'has NameLost "$work/notified"'
check "Enter" activate "$one"
eventually "says on the desktop why not, and what to type" 'has "eggd is not running" "$work/notified" && has "systemctl --user" "$work/notified"'
finish
