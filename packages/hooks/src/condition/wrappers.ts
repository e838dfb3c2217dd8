// Commands whose job is to start another command: which one, and from which words.
import { unknownPart } from './glob.ts';
import { type OptionTable, readOptions } from './options.ts';

/** What a command starts, as far as its words tell. */
export interface Wrapped {
  /** Commands given as words. */
  readonly commands: readonly (readonly string[])[];
  /** Command lines given as one string, which a shell will read again. */
  readonly lines: readonly string[];
  /** Variables it sets for what it starts. */
  readonly assigned: readonly string[];
  /** True where it does nothing of its own, so that whoever allows what it starts has allowed it too. */
  readonly transparent: boolean;
  /** Why the commands it starts are not all known; empty where they are. */
  readonly doubts: readonly string[];
}

/** Undefined for a command that starts no other one. */
export function unwrap(words: readonly string[]): Wrapped | undefined {
  const name = baseName(words[0] ?? '');
  const reader = Object.hasOwn(readers, name) ? readers[name] : undefined;
  return reader?.(words.slice(1), name);
}

/** The last part of a path: `/usr/bin/git` is git. */
export function baseName(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1);
}

/** Shells, which take a command line as an argument or from their input. */
export const shells: ReadonlySet<string> = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh']);

type Reader = (words: readonly string[], name: string) => Wrapped;

const shell: OptionTable = {
  flags: 'abcefhiklmnprstuvxBCEHPTD',
  values: 'oO',
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
  nohup: prefix({}),
  command: readCommandBuiltin,
  builtin: prefix({}),
  time: prefix({
    flags: 'aplvqhV',
    values: 'fo',
    longFlags: ['append', 'portability', 'quiet', 'verbose'],
    longValues: ['format', 'output'],
  }),
  exec: prefix({ flags: 'cl', values: 'a' }),
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
  eval: (words) => wrapped({ lines: [words.join(' ')] }),
  trap: (words) =>
    wrapped({ lines: words.slice(0, 1).filter((word) => !word.startsWith('-')), transparent: false }),
  ...Object.fromEntries([...shells].map((name) => [name, readShell])),
};

function wrapped(found: Partial<Wrapped>): Wrapped {
  return { commands: [], lines: [], assigned: [], transparent: true, doubts: [], ...found };
}

interface PrefixTable extends OptionTable {
  /** Operands that come before the command. */
  readonly skip?: number;
  /** `NAME=value` operands may stand before the command. */
  readonly assignments?: boolean;
  readonly transparent?: boolean;
}

/** A command that has its own options first and the other command's words behind them. */
function prefix(table: PrefixTable): Reader {
  return (words, name) => {
    const { operands, certain } = readOptions(words, table);
    const behind = operands.slice(table.skip ?? 0);
    const { assigned, rest } =
      table.assignments === true ? splitAssignments(behind) : { assigned: [], rest: behind };
    return wrapped({
      commands: rest.length > 0 ? [rest] : [],
      assigned,
      transparent: rest.length > 0 && (table.transparent ?? true),
      doubts: certain ? [] : [unreadOptions(name)],
    });
  };
}

function unreadOptions(name: string): string {
  return `the options of ${name} could not all be read`;
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
  return wrapped({
    commands: split === undefined && rest.length > 0 ? [rest] : [],
    lines: split === undefined ? [] : [[split.value ?? '', ...operands].join(' ')],
    assigned,
    transparent: split !== undefined || rest.length > 0,
    doubts: [
      ...(certain ? [] : [unreadOptions('env')]),
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
        ? [...command, unknownPart]
        : command.map((word) => word.replaceAll(mark, unknownPart)),
    ],
    doubts: certain ? [] : [unreadOptions('xargs')],
  });
}

function readFind(words: readonly string[]): Wrapped {
  const commands: (readonly string[])[] = [];
  for (let at = 0; at < words.length; at++) {
    if (!['-exec', '-execdir', '-ok', '-okdir'].includes(words[at] ?? '')) continue;
    const start = at + 1;
    while (at + 1 < words.length && words[at + 1] !== ';' && !(words[at + 1] === '+' && words[at] === '{}'))
      at++;
    commands.push(words.slice(start, at + 1).map((word) => word.replaceAll('{}', unknownPart)));
  }
  return wrapped({ commands: commands.filter((command) => command.length > 0), transparent: false });
}

/** `-c` takes the first operand as a command line; without it the first operand is a script, or the input is. */
function readShell(words: readonly string[], name: string): Wrapped {
  const { options, operands, certain } = readOptions(
    words.map((word) => (/^\+[A-Za-z]+$/.test(word) ? `-${word.slice(1)}` : word)),
    shell,
  );
  const has = (option: string) => options.some((found) => found.name === option);
  const doubts = certain ? [] : [unreadOptions(name)];
  if (has('c')) {
    const line = operands[0];
    return wrapped({ lines: line === undefined ? [] : [line], doubts });
  }
  if (has('version') || has('help')) return wrapped({ transparent: false });
  const readsInput = has('s') || operands.length === 0 || operands[0] === '-' || operands[0] === '/dev/stdin';
  return wrapped({
    transparent: false,
    doubts: readsInput ? [...doubts, `${name} reads commands from its input`] : doubts,
  });
}
