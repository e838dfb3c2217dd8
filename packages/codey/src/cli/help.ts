// The help texts, written from the tables of flags and commands.
import {
  type CommandDefinition,
  type CommandName,
  commandGroups,
  commandNames,
  commands,
  flagsOf,
  session,
} from './commands.ts';
import { flagGroups, flags, flagUsage } from './flags.ts';

/** Lines are at most this long: it fits the terminals people split in two. */
const width = 98;

export function mainHelp(): string {
  const single = commandNames.filter((name) => !name.includes(' '));
  return page([
    `codey: ${session.summary}`,
    section('Use', [
      ['codey', 'full screen'],
      ['codey -p "prompt"', 'one run without a screen'],
      ['codey <command>', 'one of those below'],
    ]),
    section('Examples', session.examples),
    section('Commands', [
      ...single.map((name) => [name, commands[name].summary] as const),
      ...Object.entries(commandGroups).map(
        ([name, about]) => [`${name} …`, `${about}: ${secondWords(name).join(', ')}`] as const,
      ),
      ['help <command>', 'explain one command, as codey <command> --help does'],
    ]),
    ...flagSections(session),
    section('Exit codes', [
      ['0', 'done'],
      ['1', 'the run failed or was blocked'],
      ['2', 'wrong use or configuration'],
      ['130, 143, 129, 131', 'ended by SIGINT, SIGTERM, SIGHUP, SIGQUIT'],
    ]),
    'Flags take one dash or two. stdout carries only the result, everything else goes to stderr.',
  ]);
}

export function groupHelp(group: string): string {
  const names = commandNames.filter((name) => name.startsWith(`${group} `));
  return page([
    `codey ${group}: ${commandGroups[group]}`,
    section(
      'Commands',
      names.map((name) => [usage(name), commands[name].summary]),
    ),
    section(
      'Examples',
      names.map((name) => commands[name].examples[0]),
    ),
    `codey ${group} <command> --help explains one of them.`,
  ]);
}

export function commandHelp(name: CommandName): string {
  const definition: CommandDefinition = commands[name];
  return page([
    wrap(`codey ${usage(name)}: ${definition.summary}`, width).join('\n'),
    ...(definition.details === undefined ? [] : [wrap(definition.details, width).join('\n')]),
    ...(definition.arguments.length === 0
      ? []
      : [
          section(
            'Arguments',
            definition.arguments.map((argument) => [`<${argument.name}>`, argument.help]),
          ),
        ]),
    section('Examples', definition.examples),
    ...flagSections(definition),
  ]);
}

/** `hooks test [event]`. */
function usage(name: CommandName): string {
  const definition: CommandDefinition = commands[name];
  const shown = definition.arguments.map((argument) => {
    switch (argument.arity) {
      case 'one':
        return argument.choices?.join('|') ?? `<${argument.name}>`;
      case 'optional':
        return `[${argument.name}]`;
      case 'many':
        return `[${argument.name}…]`;
    }
  });
  return [name, ...shown].join(' ');
}

function secondWords(group: string): readonly string[] {
  return commandNames.flatMap((name) => (name.startsWith(`${group} `) ? [name.slice(group.length + 1)] : []));
}

function flagSections(definition: CommandDefinition): readonly string[] {
  return flagGroups.flatMap((group) => {
    const names = flagsOf(definition).filter((name) => flags[name].group === group);
    return names.length === 0
      ? []
      : [
          section(
            group,
            names.map((name) => [flagUsage(name), flags[name].help]),
          ),
        ];
  });
}

/** A heading and two columns; a left side too long for its column has a line to itself. */
function section(heading: string, rows: readonly (readonly [left: string, right: string])[]): string {
  const column = Math.min(30, Math.max(...rows.map(([left]) => left.length)) + 2);
  const lines = rows.flatMap(([left, right]) => {
    const [first = '', ...more] = wrap(right, width - column - 2);
    const indent = ' '.repeat(column + 2);
    const rest = more.map((line) => indent + line);
    return left.length + 2 > column
      ? [`  ${left}`, indent + first, ...rest]
      : [`  ${left.padEnd(column)}${first}`, ...rest];
  });
  return [`${heading}:`, ...lines].join('\n');
}

function wrap(text: string, columns: number): readonly string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && line.length + 1 + word.length > columns) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}

function page(parts: readonly string[]): string {
  return `${parts.join('\n\n')}\n`;
}
