#!/bin/bash
# languages.sh - eggctl and eggd's bubbles in Korean and in English, with the real locale and catalogue. Below
# with-notify-server dunst.
# shellcheck disable=SC2016,SC2034,SC2317 # claims are shell text in single quotes
. "${BASH_SOURCE[0]%/*}/checks.sh"
. "${BASH_SOURCE[0]%/*}/private-eggd.sh"

mkdir -p "$work/locales" "$work/prefix/bin" "$work/prefix/share/locale/ko/LC_MESSAGES"
for charmap in UTF-8 EUC-KR; do
  localedef --inputfile=ko_KR --charmap="$charmap" "$work/locales/ko_KR.$charmap"
done
msgfmt --output-file="$work/prefix/share/locale/ko/LC_MESSAGES/eggd.mo" "$repository/po/ko.po"
export LOCPATH=$work/locales
# the catalogue is found from the program: links would lead to where they point
cp "$repository"/.build/release/{eggctl,eggd} "$work/prefix/bin"
export PATH=$work/prefix/bin:$PATH

# whatever the exit status
korean() { LC_ALL=ko_KR.UTF-8 "$@" 2>&1 || true; }
english() { "$@" 2>&1 || true; }
hangul() { has -P '\p{Hangul}'; }
# no_hangul CMD...: it says something, and that without Hangul
no_hangul() { english "$@" >"$work/said"; test -s "$work/said" && ! hangul <"$work/said"; }
# resolve WORD...: on the day of Tests/Fixtures/typed.tsv
resolve() { korean eggctl resolve --base "2026-12-02 14:20" --zone Asia/Seoul "$@"; }
# hints_are_read: each command that a refusal of typed.tsv suggests
hints_are_read() {
  local text meaning hint command count=0
  while IFS=$'\t' read -r text meaning _; do
    [[ $meaning == refused ]] || continue
    hint=$(eval "resolve $text" | sed -n 's/^eggctl: 힌트: //p')
    [[ $hint != 혹시* ]] || { echo "$text asks: $hint"; return 1; }
    [[ $hint == eggctl\ resolve* ]] || continue
    hint=${hint//" 또는 eggctl resolve "/$'\n'}
    hint=${hint#eggctl resolve }
    while read -r command; do
      ((++count))
      eval "resolve $command" | has "^eggctl: 오류" && { echo "$text: $command"; return 1; }
    done <<<"$hint"
  done < <(grep -v '^#' "$repository/Tests/Fixtures/typed.tsv")
  ((count > 100))
}

start_eggd
check_sh "a reply is Korean" 'korean eggctl schedule 6m30s "two soft ones" | has -F "6분 30초 후   two soft ones"'
check_sh "a recurring time too" 'korean eggctl schedule Mon..Fri 07:30 | has -F "매주 월–금 07:30"'
check_sh "a weekday stands behind its date" \
  'korean eggctl skip 2 --until "$(date -d "+20 days" +%F)" | has -E "다음 울림 [0-9]+월 [0-9]+일\([월화수목금]\) 07:30"'
check_sh "list has Korean headings, states and spans" \
  'korean eggctl list >"$work/said" && has "시각  *남은 시간  *상태  *달걀  라벨" <"$work/said" && has "6분 [0-9]*초  *예정" <"$work/said"'
check_sh "an English list has none" 'no_hangul eggctl list'
check_sh "an error has a Korean sentence and a hint" \
  'korean eggctl show 99 | diff - <(printf "eggctl: 오류: 없는 알람입니다: 99\neggctl: 힌트: eggctl list\n")'
check_sh "an English error is what it was" \
  'english eggctl show 99 | diff - <(printf "eggctl: error: there is no alarm 99\neggctl: hint: eggctl list\n")'
check_sh "a mistake in a time is named in Korean" 'korean eggctl schedule "tomorrow 7" | has "오전입니까, 오후입니까?"'
check_sh "a mistake in an option too" 'korean eggctl list --nope | has "오류: 알 수 없는 옵션 .--nope."'
check_sh "the reason of a system call too" 'korean eggctl import /nonexistent | has "^eggctl: 오류: 읽을 수 없습니다"'
check_sh "each command that a Korean refusal suggests is read" hints_are_read
check_sh "LANGUAGE lists languages in the order in which they are tried" \
  'for list in ko fr:ko en:ko; do LANGUAGE=$list korean eggctl help | has "^사용법" || exit 1; done; for list in en en_US:en fr; do LANGUAGE=$list no_hangul env LC_ALL=ko_KR.UTF-8 eggctl help || exit 1; done'
check_sh "a choice of two values is worded as a choice" 'korean eggctl export --format x | has "jsonl. 또는 .ics"'
check_sh "help has Korean headings and first lines, and English commands" \
  'korean eggctl help >"$work/said" && has "^사용법: eggctl" <"$work/said" && has "^울릴 때:" <"$work/said" &&
   has "^  snooze  *울리는 알람을" <"$work/said"'
check_sh "English help has no Hangul" 'no_hangul eggctl help && no_hangul eggctl help anniversary'
check_sh "status is Korean" 'korean eggctl status | has "^데스크톱  *알림을 표시하는 서버: dunst"'
check_sh "JSON is the same in both languages" \
  'diff <(korean eggctl show 2 --json) <(english eggctl show 2 --json) && ! korean eggctl doctor --json | hangul'

check_sh "an anniversary is 생일 for Koreans" 'korean eggctl anniversary Mina 2000-01-01 | has "Mina 생일"'
number=$(eggctl list -q | tail -n 1)
check_sh "as its body says" 'test "$(field "$number" .body)" = "오늘은 생일입니다!"'
check_sh "and birthday for others" \
  'eggctl delete --all -y && no_hangul eggctl anniversary Mina 2000-01-01 && has "Mina birthday" <"$work/said"'
check_sh "show has the signs in each language" \
  'number=$(eggctl list -q) && korean eggctl show "$number" | has "별자리  *염소자리" && no_hangul eggctl show "$number"'

check_sh "the catalogue can lie elsewhere" \
  'mv "$work/prefix/share/locale" "$work/elsewhere" && no_hangul env LC_ALL=ko_KR.UTF-8 eggctl list &&
   TEXTDOMAINDIR="$work/elsewhere" korean eggctl list | hangul && mv "$work/elsewhere" "$work/prefix/share/locale"'
check_sh "LANGUAGE chooses too" 'no_hangul env LC_ALL=ko_KR.UTF-8 LANGUAGE=en eggctl list'
check_sh "another charset than UTF-8 does no harm" 'LC_ALL=ko_KR.EUC-KR eggctl list | has "상태"'
check_sh "a locale that is not installed does no harm" 'no_hangul env LC_ALL=de_DE.UTF-8 eggctl list'

number=$(alarm 1s pudding)
due=$(field "$number" .due)
check_here "eggd is killed" ends KILL 137
until_sh '(($(micros) > due + 1100000))'
LC_ALL=ko_KR.UTF-8 start_eggd
eventually "the bubble of a late alarm says so in Korean, below the usual title and body" \
  'notify-ctl list | jq -se ".[0].summary == \"Wait!\" and
   (.[0].body | test(\"^Your eggs are almost done!\npudding\n예정 시각 .*초 늦음: eggd가 실행되고 있지 않았습니다\"))"'
check_sh "what eggd writes to the journal stays English" \
  'test -s "$work/stderr" && ! sed "s/\"[^\"]*\"//g" "$work/stderr" | hangul'
finish
