// What a shell started as a command is told to run.
import { type OptionTable, readOptions } from './options.ts';
import { unreadOptions, type Wrapped, wrapped } from './wrapped.ts';

/** Shells, which take a command line as an argument or from their input. */
export const shells: ReadonlySet<string> = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh']);

/** `-c` takes the first operand as a command line; without it the first operand is a script, or the input is. */
export function readShell(words: readonly string[], name: string): Wrapped {
  const { options, operands, certain } = readOptions(words.map(shellOption), shell);
  const has = (option: string) => options.some((found) => found.name === option);
  const doubts = [
    ...(certain ? [] : [unreadOptions(name)]),
    ...(has('init-file') || has('rcfile') ? [`${name} reads a file of its own first`] : []),
  ];
  if (has('c')) {
    // A lone dash ends the options, unless `--` has done so before.
    const lines = operands[0] === '-' ? operands.slice(0, 2) : operands.slice(0, 1);
    return wrapped({
      lines,
      doubts: ownGrammar.has(name) ? [...doubts, `${name} has a grammar of its own`] : doubts,
    });
  }
  if (has('version') || has('help')) return wrapped({ transparent: false });
  const [script] = operands[0] === '-' ? operands.slice(1) : operands;
  return wrapped({
    transparent: false,
    doubts:
      has('s') || script === undefined || script === '-' || readsInput(script)
        ? [...doubts, `${name} reads commands from its input`]
        : doubts,
  });
}

/** Lines of these are read as well as bash's grammar can, so that they can be stopped. */
const ownGrammar: ReadonlySet<string> = new Set(['zsh', 'ksh']);

/** `+e` is the opposite of `-e`, and bash takes its long options with one dash too. */
function shellOption(word: string): string {
  if (/^\+[A-Za-z]+$/.test(word)) return `-${word.slice(1)}`;
  const long = word.startsWith('-') ? word.slice(1) : '';
  return [...(shell.longFlags ?? []), ...(shell.longValues ?? [])].includes(long) ? `-${word}` : word;
}

const shell: OptionTable = {
  flags: 'abcefhilmnprstuvxBCEHPTD',
  apart: 'oO',
  longFlags: [
    'debug',
    'debugger',
    'dump-po-strings',
    'dump-strings',
    'help',
    'login',
    'noediting',
    'noprofile',
    'norc',
    'posix',
    'pretty-print',
    'restricted',
    'verbose',
    'version',
  ],
  longValues: ['init-file', 'rcfile'],
};

/** Whether a path stands for what a program gets as input. Where a relative one starts from is not known. */
export function readsInput(path: string): boolean {
  return /(?:^|\/)(?:stdin|fd\/+\d+)$/.test(path.replaceAll(/\/(?:\.?\/)+/g, '/'));
}
