// The completion script for zsh.
import { allFlags, type Flag, type Place } from './grammar.ts';

export function zshScript(places: readonly Place[]): string {
  const flags = allFlags(places);
  const withValue = flags.filter(({ value }) => value.kind !== 'none');
  return `#compdef codey koder
# Completion for zsh: put  eval "$(codey completions zsh)"  into ~/.zshrc, behind compinit.
_codey() {
  local command= i
  local -a offered flags
  case $words[CURRENT-1] in
${withValue.flatMap(valueArm).join('\n')}
  esac
  for ((i = 2; i < CURRENT; i++)); do
    case $words[i] in
      ${pattern(withValue.filter(({ value }) => value.kind !== 'text' || value.required))}) ((i++)) ;;
      -*) ;;
      *) command="\${command:+$command }$words[i]" ;;
    esac
  done
  case $command in
${places.toReversed().map(arm).join('\n')}
  esac
  if [[ $words[CURRENT] == -* ]]; then
    _describe flag flags
  else
    (( $#offered )) && _describe word offered
  fi
}
compdef _codey codey koder
`;
}

/** Where a value may be left out something else may follow as well. */
function valueArm(flag: Flag): readonly string[] {
  const { value } = flag;
  switch (value.kind) {
    case 'choice':
      return [`    ${pattern([flag])}) compadd -- ${value.choices.join(' ')}; return ;;`];
    case 'path':
      return [`    ${pattern([flag])}) _files; return ;;`];
    case 'text':
      return value.required ? [`    ${pattern([flag])}) return ;;`] : [];
    case 'none':
      return [];
  }
}

function arm({ command, words, files, flags }: Place): string {
  const pattern =
    command.includes(' ') || files || words.length === 0 ? `'${command}' | '${command} '*` : `'${command}'`;
  const offered = words.map(({ word, help }) => entry(word, help)).join(' ');
  const spelled = flags.map(({ name, help }) => entry(`--${name}`, help)).join(' ');
  return `    ${pattern})
      offered=(${offered})
      flags=(${spelled})${files ? '\n      _files' : ''} ;;`;
}

/** A colon parts the word from its explanation. */
function entry(word: string, help: string): string {
  const text = help === '' ? word : `${word}:${help.replaceAll(':', '\\:')}`;
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function pattern(flags: readonly Flag[]): string {
  return flags
    .flatMap(({ name, short }) => [`--${name}`, `-${name}`, ...(short === undefined ? [] : [`-${short}`])])
    .join(' | ');
}
