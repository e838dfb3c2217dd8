import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Decision, DispatchContext, Dispatcher } from '@codey/hooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { announceInstructions } from './announce.ts';
import { importsOf } from './imports.ts';
import { findInstructions } from './load.ts';

let root: string;
let workspace: string;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'instructions-')));
  workspace = join(root, 'work');
  await mkdir(workspace);
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function write(name: string, text: string): Promise<void> {
  await mkdir(dirname(join(workspace, name)), { recursive: true });
  await writeFile(join(workspace, name), text);
}

/** Names relative to the workspace, and the problems with the root taken out. */
async function find(cwd = '.') {
  const { files, problems } = await findInstructions(workspace, join(workspace, cwd));
  return {
    files: files.map(({ file }) => file.slice(workspace.length + 1)),
    problems: problems.map((problem) => problem.replaceAll(`${root}/`, '')),
  };
}

describe('the files that apply', () => {
  it('lie on the way from the root down to the working directory', async () => {
    for (const name of ['AGENTS.md', 'a/AGENTS.md', 'a/b/c/AGENTS.md', 'x/AGENTS.md'])
      await write(name, name);
    expect((await find('a/b/c')).files).toEqual(['AGENTS.md', 'a/AGENTS.md', 'a/b/c/AGENTS.md']);
    expect((await find('..')).files).toEqual(['AGENTS.md']);
  });

  it('are none where nothing is said', async () => {
    await write('AGENTS.md', ' \n');
    expect(await find()).toEqual({ files: [], problems: [] });
  });

  it('never lie outside the workspace, whatever a link says', async () => {
    await writeFile(join(root, 'secret'), 'secret');
    await symlink(join(root, 'secret'), join(workspace, 'AGENTS.md'));
    expect(await find()).toEqual({
      files: [],
      problems: ['work/AGENTS.md is not read: it lies outside the workspace'],
    });
  });

  it('are not waited for where a fifo has the name', async () => {
    execFileSync('mkfifo', [join(workspace, 'AGENTS.md')]);
    const { files, problems } = await find();
    expect(files).toEqual([]);
    expect(problems).toHaveLength(1);
  });
});

describe('what a file imports', () => {
  it('comes behind it, once, from where it lies', async () => {
    await write('AGENTS.md', 'Follow these.\n@docs/style.md\n@./docs/style.md\n@docs/tests.md');
    await write('docs/style.md', '@tests.md');
    await write('docs/tests.md', '@style.md\n@../AGENTS.md');
    expect(await find()).toEqual({ files: ['AGENTS.md', 'docs/style.md', 'docs/tests.md'], problems: [] });
  });

  it('is named where it is missing, leads out or lies too deep', async () => {
    await write('AGENTS.md', '@gone.md\n@../secret\n@1.md');
    await writeFile(join(root, 'secret'), 'secret');
    for (let n = 1; n <= 6; n += 1) await write(`${n}.md`, `@${n + 1}.md`);
    expect(await find()).toEqual({
      files: ['AGENTS.md', '1.md', '2.md', '3.md', '4.md', '5.md'],
      problems: [
        'work/gone.md, which work/AGENTS.md imports, does not exist',
        'secret, which work/AGENTS.md imports, is not read: it lies outside the workspace',
        'work/6.md, which work/5.md imports, is not read: imports are followed 5 files deep',
      ],
    });
  });

  it('is a line of its own outside a code block', () => {
    const text = [
      'ask @name',
      '@a.md',
      '  @b/c.md  ',
      '```',
      '@d.md',
      '```',
      '@e.md and more',
      '~~~sh',
      '```',
      '@f.md',
      '~~~',
      '@g.md',
    ];
    expect(importsOf(text.join('\r\n'))).toEqual(['a.md', 'b/c.md', 'g.md']);
  });
});

describe('the hooks', () => {
  let asked: unknown[];
  let block: string;
  const hooks: Dispatcher = {
    async dispatch(event, payload): Promise<Decision> {
      asked.push({ event, ...payload });
      const denied = (payload as { file_path: string }).file_path.endsWith(block);
      return {
        verdict: denied
          ? { kind: 'deny', reasons: [{ hook: 'h', place: 'p', text: 'not this one' }] }
          : { kind: 'none' },
        rewrittenBy: [],
        contexts: [],
        watchPaths: [{ id: 'hook', paths: ['a'] }],
        reports: [],
      };
    },
  };
  beforeEach(() => {
    asked = [];
    block = 'nothing';
  });

  it('are asked about each file with its reason and path [koder.event.instructionsloaded-on-load] [koder.event.instructionsloaded-payload]', async () => {
    await write('AGENTS.md', '@style.md');
    await write('style.md', 'short');
    const { files } = await findInstructions(workspace, workspace);
    const announced = await announceInstructions(files, 'session_start', hooks, {} as DispatchContext);
    expect(asked).toEqual([
      { event: 'InstructionsLoaded', reason: 'session_start', file_path: join(workspace, 'AGENTS.md') },
      { event: 'InstructionsLoaded', reason: 'import', file_path: join(workspace, 'style.md') },
    ]);
    expect(announced.files).toEqual(files);
    expect(announced.watchPaths).toHaveLength(2);
  });

  it('keep a file out by a block, and with it what it imports [koder.event.instructionsloaded-block]', async () => {
    await write('AGENTS.md', 'general');
    await write('a/AGENTS.md', '@../style.md');
    await write('style.md', 'short');
    block = 'a/AGENTS.md';
    const { files } = await findInstructions(workspace, join(workspace, 'a'));
    const announced = await announceInstructions(files, 'session_start', hooks, {} as DispatchContext);
    expect(announced.files.map(({ text }) => text)).toEqual(['general']);
    expect(announced.leftOut.map(({ reason }) => reason)).toEqual([
      'not this one',
      `${join(workspace, 'a/AGENTS.md')} was left out, which imports it`,
    ]);
    expect(asked).toHaveLength(2);
  });
});
