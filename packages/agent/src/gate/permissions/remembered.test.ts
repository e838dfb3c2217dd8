import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CallSubject, type CallView, describeCall } from '@codey/hooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { approvalsFile } from './approvals-file.ts';
import { patternFor, type RememberedApprovals, rememberApprovals } from './remembered.ts';

let folder: string;
let file: string;
let notices: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'codey-approvals-'));
  file = join(folder, 'projects/x/approvals.json');
  notices = [];
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const world = { workspace: '/work/project', cwd: '/work/project', realpath: async (path: string) => path };
const view = (tool: string, subject: CallSubject): Promise<CallView> => describeCall(tool, subject, world);
const line = (text: string) => view('run_shell', { kind: 'command', line: text });
const open = (): Promise<RememberedApprovals> =>
  rememberApprovals({ store: approvalsFile(file), notice: (sentence) => notices.push(sentence) });

describe('remembered approvals [contract.gate.hooks-before-memory]', () => {
  it('hold for the session, and no longer unless kept', async () => {
    const first = await open();
    await first.add('run_shell(make)', 'session');
    await first.add('run_shell(npm test)', 'project');
    expect(first.find(await line('make'))).toEqual(['run_shell(make)']);
    expect(first.find(await line('make && npm test'))).toEqual(['run_shell(make)', 'run_shell(npm test)']);
    const second = await open();
    expect(second.find(await line('make'))).toBeUndefined();
    expect(second.find(await line('npm test'))).toEqual(['run_shell(npm test)']);
    expect(second.list()).toEqual([{ pattern: 'run_shell(npm test)', keep: 'project' }]);
  });

  it('cover whole calls only', async () => {
    const approvals = await open();
    await approvals.add('run_shell(make)', 'session');
    expect(approvals.find(await line('make && rm x'))).toBeUndefined();
    expect(approvals.find(await line('make > x'))).toBeUndefined();
    expect(approvals.find(await line('make $X'))).toBeUndefined();
  });

  it('two sessions keep what either was told', async () => {
    const [one, other] = [await open(), await open()];
    await one.add('a', 'project');
    await other.add('b', 'project');
    await other.add('b', 'project');
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ rules: ['a', 'b'] });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(join(folder, 'projects/x'))).toEqual(['approvals.json']);
  });

  it('many sessions keep what each was told at the same moment', async () => {
    const sessions = await Promise.all(Array.from({ length: 8 }, open));
    await Promise.all(sessions.map((session, index) => session.add(`tool${index}`, 'project')));
    const kept = JSON.parse(await readFile(file, 'utf8')) as { readonly rules: readonly string[] };
    expect([...kept.rules].sort()).toEqual(sessions.map((_, index) => `tool${index}`));
    expect(notices).toEqual([]);
    expect(await readdir(join(folder, 'projects/x'))).toEqual(['approvals.json']);
  });

  it.each(['{', '[]', '{"rules": [1]}'])(
    'a file that holds %s counts for nothing and is left as it is',
    async (text) => {
      await (await open()).add('a', 'project');
      await writeFile(file, text);
      const approvals = await open();
      expect(approvals.list()).toEqual([]);
      await approvals.add('b', 'project');
      expect(await readFile(file, 'utf8')).toBe(text);
      expect(notices).toEqual([
        expect.stringContaining(`${file} is not used: `),
        expect.stringContaining('the approval was not kept: '),
      ]);
      expect(approvals.list()).toEqual([{ pattern: 'b', keep: 'project' }]);
    },
  );

  it('a kept rule that does not parse is left out', async () => {
    await (await open()).add('a', 'project');
    await writeFile(file, '{"rules": ["run_shell(", "a"]}');
    expect((await open()).list()).toEqual([{ pattern: 'a', keep: 'project' }]);
    expect(notices).toEqual([
      'a remembered approval is not used: rule "run_shell(" does not close its bracket',
    ]);
  });
});

describe('the pattern that is offered', () => {
  it.each<[string, string, CallSubject, string | undefined]>([
    ['the command', 'run_shell', { kind: 'command', line: "npm  run 'a b'" }, 'run_shell(npm run a b)'],
    ['what a wrapper starts', 'run_shell', { kind: 'command', line: 'timeout 5 make' }, 'run_shell(make)'],
    [
      'no glob by accident',
      'run_shell',
      { kind: 'command', line: "grep '*' [a" },
      'run_shell(grep \\* \\[a)',
    ],
    ['nothing for two commands', 'run_shell', { kind: 'command', line: 'a && b' }, undefined],
    ['nothing for what is unknown', 'run_shell', { kind: 'command', line: 'a $X' }, undefined],
    ['nothing for a line that writes', 'run_shell', { kind: 'command', line: 'a > b' }, undefined],
    ['the file', 'write_file', { kind: 'path', path: 'src/../src/[id].ts' }, 'write_file(src/\\[id\\].ts)'],
    [
      'the address',
      'web_fetch',
      { kind: 'url', url: 'https://example.com/?a=b' },
      'web_fetch(https://example.com/\\?a=b)',
    ],
    ['the tool', 'spawn', { kind: 'none' }, 'spawn'],
    ['nothing for a name no rule can hold', 'odd tool', { kind: 'none' }, undefined],
  ])('is %s', async (_, tool, subject, expected) => {
    const seen = await view(tool, subject);
    expect(patternFor(seen)).toBe(expected);
  });
});
