// The completion script for fish.
import {
  allFlags,
  type Flag,
  type FlagValue,
  type Paths,
  type Place,
  promptFlag,
  spellings,
} from './grammar.ts';

export function fishScript(places: readonly Place[]): string {
  const flags = allFlags(places);
  const of = (...kinds: readonly FlagValue['kind'][]) =>
    flags
      .filter(({ value }) => kinds.includes(value.kind))
      .flatMap(spellings)
      .join(' ');
  return `# Completion for fish: put  codey completions fish | source  into ~/.config/fish/config.fish
function __codey_words
    commandline --tokenize --cut-at-cursor --current-process
end
# The command so far, without flags and their values.
function __codey_command
    set -l command
    set -l value none
    for word in (__codey_words)[2..]
        if test $value = needed; or begin
                test $value = possible; and not string match --quiet -- '-*' $word
            end
            set value none
            continue
        end
        set value none
        if contains -- $word ${of('text', 'file', 'directory', 'choice')}
            set value needed
        else if contains -- $word ${of('optional')}
            set value possible
        end
        if contains -- $word ${spellings(promptFlag).join(' ')}
            set command -p
        else if not string match --quiet -- '-*' $word
            set --append command $word
        end
    end
    echo "$command"
end
# Whether the next word of the command is typed here, and not the value of a flag that may go without.
function __codey_at
    not contains -- (__codey_words)[-1] ${of('optional')}
    and test (__codey_command) = "$argv[1]"
end
# Whether this command was named, whatever came after.
function __codey_in
    set -l command (__codey_command)
    test "$command" = "$argv[1]"
    or begin
        test -n "$argv[1]"
        and string match --quiet -- "$argv[1] *" "$command"
    end
end
for program in codey koder
    complete --command $program --no-files
${places.flatMap(lines).join('\n')}
end
`;
}

/** Words come right behind the command; flags anywhere after it, at the start only until a command is named. */
function lines({ command, words, paths, flags }: Place): readonly string[] {
  const at = `'__codey_at "${command}"'`;
  const within = `'__codey_in "${command}"'`;
  const complete = '    complete --command $program --condition';
  return [
    ...words.map(({ word, help }) => `${complete} ${at} --arguments ${word}${about(help)}`),
    ...(paths.kind === 'none' ? [] : [`${complete} ${paths.many ? within : at} ${offered(paths.kind)}`]),
    ...flags.map((flag) => `${complete} ${within} ${flagWords(flag)}${about(flag.help)}`),
  ];
}

function flagWords({ name, short, value }: Flag): string {
  const spelled = `--long-option ${name} --old-option ${name}${short === undefined ? '' : ` --short-option ${short}`}`;
  switch (value.kind) {
    case 'none':
    case 'optional':
      return spelled;
    case 'text':
      return `${spelled} --exclusive`;
    case 'choice':
      return `${spelled} --exclusive --arguments '${value.choices.join(' ')}'`;
    case 'file':
      return `${spelled} --require-parameter ${offered('file')}`;
    case 'directory':
      return `${spelled} --exclusive ${offered('directory')}`;
  }
}

function offered(paths: Exclude<Paths['kind'], 'none'>): string {
  return paths === 'file' ? '--force-files' : "--arguments '(__fish_complete_directories)'";
}

function about(help: string): string {
  return help === '' ? '' : ` --description '${help.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
