#compdef eggctl
# zsh completion for eggctl(1). eggctl says what fits at the cursor; nothing that it prints is evaluated.

_eggctl() {
  local line value text width=0 result=1
  local -a before answer values texts described expl
  if ((CURRENT > 2)); then before=("${(@Q)words[2,CURRENT-1]}"); fi
  answer=("${(@f)$(command eggctl complete-words "${before[@]}" "${(Q)PREFIX}" 2>/dev/null </dev/null)}")
  for line in "${(@)answer[2,-1]}"; do
    value=${line%%$'\t'*}
    text=${${line#$value}#$'\t'}
    values+=("$value")
    texts+=("$text")
    described+=("${${value//\\/\\\\}//:/\\:}${text:+:$text}")
    if (($#value > width)); then width=$#value; fi
  done
  case $answer[1] in
    alarms)
      for ((line = 1; line <= $#values; line++)); do texts[line]="${(l:width:)values[line]}  $texts[line]"; done
      _wanted -V alarms expl alarm compadd -l -d texts -a values && result=0
      ;;
    hosts)
      compset -P '*@'
      _hosts && result=0
      ;;
    words | files)
      if (($#values)); then
        if [[ $values[1] == -* ]]; then
          _describe -o -V option described && result=0
        else
          _describe -V value described && result=0
        fi
      fi
      if [[ $answer[1] == files ]]; then
        compset -P '--[^=]#='
        _files && result=0
      fi
      ;;
  esac
  return result
}

if [[ $funcstack[1] == _eggctl ]]; then
  _eggctl "$@"
else
  compdef _eggctl eggctl
fi
