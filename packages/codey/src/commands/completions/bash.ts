// The completion script for bash.
import { allFlags, type Flag, type Place } from './grammar.ts';

export function bashScript(places: readonly Place[]): string {
  const flags = allFlags(places);
  const taking = (kind: 'path' | 'text') =>
    flags.filter(({ value }) => value.kind === kind && (value.kind !== 'text' || value.required));
  const choices = flags.flatMap((flag) => (flag.value.kind === 'choice' ? [{ ...flag, ...flag.value }] : []));
  return `# Completion for bash: put  eval "$(codey completions bash)"  into ~/.bashrc.
_codey() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} command= words= files= i
  COMPREPLY=()
  case $prev in
${choices.map((flag) => `    ${pattern([flag])}) COMPREPLY=($(compgen -W '${flag.choices.join(' ')}' -- "$cur")); return ;;`).join('\n')}
    ${pattern(taking('path'))}) COMPREPLY=($(compgen -f -- "$cur")); return ;;
    ${pattern(taking('text'))}) return ;;
  esac
  for ((i = 1; i < COMP_CWORD; i++)); do
    case \${COMP_WORDS[i]} in
      ${pattern(flags.filter(({ value }) => value.kind !== 'none' && (value.kind !== 'text' || value.required)))}) ((i++)) ;;
      -*) ;;
      *) command="\${command:+$command }\${COMP_WORDS[i]}" ;;
    esac
  done
  case $command in
${places.toReversed().map(arm).join('\n')}
  esac
  # One dash is as good as two.
  [[ $cur == -[a-z]* ]] && words=\${words//--/-}
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
  [[ $files && $cur != -* ]] && COMPREPLY+=($(compgen -f -- "$cur"))
  return 0
}
complete -o filenames -F _codey codey koder
`;
}

/** The longer commands come first; what follows a whole command are its arguments. */
function arm({ command, words, files, flags }: Place): string {
  const pattern =
    command.includes(' ') || files || words.length === 0 ? `'${command}' | '${command} '*` : `'${command}'`;
  const offered = [...words.map(({ word }) => word), ...flags.map(({ name }) => `--${name}`)];
  return `    ${pattern}) words='${offered.join(' ')}'${files ? ' files=1' : ''} ;;`;
}

function pattern(flags: readonly Flag[]): string {
  return flags
    .flatMap(({ name, short }) => [`--${name}`, `-${name}`, ...(short === undefined ? [] : [`-${short}`])])
    .join(' | ');
}
