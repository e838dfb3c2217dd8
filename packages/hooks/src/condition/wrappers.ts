// Commands whose job is to start another command: which one, and from which words.
import { unknownPart } from './glob.ts';
import { maybeSeveral, splitPart } from './marks.ts';
import { type OptionTable, readOptions } from './options.ts';
import { readFind } from './read-find.ts';
import { readShell, shells } from './read-shell.ts';
import { hasOption, unreadOptions, type Wrapped, wrapped } from './wrapped.ts';

/**
 * Undefined for a command that starts no other one. A program given by its path may be any of that name: what it would
 * start is read, so that it can be stopped, and the program is a command of its own.
 */
export function unwrap(words: readonly string[]): Wrapped | undefined {
  const name = baseName(words[0] ?? '');
  const reader = Object.hasOwn(readers, name) ? readers[name] : undefined;
  const found = reader?.(words.slice(1), name);
  return found !== undefined && words[0]?.includes('/') === true ? { ...found, transparent: false } : found;
}

/** The last part of a path: `/usr/bin/git` is git. */
export function baseName(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1);
}

type Reader = (words: readonly string[], name: string) => Wrapped;

const readers: Readonly<Record<string, Reader>> = {
  env: readEnv,
  timeout: prefix({
    flags: 'fpv',
    values: 'ks',
    longFlags: ['foreground', 'preserve-status', 'verbose'],
    longValues: ['kill-after', 'signal'],
    skip: 1,
  }),
  nice: prefix({ flags: '0123456789', values: 'n', longValues: ['adjustment'] }),
  // Where its output is a terminal it writes a file.
  nohup: prefix({ transparent: false }),
  command: readCommandBuiltin,
  builtin: prefix({}),
  time: prefix({
    flags: 'aplvqhV',
    values: 'fo',
    longFlags: ['append', 'portability', 'quiet', 'verbose'],
    longValues: ['format', 'output'],
    acts: ['o', 'output'],
  }),
  // Some programs go by the name they are started under.
  exec: prefix({ flags: 'cl', values: 'a', acts: ['a'] }),
  setsid: prefix({ flags: 'cfw', longFlags: ['ctty', 'fork', 'wait'] }),
  stdbuf: prefix({ values: 'ioe', longValues: ['input', 'output', 'error'] }),
  doas: prefix({ flags: 'Lns', values: 'aCu', transparent: false }),
  sudo: prefix({
    flags: 'ABbEeHiKklNnPSsVv',
    values: 'aCcDghpRrTtUu',
    longFlags: [
      'askpass',
      'background',
      'bell',
      'edit',
      'help',
      'list',
      'login',
      'no-update',
      'non-interactive',
      'preserve-env',
      'preserve-groups',
      'remove-timestamp',
      'reset-timestamp',
      'set-home',
      'shell',
      'stdin',
      'validate',
      'version',
    ],
    longValues: [
      'auth-type',
      'chdir',
      'chroot',
      'close-from',
      'command-timeout',
      'group',
      'host',
      'login-class',
      'other-user',
      'prompt',
      'role',
      'type',
      'user',
    ],
    assignments: true,
    transparent: false,
  }),
  xargs: readXargs,
  find: readFind,
  eval: (words) => wrapped({ lines: [(words[0] === '--' ? words.slice(1) : words).join(' ')] }),
  trap: readTrap,
  ...Object.fromEntries([...shells].map((name) => [name, readShell])),
};

interface PrefixTable extends OptionTable {
  /** Operands that come before the command. */
  readonly skip?: number;
  /** `NAME=value` operands may stand before the command. */
  readonly assignments?: boolean;
  /** Options with which it does something of its own, such as writing a file. */
  readonly acts?: readonly string[];
  readonly transparent?: boolean;
}

/** A command that has its own options first and the other command's words behind them. */
function prefix(table: PrefixTable): Reader {
  return (words, name) => {
    const { options, operands, certain } = readOptions(words, table);
    const behind = operands.slice(table.skip ?? 0);
    const { assigned, rest } =
      table.assignments === true ? splitAssignments(behind) : { assigned: [], rest: behind };
    return wrapped({
      commands: rest.length > 0 ? [rest] : [],
      assigned,
      transparent: rest.length > 0 && (table.transparent ?? true) && !hasOption(options, table.acts ?? []),
      doubts: certain && !mayMove(words, rest) ? [] : [unreadOptions(name)],
    });
  };
}

/** Whether the words before a command may come to more or fewer, so that another word is its name. */
function mayMove(words: readonly string[], command: readonly string[]): boolean {
  return words.slice(0, words.length - command.length).some(maybeSeveral);
}

function splitAssignments(words: readonly string[]): {
  readonly assigned: readonly string[];
  readonly rest: readonly string[];
} {
  const first = words.findIndex((word) => !word.includes('='));
  const count = first === -1 ? words.length : first;
  return {
    assigned: words.slice(0, count).map((word) => word.slice(0, word.indexOf('='))),
    rest: words.slice(count),
  };
}

function readEnv(words: readonly string[]): Wrapped {
  const { options, operands, certain } = readOptions(words, {
    flags: 'i0v',
    values: 'uCSPa',
    longFlags: ['ignore-environment', 'null', 'debug', 'list-signal-handling'],
    longValues: ['unset', 'chdir', 'split-string', 'argv0'],
  });
  // A lone dash is the old spelling of -i.
  const { assigned, rest } = splitAssignments(operands[0] === '-' ? operands.slice(1) : operands);
  const split = options.find(
    ({ name }) => name === 'S' || (name.length > 1 && 'split-string'.startsWith(name)),
  );
  const moves = hasOption(options, ['C', 'chdir']);
  return wrapped({
    commands: split === undefined && rest.length > 0 ? [rest] : [],
    lines: split === undefined ? [] : [[split.value ?? '', ...operands].join(' ')],
    assigned,
    transparent: (split !== undefined || rest.length > 0) && !moves && !hasOption(options, ['a', 'argv0']),
    doubts: [
      ...(certain && !mayMove(words, rest) ? [] : [unreadOptions('env')]),
      ...(moves ? ['env starts a command in another directory'] : []),
      ...(split === undefined ? [] : ['env -S splits its string by rules of its own']),
    ],
  });
}

/** `command -v git` looks git up and starts nothing. */
function readCommandBuiltin(words: readonly string[]): Wrapped {
  const { options, operands, certain } = readOptions(words, { flags: 'pvV' });
  const runs = operands.length > 0 && !options.some(({ name }) => name === 'v' || name === 'V');
  return wrapped({
    commands: runs ? [operands] : [],
    transparent: runs,
    doubts: certain ? [] : [unreadOptions('command')],
  });
}

/** The words xargs reads come behind the command, or in place of the mark that `-I` names. */
function readXargs(words: readonly string[]): Wrapped {
  const { options, operands, certain } = readOptions(words, {
    flags: '0oprtx',
    values: 'adEIJLnPRSs',
    attached: 'eil',
    longFlags: [
      'null',
      'open-tty',
      'interactive',
      'no-run-if-empty',
      'verbose',
      'exit',
      'show-limits',
      'eof',
      'replace',
      'max-lines',
    ],
    longValues: ['arg-file', 'delimiter', 'max-args', 'max-procs', 'max-chars', 'process-slot-var'],
  });
  const replace = options.find(({ name }) => ['I', 'J', 'i', 'replace'].includes(name));
  const mark = replace === undefined ? undefined : replace.value || '{}';
  const command = operands.length > 0 ? operands : ['echo'];
  return wrapped({
    commands: [
      mark === undefined
        ? [...command, splitPart]
        : command.map((word) => word.replaceAll(mark, unknownPart)),
    ],
    transparent: !hasOption(options, ['a', 'arg-file', 'process-slot-var']),
    doubts: certain ? [] : [unreadOptions('xargs')],
  });
}

/** `trap - EXIT` puts a signal back, and the options only list. */
function readTrap(words: readonly string[]): Wrapped {
  const [line] =
    words[0] === '--' ? words.slice(1) : words.filter((word) => !word.startsWith('-') || word === '-');
  return wrapped({
    lines: line === undefined || line === '-' ? [] : [line],
    transparent: false,
  });
}
