import { describe, expect, it } from 'vitest';
import { commandNames, commands, session } from './commands.ts';
import { flagNames } from './flags.ts';
import { parseCommandLine } from './parse.ts';

const noFlags = {
  continue: false,
  forkSession: false,
  noHooks: false,
  noProjectHooks: false,
  trustProjectHooks: false,
  bare: false,
  version: false,
  allowedTools: [],
  addDir: [],
};
const fresh = { kind: 'new' } as const;
const interactive = { kind: 'interactive' } as const;
const print = (prompt?: string, outputFormat = 'text') =>
  prompt === undefined ? { kind: 'print', outputFormat } : { kind: 'print', prompt, outputFormat };

describe('a session', () => {
  it.each([
    ['nothing', [], interactive, fresh, {}],
    ['-p with a prompt', ['-p', 'hello'], print('hello'), fresh, { print: { value: 'hello' } }],
    ['--print=', ['--print=hello'], print('hello'), fresh, { print: { value: 'hello' } }],
    ['-p alone, for stdin', ['-p'], print(), fresh, { print: {} }],
    ['-p with an empty prompt, for stdin', ['-p', ''], print(), fresh, { print: {} }],
    ['-p before other flags', ['-p', '-bare', 'hello'], print('hello'), fresh, { print: {}, bare: true }],
    [
      'a prompt that names a command',
      ['-p', 'doctor'],
      print('doctor'),
      fresh,
      { print: { value: 'doctor' } },
    ],
    [
      'a prompt with a leading dash',
      ['-p', '- fix it'],
      print('- fix it'),
      fresh,
      { print: { value: '- fix it' } },
    ],
    ['a prompt like a flag, after --', ['-p', '--', '--help'], print('--help'), fresh, { print: {} }],
    ['a prompt with an equals sign', ['-p=a=b'], print('a=b'), fresh, { print: { value: 'a=b' } }],
    [
      'a prompt of several lines',
      ['-p=one\ntwo'],
      print('one\ntwo'),
      fresh,
      { print: { value: 'one\ntwo' } },
    ],
    [
      '--output-format',
      ['-p', 'x', '-output-format', 'stream-json'],
      print('x', 'stream-json'),
      fresh,
      { print: { value: 'x' }, outputFormat: 'stream-json' },
    ],
    ['-continue', ['-continue'], interactive, { kind: 'latest', fork: false }, { continue: true }],
    ['-resume to choose', ['-resume'], interactive, { kind: 'choose', fork: false }, { resume: {} }],
    [
      '-resume with an id and a prompt',
      ['-resume', 'abc', '-p', 'go on'],
      print('go on'),
      { kind: 'session', id: 'abc', fork: false },
      { resume: { value: 'abc' }, print: { value: 'go on' } },
    ],
    [
      '--resume=id as a copy',
      ['--resume=abc', '--fork-session'],
      interactive,
      { kind: 'session', id: 'abc', fork: true },
      { resume: { value: 'abc' }, forkSession: true },
    ],
    ['-no-hooks with one dash', ['-no-hooks'], interactive, fresh, { noHooks: true }],
    ['--no-hooks with two', ['--no-hooks'], interactive, fresh, { noHooks: true }],
    ['lists, repeated', ['--add-dir', 'a,b', '--add-dir=c'], interactive, fresh, { addDir: ['a,b', 'c'] }],
    [
      'rules with commas inside and between',
      ['--allowed-tools', 'read_file, run_shell(echo a,b)', '--allowed-tools', 'glob_search'],
      interactive,
      fresh,
      { allowedTools: ['read_file', 'run_shell(echo a,b)', 'glob_search'] },
    ],
    [
      'the last of a repeated value',
      ['--model', 'a/b', '--model', 'c/d'],
      interactive,
      fresh,
      { model: 'c/d' },
    ],
    [
      'numbers and choices',
      ['--max-turns', '12', '--permission-mode', 'plan'],
      interactive,
      fresh,
      { maxTurns: 12, permissionMode: 'plan' },
    ],
  ])('understands %s', (_, argv, mode, open, flags) => {
    expect(parseCommandLine(argv)).toEqual({ kind: 'run', mode, open, flags: { ...noFlags, ...flags } });
  });

  it.each([
    ['--modle', ['--modle', 'x'], 'unknown flag --modle; did you mean --model?'],
    ['a flag like none', ['--zzzzzz'], 'unknown flag --zzzzzz'],
    ['a missing value', ['--model'], '--model needs a value: --model <provider>/<name>'],
    ['an empty value', ['--cwd='], '--cwd needs a value: --cwd <dir>'],
    [
      'a flag in place of a value',
      ['--model', '--bare'],
      '--model needs a value: --model <provider>/<name>; if --bare is meant as its value, write --model=--bare',
    ],
    ['a value for a switch', ['--bare=no'], '--bare is a switch and takes no value'],
    [
      'a wrong choice',
      ['-p', 'x', '--output-format', 'jsn'],
      '--output-format takes text, json, stream-json, not jsn; did you mean json?',
    ],
    ['zero', ['--max-turns', '0'], '--max-turns takes a whole number from 1, not 0'],
    ['a fraction', ['--max-turns=1.5'], '--max-turns takes a whole number from 1, not 1.5'],
    ['words for a number', ['--max-turns', 'many'], '--max-turns takes a whole number from 1, not many'],
    [
      'two prompts',
      ['-p', 'a', 'b'],
      'one prompt at a time, but there are 2; put the whole prompt in quotes',
    ],
    [
      'two sessions to open',
      ['-continue', '-resume'],
      '--resume [id] and --continue cannot be given together',
    ],
    [
      'a copy of nothing',
      ['--fork-session'],
      '--fork-session needs -resume or -continue: it says to work on a copy of that session',
    ],
    [
      'a format without a result',
      ['--output-format', 'json'],
      '--output-format needs -p: only a run without a screen prints its result',
    ],
    [
      'trust and no hooks at once',
      ['--no-project-hooks', '--trust-project-hooks'],
      '--no-project-hooks and --trust-project-hooks cannot be given together',
    ],
    ['a flag of a command', ['--tool', 'x'], '--tool belongs to codey hooks test; codey does not take it'],
  ])('refuses %s', (_, argv, message) => {
    expect(parseCommandLine(argv)).toEqual({
      kind: 'error',
      message: `${message}\ncodey --help shows what there is`,
    });
  });
});

describe('a command', () => {
  const test = { json: false, dryRun: false, trustProjectHooks: false };
  it.each([
    ['setup', ['setup'], 'setup', {}, {}],
    ['a flag before it', ['--cwd', 'x', 'sessions', '-json'], 'sessions', {}, { json: true, cwd: 'x' }],
    ['files', ['hooks', 'validate', 'a', 'b'], 'hooks validate', { files: ['a', 'b'] }, { json: false }],
    ['no files', ['hooks', 'validate'], 'hooks validate', { files: [] }, { json: false }],
    [
      'an event and its input',
      ['hooks', 'test', 'PreToolUse', '--tool', 'run_shell', '--input', '{"command":"-x"}'],
      'hooks test',
      { event: 'PreToolUse' },
      { ...test, tool: 'run_shell', input: '{"command":"-x"}' },
    ],
    ['fixtures', ['hooks', 'test', '--fixtures', 'dir'], 'hooks test', {}, { ...test, fixtures: 'dir' }],
    [
      'an optional argument',
      ['hooks', 'why', 'call-1'],
      'hooks why',
      { call: 'call-1' },
      { last: false, json: false },
    ],
    [
      'a dialect',
      ['hooks', 'import', 'claude', '--dry-run'],
      'hooks import',
      { dialect: 'claude' },
      { dryRun: true },
    ],
    [
      'a program with flags of its own',
      ['mcp', 'add', 'files', '--env', 'A=1', '--', 'npx', '-y', 'server'],
      'mcp add',
      { name: 'files', command: ['npx', '-y', 'server'] },
      { header: [], env: ['A=1'] },
    ],
    [
      'an address',
      ['mcp', 'add', 'wiki', '--url', 'https://mcp.example.com'],
      'mcp add',
      { name: 'wiki', command: [] },
      { header: [], env: [], url: 'https://mcp.example.com' },
    ],
  ])('understands %s', (_, argv, command, args, flags) => {
    expect(parseCommandLine(argv)).toEqual({ kind: 'command', command, arguments: args, flags });
  });

  it.each([
    ['an unknown one', ['hoks'], 'unknown command hoks; did you mean hooks?', 'codey'],
    [
      'a prompt without -p',
      ['fix the tests'],
      '"fix the tests" is not a command; to run it as a prompt: codey -p "fix the tests"',
      'codey',
    ],
    [
      'an unknown second word',
      ['hooks', 'tset'],
      'hooks has no command tset; did you mean test?',
      'codey hooks',
    ],
    [
      'a second word that is a command of its own',
      ['hooks', 'rehearse'],
      'hooks has no command rehearse; there is codey rehearse',
      'codey hooks',
    ],
    [
      'a missing second word',
      ['plugin'],
      'plugin needs one more word: list, install, validate, enable, disable, remove',
      'codey plugin',
    ],
    ['a name of an object property', ['constructor'], 'unknown command constructor', 'codey'],
    [
      'a missing argument',
      ['mcp', 'remove'],
      '<name> is missing: as shown by codey mcp list',
      'codey mcp remove',
    ],
    ['a word too many', ['rehearse', 'a', 'b'], 'one word too many: b', 'codey rehearse'],
    ['a wrong argument', ['hooks', 'import', 'x'], '<dialect> is claude, not x', 'codey hooks import'],
    ['neither event nor fixtures', ['hooks', 'test'], 'give <event> or --fixtures <dir>', 'codey hooks test'],
    [
      'both input and payload',
      ['hooks', 'test', 'Stop', '--input', '{}', '--payload', 'f'],
      '--input <json> and --payload <file> cannot be given together',
      'codey hooks test',
    ],
    [
      'a program and an address',
      ['mcp', 'add', 'a', '--url', 'u', '--', 'b'],
      '<command> and --url <url> cannot be given together',
      'codey mcp add',
    ],
    [
      'a flag of another command',
      ['doctor', '--model', 'x/y'],
      '--model belongs to codey; codey doctor does not take it',
      'codey doctor',
    ],
  ])('refuses %s', (_, argv, message, helper) => {
    expect(parseCommandLine(argv)).toEqual({
      kind: 'error',
      message: `${message}\n${helper} --help shows what there is`,
    });
  });
});

describe('help and version', () => {
  it.each([
    [['--version']],
    [['-version']],
    [['-v']],
    [['-p', 'x', '--version']],
    [['--nonsense', '--version']],
  ])('%j asks for the version', (argv) => {
    expect(parseCommandLine(argv)).toEqual({ kind: 'version' });
  });

  it('explains every flag of a session', () => {
    const text = helpOf(['--help']);
    for (const flag of session.flags) expect(text).toContain(`--${flag}`);
  });

  it('names every command', () => {
    const text = helpOf(['help']);
    for (const name of commandNames) for (const word of name.split(' ')) expect(text).toContain(word);
  });

  it.each(commandNames)('explains %s with its flags and examples', (name) => {
    const text = helpOf([...name.split(' '), '--help']);
    for (const flag of commands[name].flags) expect(text).toContain(`--${flag}`);
    for (const [line, does] of commands[name].examples) {
      expect(text).toContain(line);
      expect(text).toContain(does);
    }
    expect(helpOf(['help', ...name.split(' ')])).toBe(text);
  });

  it('answers inside a faulty command line', () => {
    expect(helpOf(['hooks', 'test', '--nonsense', '-h'])).toContain('codey hooks test');
  });

  it('suggests for an unknown topic', () => {
    expect(parseCommandLine(['help', 'hoks'])).toMatchObject({ kind: 'error' });
  });

  it('fits narrow terminals', () => {
    const pages = [[], ...commandNames.map((name) => name.split(' ')), ['hooks'], ['mcp'], ['plugin']];
    const lines = pages.flatMap((words) => helpOf([...words, '--help']).split('\n'));
    expect(lines.filter((line) => line.length > 98)).toEqual([]);
  });
});

describe('the tables', () => {
  it('give examples that parse', () => {
    const examples = [session, ...Object.values(commands)].flatMap((definition) => [...definition.examples]);
    for (const [line] of examples) {
      expect([line, parseCommandLine(shellWords(line)).kind]).not.toEqual([line, 'error']);
    }
  });

  it('have a use for every flag', () => {
    const used = new Set<string>([
      ...session.flags,
      ...Object.values(commands).flatMap((one) => [...one.flags]),
    ]);
    expect(flagNames.filter((name) => !used.has(name))).toEqual(['help']);
  });
});

function helpOf(argv: string[]): string {
  const parsed = parseCommandLine(argv);
  if (parsed.kind !== 'help') throw new Error(`no help for ${argv.join(' ')}: ${JSON.stringify(parsed)}`);
  return parsed.text;
}

/** The words after `codey` in an example: quotes as a shell reads them, pipes and redirects left out. */
function shellWords(line: string): string[] {
  const call = line
    .replace(/^.*\| /, '')
    .replace(/ > .*$/, '')
    .replace(/^codey ?/, '');
  return [...call.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  );
}
