// What can be typed after `codey`, from the tables of flags and commands, in the form that all three shells need.
import { policyEventNames } from '@codey/hooks';
import {
  type ArgumentDefinition,
  type CommandDefinition,
  commandGroups,
  commandNames,
  commands,
  flagsOf,
  session,
} from '../../cli/commands.ts';
import { type FlagDefinition, type FlagName, flags } from '../../cli/flags.ts';

export interface Place {
  /** The words before: '' behind the program, `hooks`, `hooks list`; `-p` where the rest is a prompt. */
  readonly command: string;
  /** Words that may come next, with what they are for. */
  readonly words: readonly Choice[];
  /** What else may come next. */
  readonly paths: Paths;
  readonly flags: readonly Flag[];
}

export interface Choice {
  readonly word: string;
  readonly help: string;
}

export type Paths =
  | { readonly kind: 'none' }
  /** With `many` another one may follow. */
  | { readonly kind: 'file' | 'directory'; readonly many: boolean };

export interface Flag {
  readonly name: string;
  readonly short?: string;
  readonly help: string;
  /** What comes behind it. */
  readonly value: FlagValue;
}

export type FlagValue =
  | { readonly kind: 'none' }
  /** Something that cannot be listed. */
  | { readonly kind: 'text' }
  /** The same, where it may also be left out: of `-p` and `-resume`. */
  | { readonly kind: 'optional' }
  | { readonly kind: 'file' }
  | { readonly kind: 'directory' }
  | { readonly kind: 'choice'; readonly choices: readonly string[] };

/** The flag whose words are a prompt and name no command. */
export const promptFlag = readFlag('print');

/** Every place in which something can be completed. */
export function completionPlaces(): readonly Place[] {
  const sessionPlace = { paths: { kind: 'none' }, flags: flagsOf(session).map(readFlag) } as const;
  const groups = Object.keys(commandGroups);
  const first = [
    ...commandNames.filter((name) => !name.includes(' ')).map((name) => choice(name, commands[name].summary)),
    ...Object.entries(commandGroups).map(([name, about]) => choice(name, about)),
  ];
  return [
    { command: '', words: [...first, choice('help', 'explain a command')], ...sessionPlace },
    { command: '-p', words: [], ...sessionPlace },
    topic('help', first),
    ...groups.map((group) => topic(`help ${group}`, commandsIn(group))),
    ...groups.map((group) => topic(group, commandsIn(group))),
    ...commandNames.map((name): Place => {
      const definition: CommandDefinition = commands[name];
      return {
        command: name,
        words: definition.arguments.slice(0, 1).flatMap(listed),
        paths: definition.arguments.map(readPaths)[0] ?? { kind: 'none' },
        flags: flagsOf(definition).map(readFlag),
      };
    }),
  ];
}

/** Where a command is only being named. */
function topic(command: string, words: readonly Choice[]): Place {
  return { command, words, paths: { kind: 'none' }, flags: [readFlag('help')] };
}

function commandsIn(group: string): readonly Choice[] {
  return commandNames.flatMap((name) =>
    name.startsWith(`${group} `) ? [choice(name.slice(group.length + 1), commands[name].summary)] : [],
  );
}

function listed({ choices, completes }: ArgumentDefinition): readonly Choice[] {
  return (choices ?? (completes === 'event' ? policyEventNames : [])).map((word) => choice(word, ''));
}

function readPaths({ completes, arity }: ArgumentDefinition): Paths {
  return completes === 'file' || completes === 'directory'
    ? { kind: completes, many: arity === 'many' }
    : { kind: 'none' };
}

/** All flags of all places, each once. */
export function allFlags(places: readonly Place[]): readonly Flag[] {
  return [...new Map(places.flatMap((place) => place.flags).map((flag) => [flag.name, flag])).values()];
}

/** Every way to write a flag; one dash is as good as two. */
export function spellings({ name, short }: Flag): readonly string[] {
  return [`--${name}`, `-${name}`, ...(short === undefined ? [] : [`-${short}`])];
}

function choice(word: string, help: string): Choice {
  return { word, help };
}

function readFlag(name: FlagName): Flag {
  const flag: FlagDefinition = flags[name];
  return {
    name,
    help: flag.help,
    value: expectedValue(flag),
    ...(flag.short !== undefined && { short: flag.short }),
  };
}

function expectedValue(flag: FlagDefinition): FlagValue {
  switch (flag.kind) {
    case 'switch':
      return { kind: 'none' };
    case 'choice':
      return { kind: 'choice', choices: flag.choices };
    case 'optional':
      return { kind: 'optional' };
    case 'text':
    case 'count':
    case 'list':
      switch (flag.value) {
        case '<file>':
          return { kind: 'file' };
        case '<dir>':
          return { kind: 'directory' };
        default:
          return { kind: 'text' };
      }
  }
}
