// The completion script for zsh.
import { allFlags, type Flag, type FlagValue, type Place, promptFlag, spellings } from './grammar.ts';

export function zshScript(places: readonly Place[]): string {
  const flags = allFlags(places);
  const of = (...kinds: readonly FlagValue['kind'][]) =>
    flags.filter(({ value }) => kinds.includes(value.kind));
  const choices = flags.flatMap((flag) => (flag.value.kind === 'choice' ? [{ ...flag, ...flag.value }] : []));
  return `#compdef codey koder
# Completion for zsh: put  eval "$(codey completions zsh)"  into ~/.zshrc, behind compinit.
_codey() {
  local command= at= paths= many= previous=$words[CURRENT-1] i
  local -a offered flags
  if [[ $PREFIX == -*=* ]]; then
    previous=\${PREFIX%%=*}
    compset -P '*='
  fi
  case $previous in
${choices.map((flag) => `    ${pattern([flag])}) compadd -- ${flag.choices.join(' ')}; return ;;`).join('\n')}
    ${pattern(of('file'))}) _files; return ;;
    ${pattern(of('directory'))}) _path_files -/; return ;;
    ${pattern(of('text'))}) return 1 ;;
    ${pattern(of('optional'))}) [[ $PREFIX == -* ]] || return 1 ;;
  esac
  for ((i = 2; i < CURRENT; i++)); do
    case $words[i] in
      ${pattern([promptFlag])}) command=-p ;;
      -*) ;;
      *) command="\${command:+$command }$words[i]" ;;
    esac
    case $words[i] in
      ${pattern(of('optional'))}) [[ $words[i+1] == -* ]] || ((i++)) ;;
      ${pattern(of('text', 'file', 'directory', 'choice'))}) ((i++)) ;;
    esac
  done
  case $command in
${places.toReversed().map(arm).join('\n')}
  esac
  if [[ $PREFIX == -* ]]; then
    # One dash is as good as two.
    [[ $PREFIX == -[a-z]* ]] && flags=(\${flags/#--/-})
    _describe flag flags
    return
  fi
  if [[ $command == $at ]] && (( $#offered )); then
    _describe word offered
  elif [[ -n $paths && ( -n $many || $command == $at ) ]]; then
    case $paths in
      file) _files ;;
      directory) _path_files -/ ;;
    esac
  fi
}
compdef _codey codey koder
`;
}

function arm({ command, words, paths, flags }: Place): string {
  const whole = command === '' ? "''" : `'${command}' | '${command} '*`;
  const sets = [
    `at='${command}'`,
    ...(words.length === 0
      ? []
      : [`offered=(${words.map(({ word, help }) => entry(word, help)).join(' ')})`]),
    ...(paths.kind === 'none' ? [] : [`paths=${paths.kind}`]),
    ...(paths.kind !== 'none' && paths.many ? ['many=1'] : []),
    `flags=(${flags.map(({ name, help }) => entry(`--${name}`, help)).join(' ')})`,
  ];
  return `    ${whole})
      ${sets.join('\n      ')} ;;`;
}

/** A colon parts the word from its explanation. */
function entry(word: string, help: string): string {
  const text = help === '' ? word : `${word}:${help.replaceAll(':', '\\:')}`;
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function pattern(flags: readonly Flag[]): string {
  return flags.flatMap(spellings).join(' | ');
}
