// The completion script for bash, also for 3.2, which macOS comes with.
import { allFlags, type Flag, type FlagValue, type Place, promptFlag, spellings } from './grammar.ts';

export function bashScript(places: readonly Place[]): string {
  const flags = allFlags(places);
  const of = (...kinds: readonly FlagValue['kind'][]) =>
    flags.filter(({ value }) => kinds.includes(value.kind));
  const choices = flags.flatMap((flag) => (flag.value.kind === 'choice' ? [{ ...flag, ...flag.value }] : []));
  return `# Completion for bash: put  eval "$(codey completions bash)"  into ~/.bashrc.
_codey_offer() {
  local line
  while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen "$@")
}
_codey_paths() {
  # Only here: a word that is also the name of a directory would get a slash.
  compopt -o filenames 2> /dev/null
  _codey_offer "$@"
}
_codey() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]}
  local command= at= words= paths= many= flags= i
  COMPREPLY=()
  # Of --flag=value bash makes three words.
  if [[ $cur == = ]]; then
    cur=
  elif [[ $prev == = ]]; then
    prev=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  case $prev in
${choices.map((flag) => `    ${pattern([flag])}) _codey_offer -W '${flag.choices.join(' ')}' -- "$cur"; return ;;`).join('\n')}
    ${pattern(of('file'))}) _codey_paths -f -- "$cur"; return ;;
    ${pattern(of('directory'))}) _codey_paths -d -- "$cur"; return ;;
    ${pattern(of('text'))}) return ;;
    ${pattern(of('optional'))}) [[ $cur == -* ]] || return ;;
  esac
  for ((i = 1; i < COMP_CWORD; i++)); do
    case \${COMP_WORDS[i]} in
      ${pattern([promptFlag])}) command=-p ;;
      -*) ;;
      *) command="\${command:+$command }\${COMP_WORDS[i]}" ;;
    esac
    if [[ \${COMP_WORDS[i]} == -* && \${COMP_WORDS[i + 1]} == = ]]; then
      ((i += 2))
      continue
    fi
    case \${COMP_WORDS[i]} in
      ${pattern(of('optional'))}) [[ \${COMP_WORDS[i + 1]} == -* ]] || ((i++)) ;;
      ${pattern(of('text', 'file', 'directory', 'choice'))}) ((i++)) ;;
    esac
  done
  case $command in
${places.toReversed().map(arm).join('\n')}
  esac
  if [[ $cur == -* ]]; then
    # One dash is as good as two.
    [[ $cur == -[a-z]* ]] && flags=\${flags//--/-}
    _codey_offer -W "$flags" -- "$cur"
    return
  fi
  [[ $command == "$at" ]] && _codey_offer -W "$words" -- "$cur"
  [[ $paths && ($many || $command == "$at") ]] && _codey_paths "$paths" -- "$cur"
  return 0
}
complete -F _codey codey koder
`;
}

/** The longer commands come first; what follows a whole command are its arguments. */
function arm({ command, words, paths, flags }: Place): string {
  const whole = command === '' ? "''" : `'${command}' | '${command} '*`;
  const sets = [
    `at='${command}'`,
    ...(words.length === 0 ? [] : [`words='${words.map(({ word }) => word).join(' ')}'`]),
    ...(paths.kind === 'none' ? [] : [`paths=${{ file: '-f', directory: '-d' }[paths.kind]}`]),
    ...(paths.kind !== 'none' && paths.many ? ['many=1'] : []),
    `flags='${flags.map(({ name }) => `--${name}`).join(' ')}'`,
  ];
  return `    ${whole}) ${sets.join(' ')} ;;`;
}

function pattern(flags: readonly Flag[]): string {
  return flags.flatMap(spellings).join(' | ');
}
