# shellcheck shell=bash
# bash completion for eggctl(1). eggctl says what fits at the cursor; nothing that it prints is evaluated.

# Sets `plain` to a text without its quotes, and `quote` to the one that is still open.
_eggctl_unquote() {
  local text=$1 char
  plain='' quote=''
  while [[ -n $text ]]; do
    char=${text:0:1} text=${text:1}
    if [[ $char == \\ && $quote != \' ]]; then
      if [[ $quote == \" && ${text:0:1} != [\$\`\"\\] ]]; then
        plain+=$char
      else
        plain+=${text:0:1} text=${text:1}
      fi
    elif [[ -n $quote && $char == "$quote" ]]; then
      quote=''
    elif [[ -z $quote && $char == [\"\'] ]]; then
      quote=$char
    else
      plain+=$char
    fi
  done
}

# Sets `quoted` to a text as the shell reads it after the quote that is still open.
_eggctl_quote() {
  case $2 in
    \') quoted=${1//\'/\'\\\'\'} ;;
    \")
      quoted=${1//\\/\\\\}
      quoted=${quoted//\"/\\\"}
      quoted=${quoted//\$/\\\$}
      quoted=${quoted//\`/\\\`}
      ;;
    *) printf -v quoted %q "$1" ;;
  esac
}

_eggctl() {
  local line=${COMP_LINE:0:COMP_POINT} trimmed piece plain quote quoted i width=0
  local -a words=() plainWords=() answer=() values=() texts=()
  COMPREPLY=()
  # COMP_WORDS is split at : and = too. Pieces without a blank between them are one word.
  for ((i = 0; i <= COMP_CWORD; i++)); do
    trimmed=${line#"${line%%[![:blank:]]*}"}
    piece=${COMP_WORDS[i]}
    if ((i == COMP_CWORD)); then piece=$trimmed; fi
    if ((i == 0)) || [[ $trimmed != "$line" ]]; then
      words+=("$piece")
    else
      words[${#words[@]} - 1]+=$piece
    fi
    line=${trimmed#"$piece"}
  done
  local last=$((${#words[@]} - 1))
  ((last > 0)) || return 0
  if [[ ${words[last - 1]} == *[\<\>] || ${words[last]} == *[\<\>]* ]]; then
    compopt -o default 2>/dev/null
    return 0
  fi
  # readline replaces only what follows the last : or =.
  _eggctl_unquote "${words[last]%"$2"}"
  local head=$plain
  for ((i = 1; i <= last; i++)); do
    _eggctl_unquote "${words[i]}"
    plainWords+=("$plain")
  done
  mapfile -t answer < <(command eggctl complete-words "${plainWords[@]}" 2>/dev/null </dev/null)
  for line in "${answer[@]:1}"; do
    piece=${line%%$'\t'*}
    if [[ $piece != "$plain"* ]]; then continue; fi
    values+=("${piece#"$head"}")
    texts+=("${line:${#piece} + 1}")
  done
  compopt -o nosort 2>/dev/null
  if [[ ${answer[0]-} == hosts ]]; then
    if declare -F _known_hosts_real >/dev/null; then _known_hosts_real -a -- "$2"; fi
    return 0
  fi
  if [[ ${answer[0]-} == files ]] && ((${#values[@]} == 0)); then
    compopt -o default 2>/dev/null
  elif [[ ${answer[0]-} == alarms && ${COMP_TYPE-} != 37 && ${COMP_TYPE-} != 42 ]] && ((${#values[@]} > 1)); then
    # Lines that differ in their numbers: readline inserts only what they have in common. Types 37 and 42 insert
    # whole lines.
    for piece in "${values[@]}"; do ((${#piece} > width)) && width=${#piece}; done
    for i in "${!values[@]}"; do
      if [[ -n ${texts[i]} ]]; then printf -v "COMPREPLY[$i]" '%-*s  (%s)' "$width" "${values[i]}" "${texts[i]}"
      else COMPREPLY[i]=${values[i]}; fi
    done
  else
    for piece in "${values[@]}"; do
      _eggctl_quote "$piece" "$quote"
      COMPREPLY+=("$quoted")
    done
  fi
}
complete -F _eggctl eggctl
