// Turns arguments into words and named flags, before anything is known about commands.
import { type FlagDefinition, type FlagName, flagNames, flags, flagUsage } from './flags.ts';
import { didYouMean } from './suggest.ts';

export type Token =
  | { readonly kind: 'word'; readonly text: string }
  /** The text is absent for a switch, and for an optional value that was left out. */
  | { readonly kind: 'flag'; readonly name: FlagName; readonly text?: string }
  | { readonly kind: 'error'; readonly message: string };

/** Reads `-flag`, `--flag`, `--flag value` and `--flag=value`; after `--` everything is a word. */
export function tokenise(argv: readonly string[]): readonly Token[] {
  const tokens: Token[] = [];
  const rest = [...argv];
  for (let argument = rest.shift(); argument !== undefined; argument = rest.shift()) {
    if (argument === '--') {
      return [...tokens, ...rest.map((text): Token => ({ kind: 'word', text }))];
    }
    tokens.push(looksLikeFlag(argument) ? readFlag(argument, rest) : { kind: 'word', text: argument });
  }
  return tokens;
}

/** A prompt such as "- fix this" or a number such as -1 is a word. */
function looksLikeFlag(argument: string): boolean {
  return /^--?[A-Za-z][\w-]*(=|$)/.test(argument);
}

/** Takes the flag's value from the rest where it needs one. */
function readFlag(argument: string, rest: string[]): Token {
  const [, typed = '', attached] = /^--?([^=]*)(?:=(.*))?$/s.exec(argument) ?? [];
  const name = flagNames.find((known) => known === typed || shortOf(known) === typed);
  if (name === undefined) {
    return { kind: 'error', message: `unknown flag ${dashed(typed)}${didYouMean(typed, flagNames, dashed)}` };
  }
  switch (flags[name].kind) {
    case 'switch':
      return attached === undefined
        ? { kind: 'flag', name }
        : { kind: 'error', message: `--${name} is a switch and takes no value` };
    case 'optional': {
      const text = attached ?? takeValue(rest);
      return text === undefined || text === '' ? { kind: 'flag', name } : { kind: 'flag', name, text };
    }
    case 'text':
    case 'count':
    case 'choice':
    case 'list': {
      const text = attached ?? takeValue(rest);
      return text === undefined || text === '' ? missingValue(name, rest[0]) : { kind: 'flag', name, text };
    }
  }
}

function takeValue(rest: string[]): string | undefined {
  return rest[0] === undefined || rest[0] === '--' || looksLikeFlag(rest[0]) ? undefined : rest.shift();
}

function missingValue(name: FlagName, next: string | undefined): Token {
  const hint =
    next === undefined || next === '--' ? '' : `; if ${next} is meant as its value, write --${name}=${next}`;
  return { kind: 'error', message: `--${name} needs a value: ${flagUsage(name)}${hint}` };
}

function shortOf(name: FlagName): string | undefined {
  const flag: FlagDefinition = flags[name];
  return flag.short;
}

function dashed(name: string): string {
  return name.length === 1 ? `-${name}` : `--${name}`;
}
