// The completion script for fish.
import { allFlags, type Flag, type Place } from './grammar.ts';

export function fishScript(places: readonly Place[]): string {
  const withValue = allFlags(places).filter(
    ({ value }) => value.kind !== 'none' && (value.kind !== 'text' || value.required),
  );
  return `# Completion for fish: codey completions fish > ~/.config/fish/completions/codey.fish
function __codey_command
    set -l command
    set -l skip 0
    for word in (commandline --tokenize --cut-at-cursor --current-process)[2..]
        if test $skip = 1
            set skip 0
        else if contains -- $word ${withValue.flatMap(spellings).join(' ')}
            set skip 1
        else if not string match --quiet -- '-*' $word
            set --append command $word
        end
    end
    echo "$command"
end
function __codey_at
    test (__codey_command) = "$argv[1]"
end
function __codey_in
    string match --quiet -- "$argv[1]*" (__codey_command)
end
for program in codey koder
    complete --command $program --no-files
${places.flatMap(lines).join('\n')}
end
`;
}

/** Words come right behind the command; flags anywhere after it, at the start only until a command is named. */
function lines({ command, words, files, flags }: Place): readonly string[] {
  const at = `'__codey_at ${command === '' ? '""' : `"${command}"`}'`;
  const within = command.includes(' ') || words.length === 0 ? `'__codey_in "${command}"'` : at;
  return [
    ...words.map(
      ({ word, help }) =>
        `    complete --command $program --condition ${at} --arguments ${word}${about(help)}`,
    ),
    ...(files ? [`    complete --command $program --condition ${within} --force-files`] : []),
    ...flags.map(
      (flag) => `    complete --command $program --condition ${within} ${flagWords(flag)}${about(flag.help)}`,
    ),
  ];
}

function flagWords({ name, short, value }: Flag): string {
  const spelled = `--long-option ${name} --old-option ${name}${short === undefined ? '' : ` --short-option ${short}`}`;
  switch (value.kind) {
    case 'none':
      return spelled;
    case 'choice':
      return `${spelled} --exclusive --arguments '${value.choices.join(' ')}'`;
    case 'path':
      return `${spelled} --require-parameter --force-files`;
    case 'text':
      return value.required ? `${spelled} --exclusive` : spelled;
  }
}

function about(help: string): string {
  return help === '' ? '' : ` --description '${help.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

function spellings({ name, short }: Flag): readonly string[] {
  return [`--${name}`, `-${name}`, ...(short === undefined ? [] : [`-${short}`])];
}
