// What can be typed after `codey`, from the tables of flags and commands, in the form that all three shells need.
import {
  type CommandDefinition,
  commandGroups,
  commandNames,
  commands,
  flagsOf,
  session,
} from '../../cli/commands.ts';
import { type FlagDefinition, type FlagName, flags } from '../../cli/flags.ts';

export interface Place {
  /** The words before: '' behind the program, `hooks`, `hooks list`. */
  readonly command: string;
  /** Words that may come next, with what they are for. */
  readonly words: readonly Choice[];
  /** Whether a file may come next. */
  readonly files: boolean;
  readonly flags: readonly Flag[];
}

export interface Choice {
  readonly word: string;
  readonly help: string;
}

export interface Flag {
  readonly name: string;
  readonly short?: string;
  readonly help: string;
  /** What comes behind it. */
  readonly value: FlagValue;
}

export type FlagValue =
  | { readonly kind: 'none' }
  /** Something that cannot be listed; it may also be left out of `-p` and `-resume`. */
  | { readonly kind: 'text'; readonly required: boolean }
  | { readonly kind: 'path' }
  | { readonly kind: 'choice'; readonly choices: readonly string[] };

/** Every place in which something can be completed. */
export function completionPlaces(): readonly Place[] {
  const start: Place = {
    command: '',
    words: [
      ...commandNames
        .filter((name) => !name.includes(' '))
        .map((name) => choice(name, commands[name].summary)),
      ...Object.entries(commandGroups).map(([name, about]) => choice(name, about)),
      choice('help', 'explain a command'),
    ],
    files: false,
    flags: flagsOf(session).map(readFlag),
  };
  const groups = Object.keys(commandGroups).map(
    (group): Place => ({
      command: group,
      words: commandNames.flatMap((name) =>
        name.startsWith(`${group} `) ? [choice(name.slice(group.length + 1), commands[name].summary)] : [],
      ),
      files: false,
      flags: [readFlag('help')],
    }),
  );
  const single = commandNames.map((name): Place => {
    const definition: CommandDefinition = commands[name];
    const choices = definition.arguments.flatMap((argument) => argument.choices ?? []);
    return {
      command: name,
      words: choices.map((word) => choice(word, '')),
      files: definition.arguments.length > 0 && choices.length === 0,
      flags: flagsOf(definition).map(readFlag),
    };
  });
  return [start, ...groups, ...single];
}

/** All flags of all places, each once. */
export function allFlags(places: readonly Place[]): readonly Flag[] {
  return [...new Map(places.flatMap((place) => place.flags).map((flag) => [flag.name, flag])).values()];
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
      return { kind: 'text', required: false };
    case 'text':
    case 'count':
    case 'list':
      return /^<(?:file|dir)>$/.test(flag.value) ? { kind: 'path' } : { kind: 'text', required: true };
  }
}
