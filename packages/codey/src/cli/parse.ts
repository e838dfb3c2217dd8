// Turns the arguments of the program into what it was asked to do; touches nothing, prints nothing.
import type { CommandLine, NamedCommandLine, RunCommandLine } from './command-line.ts';
import {
  type CommandDefinition,
  type CommandName,
  commandGroups,
  commandNames,
  commands,
  commandsWithFlag,
  flagsOf,
  session,
} from './commands.ts';
import { camelCase, type FlagDefinition, type FlagName, flags, flagUsage } from './flags.ts';
import { commandHelp, groupHelp, mainHelp } from './help.ts';
import { splitRules } from './rules-list.ts';
import { didYouMean } from './suggest.ts';
import { type Token, tokenise } from './tokens.ts';

/** `argv` without the program: `process.argv.slice(2)`. */
export function parseCommandLine(argv: readonly string[]): CommandLine {
  const tokens = tokenise(argv);
  const words = tokens.flatMap((token) => (token.kind === 'word' ? [token.text] : []));
  if (has(tokens, 'help')) return help(words);
  if (words[0] === 'help') return help(words.slice(1));
  if (has(tokens, 'version')) return { kind: 'version' };
  const bad = tokens.find((token) => token.kind === 'error');
  if (bad !== undefined) return error(bad.message);
  return has(tokens, 'print') || words.length === 0 ? parseRun(tokens, words) : parseCommand(tokens, words);
}

function has(tokens: readonly Token[], name: FlagName): boolean {
  return tokens.some((token) => token.kind === 'flag' && token.name === name);
}

function help(words: readonly string[]): CommandLine {
  const [first] = words;
  if (first === undefined) return { kind: 'help', text: mainHelp() };
  if (Object.hasOwn(commandGroups, first) && words.length === 1)
    return { kind: 'help', text: groupHelp(first) };
  const found = findCommand(words);
  return found.kind === 'found'
    ? { kind: 'help', text: commandHelp(found.name) }
    : error(found.message, found.topic);
}

function parseRun(tokens: readonly Token[], words: readonly string[]): CommandLine {
  const values = readFlags(tokens, session);
  if (values.kind === 'error') return error(values.message);
  const conflict = findConflict(session, values.given);
  if (conflict !== undefined) return error(conflict);
  // The names in the table and in RunCommandLine are the same names: `readFlags` fills what the table says.
  const given = values.flags as RunCommandLine['flags'];
  const prompts = [...printed(tokens), ...words];
  if (prompts.length > 1) {
    return error(`one prompt at a time, but there are ${prompts.length}; put the whole prompt in quotes`);
  }
  if (given.forkSession && given.resume === undefined && !given.continue) {
    return error('--fork-session needs -resume or -continue: it says to work on a copy of that session');
  }
  if (given.outputFormat !== undefined && given.print === undefined) {
    return error('--output-format needs -p: only a run without a screen prints its result');
  }
  const [prompt] = prompts;
  return {
    kind: 'run',
    mode:
      given.print === undefined
        ? { kind: 'interactive' }
        : {
            kind: 'print',
            ...(prompt === undefined ? {} : { prompt }),
            outputFormat: given.outputFormat ?? 'text',
          },
    open: opened(given),
    flags: given,
  };
}

function printed(tokens: readonly Token[]): readonly string[] {
  return tokens.flatMap((token) =>
    token.kind === 'flag' && token.name === 'print' && token.text !== undefined ? [token.text] : [],
  );
}

function opened(given: RunCommandLine['flags']): RunCommandLine['open'] {
  const fork = given.forkSession;
  if (given.continue) return { kind: 'latest', fork };
  if (given.resume === undefined) return { kind: 'new' };
  return given.resume.value === undefined
    ? { kind: 'choose', fork }
    : { kind: 'session', id: given.resume.value, fork };
}

function parseCommand(tokens: readonly Token[], words: readonly string[]): CommandLine {
  const found = findCommand(words);
  if (found.kind === 'error') return error(found.message, found.topic);
  const definition: CommandDefinition = commands[found.name];
  const values = readFlags(tokens, definition, found.name);
  if (values.kind === 'error') return error(values.message, found.name);
  const placed = placeArguments(definition, found.rest);
  if (placed.kind === 'error') return error(placed.message, found.name);
  const conflict = findConflict(definition, [
    ...Object.entries(placed.arguments).flatMap(([name, value]) => (value.length > 0 ? [`<${name}>`] : [])),
    ...values.given,
  ]);
  if (conflict !== undefined) return error(conflict, found.name);
  // One member of the union for each name, filled from the same table its type is derived from.
  return {
    kind: 'command',
    command: found.name,
    arguments: placed.arguments,
    flags: values.flags,
  } as unknown as NamedCommandLine;
}

type FoundCommand =
  | { readonly kind: 'found'; readonly name: CommandName; readonly rest: readonly string[] }
  | { readonly kind: 'error'; readonly message: string; readonly topic?: string };

function findCommand(words: readonly string[]): FoundCommand {
  const [first = '', second] = words;
  const length = Object.hasOwn(commandGroups, first) ? 2 : 1;
  const typed = words.slice(0, length).join(' ');
  const name = commandNames.find((known) => known === typed);
  if (name !== undefined) return { kind: 'found', name, rest: words.slice(length) };
  if (length === 2) {
    const seconds = commandNames.flatMap((known) =>
      known.startsWith(`${first} `) ? [known.slice(first.length + 1)] : [],
    );
    const message =
      second === undefined
        ? `${first} needs one more word: ${seconds.join(', ')}`
        : `${first} has no command ${second}${sayMeant(second, seconds)}`;
    return { kind: 'error', message, topic: first };
  }
  const firsts = [...new Set(commandNames.map((known) => known.split(' ')[0] ?? known)), 'help'];
  const message = /\s/.test(first)
    ? `"${first}" is not a command; to run it as a prompt: codey -p "${first}"`
    : `unknown command ${first}${didYouMean(first, firsts)}`;
  return { kind: 'error', message };
}

/** A word of this group that is near, else a command outside it. */
function sayMeant(word: string, seconds: readonly string[]): string {
  const elsewhere = commandNames.some((known) => known === word);
  return didYouMean(word, seconds) || (elsewhere ? `; there is codey ${word}` : '');
}

type ReadFlags =
  | { readonly kind: 'read'; readonly flags: object; readonly given: readonly FlagName[] }
  | { readonly kind: 'error'; readonly message: string };

/** The flags of one command as values under their camelCase names; the last one of a repeated single value counts. */
function readFlags(tokens: readonly Token[], definition: CommandDefinition, name?: CommandName): ReadFlags {
  const values: Record<string, unknown> = {};
  for (const flag of definition.flags) {
    if (flags[flag].kind === 'switch') values[camelCase(flag)] = false;
    if (flags[flag].kind === 'list') values[camelCase(flag)] = [];
  }
  const given = new Set<FlagName>();
  for (const token of tokens) {
    if (token.kind !== 'flag') continue;
    if (!flagsOf(definition).includes(token.name))
      return { kind: 'error', message: misplaced(token.name, name) };
    const read = readValue(token.name, token.text, values[camelCase(token.name)]);
    if (read.kind === 'error') return read;
    values[camelCase(token.name)] = read.value;
    given.add(token.name);
  }
  return { kind: 'read', flags: values, given: [...given] };
}

function misplaced(flag: FlagName, command: CommandName | undefined): string {
  const homes = [
    ...((session.flags as readonly FlagName[]).includes(flag) ? ['codey'] : []),
    ...commandsWithFlag(flag).map((owner) => `codey ${owner}`),
  ];
  return `--${flag} belongs to ${homes.join(', ')}; codey${command === undefined ? '' : ` ${command}`} does not take it`;
}

type ReadValue =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'error'; readonly message: string };

function readValue(name: FlagName, text: string | undefined, before: unknown): ReadValue {
  const flag: FlagDefinition = flags[name];
  const value = (read: unknown): ReadValue => ({ kind: 'value', value: read });
  switch (flag.kind) {
    case 'switch':
      return value(true);
    case 'optional':
      return value(text === undefined ? {} : { value: text });
    case 'text':
      return value(text);
    case 'list':
      return value([...(before as readonly string[]), ...(flag.commas ? splitRules(text ?? '') : [text])]);
    case 'count':
      return /^[1-9]\d{0,8}$/.test(text ?? '')
        ? value(Number(text))
        : { kind: 'error', message: `--${name} takes a whole number from 1, not ${text}` };
    case 'choice':
      return flag.choices.includes(text ?? '')
        ? value(text)
        : {
            kind: 'error',
            message: `--${name} takes ${flag.choices.join(', ')}, not ${text}${didYouMean(text ?? '', flag.choices)}`,
          };
  }
}

type PlacedArguments =
  | { readonly kind: 'placed'; readonly arguments: Readonly<Record<string, string | readonly string[]>> }
  | { readonly kind: 'error'; readonly message: string };

function placeArguments(definition: CommandDefinition, words: readonly string[]): PlacedArguments {
  const placed: Record<string, string | readonly string[]> = {};
  const rest = [...words];
  for (const argument of definition.arguments) {
    if (argument.arity === 'many') {
      placed[argument.name] = rest.splice(0);
      continue;
    }
    const word = rest.shift();
    if (word === undefined) {
      if (argument.arity === 'one')
        return { kind: 'error', message: `<${argument.name}> is missing: ${argument.help}` };
      continue;
    }
    if (argument.choices !== undefined && !argument.choices.includes(word)) {
      const guess = didYouMean(word, argument.choices);
      return {
        kind: 'error',
        message: `<${argument.name}> is ${argument.choices.join(' or ')}, not ${word}${guess}`,
      };
    }
    placed[argument.name] = word;
  }
  return rest.length === 0
    ? { kind: 'placed', arguments: placed }
    : { kind: 'error', message: `one word too many: ${rest[0]}` };
}

/** `given` holds flag names, and argument names in angle brackets. */
function findConflict(definition: CommandDefinition, given: readonly string[]): string | undefined {
  for (const set of definition.exclusive ?? []) {
    const both = set.filter((name) => given.includes(name));
    if (both.length > 1) return `${both.map(spelled).join(' and ')} cannot be given together`;
  }
  for (const set of definition.oneOf ?? []) {
    if (!set.some((name) => given.includes(name))) return `give ${set.map(spelled).join(' or ')}`;
  }
  return undefined;
}

function spelled(name: string): string {
  return name.startsWith('<') ? name : flagUsage(name as FlagName);
}

function error(message: string, topic?: string): CommandLine {
  const where = topic === undefined ? 'codey --help' : `codey ${topic} --help`;
  return { kind: 'error', message: `${message}\n${where} shows what there is` };
}
