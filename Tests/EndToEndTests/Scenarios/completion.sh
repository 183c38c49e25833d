#!/bin/bash
# completion.sh - what Tab offers in bash, zsh and fish, each on a terminal of tmux: numbers with their labels, groups,
# files; nothing from a label or a name is run, and a missing or silent eggd costs no time.
# shellcheck disable=SC2016,SC2034,SC2317 # claims are shell text in single quotes
. "${BASH_SOURCE[0]%/*}/checks.sh"
unset DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR TMUX
. "${BASH_SOURCE[0]%/*}/private-eggd.sh"

terminal() { tmux -S "$work/tmux" "$@"; }
screen() { terminal capture-pane -p; }
shows() { screen | has -F -- "$1"; }
# the command line as it stands
line() { screen | grep '^> ' | tail -n 1; }
# typed TEXT KEY...: a new line with the text, then the keys
typed() {
  # no Control-C: its signal would overtake the text
  terminal send-keys C-e C-u C-l
  until_sh 'screen | grep -v "^$" | diff - <(echo ">") >/dev/null'
  terminal send-keys -l -- "$1"
  until_sh "shows $(printf %q "> ${1% }")"
  shift
  (($# == 0)) || terminal send-keys "$@"
}
# becomes TEXT: the command line comes to be that
becomes() { until_sh "[[ \$(line) == $(printf %q "> $1") ]]" || lacks; }
# offers TEXT: the screen comes to show that
offers() { until_sh "shows $(printf %q "$1")" || lacks; }
lacks() { screen | grep . && return 1; }
# places where each shell looks for completions; bash does through bash-completion
home=$work/home
mkdir -p "$home"/{.zfunc,.config/fish/completions,.local/share/bash-completion/completions}
eggctl completion bash >"$home/.local/share/bash-completion/completions/eggctl"
eggctl completion zsh >"$home/.zfunc/_eggctl"
eggctl completion fish >"$home/.config/fish/completions/eggctl.fish"
printf '%s\n' 'PS1="> "' '. /usr/share/bash-completion/bash_completion' >"$home/.bashrc"
printf '%s\n' 'PS1="> "' 'fpath=(~/.zfunc $fpath)' 'autoload -U compinit' 'compinit -u -d ~/.zcompdump' >"$home/.zshrc"
printf '%s\n' 'function fish_prompt; echo "> "; end' 'set -g fish_greeting' 'set -g fish_autosuggestion_enabled 0' \
  >"$home/.config/fish/config.fish"
# in_shell SHELL...: that shell on the terminal
in_shell() {
  terminal respawn-pane -k -c "$home" \
    env HOME="$home" ZDOTDIR="$home" XDG_CONFIG_HOME="$home/.config" XDG_DATA_HOME="$home/.local/share" TERM=screen "$@"
  until_sh 'shows ">"'
}
trap 'terminal kill-server 2>/dev/null || true; end_all' EXIT

terminal -f /dev/null new-session -d -x 90 -y 30 cat
start_eggd
alarm 1h "soft ones" >/dev/null
alarm 2h --label '$(touch ran)`touch ran`a:b\c"d' >/dev/null
alarm 3h --label '한글 달걀' >/dev/null
alarm "tomorrow 07:30" >/dev/null
eggctl pause 3 >/dev/null
eggctl group create "Sunday eggs" >/dev/null
eggctl export >"$home/eggs.jsonl"

for shell in "bash --rcfile $home/.bashrc" zsh fish; do
  name=${shell%% *}
  echo "# $name"
  read -ra command <<<"$shell"
  in_shell "${command[@]}"
  eggctl group create 'it'\''s "$(touch ran)' >/dev/null
  typed 'eggctl resu' Tab
  check "a command is completed" becomes 'eggctl resume'
  terminal send-keys Tab
  check "then the only alarm that it accepts, without its label" becomes 'eggctl resume 3'
  typed 'eggctl delete ' Tab Tab
  case $name in
    bash) lines=('1  (soft ones)' '2  ($(touch ran)`touch ran`a:b\c"d)' '3  (한글 달걀)' '4  (tomorrow 07:30)') ;;
    zsh) lines=('1  soft ones' '2  $(touch ran)`touch ran`a:b\c"d' '3  한글 달걀' '4  tomorrow 07:30') ;;
    fish) lines=('(soft ones)' '($(touch ran)`touch ran`a:b\c"d)' '(한글 달걀)' '(tomorrow 07:30)') ;;
  esac
  for text in "${lines[@]}"; do check "numbers have labels beside them: $text" offers "$text"; done
  typed 'eggctl show 4' Tab
  check "a number is completed" becomes 'eggctl show 4'
  terminal send-keys -l -- '-q'
  check "and a blank follows" becomes 'eggctl show 4 -q'
  typed 'eggctl help group rena' Tab
  check "help knows the commands" becomes 'eggctl help group rename'
  typed 'eggctl list --category me' Tab
  check "an option's values are completed" becomes 'eggctl list --category medium'
  typed 'eggctl resolve 07:30 --zone Asia/Seo' Tab
  check "zones" becomes 'eggctl resolve 07:30 --zone Asia/Seoul'
  typed 'eggctl import egg' Tab
  check "files" becomes 'eggctl import eggs.jsonl'
  typed 'eggctl list --group Sun' Tab
  check "groups, as one word" becomes 'eggctl list --group Sunday\ eggs'
  typed 'eggctl group delete it' Tab
  check "whatever their names" offers 'touch'
  terminal send-keys -l -- ' -y'
  terminal send-keys Enter
  eventually "and the word that is inserted is the name" '! eggctl group list -q | has touch'
  check_sh "nothing of a label or a name was run" '[[ ! -e $home/ran && ! -e ran ]]'
done

echo "# eggd is silent, then gone"
complete() { eggctl complete-words "$@"; }
kill -STOP "$eggd_pid"
# fastest LIMIT COMMAND...: the fastest of twenty, in µs; no more are tried once one is below the limit
fastest() {
  local limit=$1 best=1000000000 began taken
  shift
  for _ in {1..20}; do
    began=$(micros); "$@" >/dev/null; taken=$(($(micros) - began))
    ((taken < best)) && best=$taken
    ((best < limit)) && break
  done
  echo "$best"
}
check_sh "a silent one is not waited for" '[[ $(fastest 250000 complete delete "") -lt 250000 ]]'
check_sh "and nothing is said" '[[ $(complete delete "" 2>&1) == alarms ]]'
kill -CONT "$eggd_pid"
check_here "eggd is killed" ends KILL 137
check_sh "without it nothing is offered and nothing said" '[[ $(complete delete "" 2>&1) == alarms ]]'
for shell in "bash --rcfile $home/.bashrc" zsh fish; do
  read -ra command <<<"$shell"
  in_shell "${command[@]}"
  typed 'eggctl delete ' Tab x
  check "Tab leaves the line of ${command[0]} as it is" becomes 'eggctl delete x'
  check_sh "and says nothing" '[[ $(screen | grep -c .) == 1 ]]'
done

echo "# ten thousand alarms"
start_eggd
tail -n 1 "$home/eggs.jsonl" >"$work/one"
jq -c --argjson count 10000 'range($count) as $n | .alarm.label = "egg \($n)" | del(.alarm.id)' "$work/one" >"$work/many"
check "they are imported" eggctl import "$work/many"
for words in "delete ''" "delete 12" "resume ''" "snooze ''" "undone ''"; do
  check_sh "$words is answered within 50 ms" \
    'best=$(eval "fastest 50000 complete $words"); echo "$best µs"; ((best < 50000))'
done
eventually "a hundred at most are offered" '[[ $(complete delete "" | wc -l) == 101 ]]'
check_sh "of those that begin as typed" '[[ $(complete delete 77 | sed 1d | cut -f1 | grep -vc ^77) == 0 ]]'
eventually "and all of these" '[[ $(complete delete 777 | sed 1d | cut -f1 | xargs) == "777 "$(echo 777{0..9}) ]]'
finish
