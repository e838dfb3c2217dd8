import { describe, expect, it } from 'vitest';
import type { Block } from '../state/block.ts';
import { conversationText } from './export.ts';
import { touchedFiles } from './files.ts';
import { commands, readCommand } from './registry.ts';
import { sessionItems } from './resume.ts';
import { codeBlock } from './table.ts';

describe('what is typed', () => {
  it.each([
    ['/help', 'help', ''],
    ['/rename the bill', 'rename', 'the bill'],
    ['  /model x/y  ', 'model', 'x/y'],
    ['/perm', 'permissions', ''],
  ])('%j is a command', (text, name, argument) => {
    expect(readCommand(text)).toMatchObject({ kind: 'command', command: { name }, argument });
  });

  it.each(['hello', '/etc/hosts is broken', '/ why', 'see /help'])('%j is a prompt', (text) => {
    expect(readCommand(text)).toEqual({ kind: 'prompt' });
  });

  it('a name that means something to the session is a prompt, unless codey has a command of that name', () => {
    const names = ['review', 'perm', 'help'];
    expect(readCommand('/review it', commands, names)).toEqual({ kind: 'prompt' });
    expect(readCommand('/perm', commands, names)).toEqual({ kind: 'prompt' });
    expect(readCommand('/help', commands, names)).toMatchObject({
      kind: 'command',
      command: { name: 'help' },
    });
  });

  it.each([
    ['/nothing', '.'],
    ['/re', '.'],
    ['/pears', '; did you mean /peers?'],
    ['/reviewe it', '; did you mean /review?'],
  ])('%j is nothing', (text, likely) => {
    const [name = ''] = text.split(' ');
    expect(readCommand(text, commands, ['review'])).toEqual({
      kind: 'unknown',
      message: `There is no command ${name}${likely} /help lists them all.`,
    });
  });
});

it('offers every command by a name of its own', () => {
  const names = commands.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toEqual(
    expect.arrayContaining(
      'help hooks status model permissions resume clear rename export usage context files diff pause quit agents fork peers tasks compact cd brief skills mcp plugin setup'.split(
        ' ',
      ),
    ),
  );
});

const call = (tool: string, path: string, failed = false): Block => ({
  kind: 'call',
  key: 1,
  agent: 'main',
  id: path,
  tool,
  input: { path, content: 'x' },
  startedAt: 0,
  tail: [],
  hooks: [],
  end: { kind: 'done', output: 'ok', failed, ms: 1 },
});

it('knows which files were read and changed', () => {
  const blocks = [
    call('read_file', 'a'),
    call('write_file', 'a'),
    call('read_file', 'b'),
    call('write_file', 'c', true),
    call('list_directory', 'd'),
  ];
  expect(touchedFiles(blocks)).toEqual([
    { file: 'a', changed: true },
    { file: 'b', changed: false },
  ]);
});

it('writes what was said and done, not what the screen told', () => {
  const text = conversationText('Bill', [
    { kind: 'prompt', key: 1, text: 'fix it' },
    { kind: 'notice', key: 2, tone: 'plain', text: 'noise' },
    call('read_file', 'a.ts'),
    { kind: 'answer', key: 4, agent: 'main', text: 'Done.', done: true },
  ]);
  expect(text).toBe(
    '# Bill\n\n## You\n\nfix it\n\n**read_file** a.ts\n\n```\nok\n```\n\n## Codey\n\nDone.\n',
  );
});

it('fences code whatever fences are in it', () => {
  expect(codeBlock('a\n````\nb')).toBe('`````\na\n````\nb\n`````');
});

it('lists sessions that can be gone on with', () => {
  const session = { cwd: '/w', time: '2026-01-15T09:30:00.000Z', live: false };
  const items = sessionItems(
    [
      { ...session, id: 'now', firstPrompt: 'x', begun: true },
      { ...session, id: 'a', firstPrompt: 'fix', begun: true, live: true },
      { ...session, id: 'b', begun: false },
      { ...session, id: 'c', begun: true },
    ],
    'now',
  );
  expect(items).toEqual([
    { value: 'a', label: 'fix', detail: '2026-01-15 09:30 · open' },
    { value: 'c', label: '(no prompt)', detail: '2026-01-15 09:30' },
  ]);
});
