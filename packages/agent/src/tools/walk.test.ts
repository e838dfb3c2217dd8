import { execFileSync } from 'node:child_process';
import { chmod, symlink } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createToolWorld, type ToolWorld } from './tool-world.ts';
import { createWalk } from './walk.ts';

let world: ToolWorld;
beforeEach(async () => {
  world = await createToolWorld();
});
afterEach(() => world.dispose());

async function walk(start = world.workspace): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const files of createWalk(start, world.context.signal).files()) {
    found.push(...files.map(({ path }) => path));
  }
  return found;
}

/** What Git itself lists: tracked or not, but not ignored. */
function gitFiles(): readonly string[] {
  execFileSync('git', ['init', '-q'], { cwd: world.workspace });
  const listed = execFileSync('git', ['ls-files', '-zco', '--exclude-standard'], { cwd: world.workspace });
  return listed.toString().split('\0').filter(Boolean).toSorted();
}

describe('a walk', () => {
  const ignores: readonly (readonly [string, string])[] = [
    ['names', 'a.log\nbuild\n'],
    ['directories only', 'build/\nfile/\n'],
    ['patterns', '*.log\n?.tmp\n[ab].x\n'],
    ['paths', '/a.log\nsrc/build\nsrc/*.log\n'],
    ['any depth', '**/deep/*.log\nsrc/**/x.tmp\nsrc/**\n'],
    ['exceptions', '*.log\n!keep.log\n!src/\n'],
    ['exceptions that come too late', 'build/\n!build/keep.log\n'],
    ['comments, blanks and escapes', '# a.log\n\n\\#odd\n\\!odd\ntrail   \nspace\\ \n'],
    ['braces, which stand for themselves', '{a,b}.log\n'],
    ['what is no pattern', '[z-a]\n[\na.log\n'],
    ['CRLF', 'a.log\r\nbuild/\r\n'],
  ];
  it.each(ignores)('leaves out what Git does: %s', async (_, rules) => {
    const names = [
      'a.log',
      'b.log',
      'keep.log',
      'a.tmp',
      'a.x',
      'c.x',
      'file',
      '#odd',
      '!odd',
      'trail',
      'space ',
      '{a,b}.log',
    ];
    const folders = ['', 'build/', 'src/', 'src/build/', 'src/deep/', 'src/deep/x/'];
    const all = folders.flatMap((folder) => [...names, 'x.tmp'].map((name) => folder + name));
    await world.files(Object.fromEntries(all.map((path) => [path, ''])));
    await world.files({ '.gitignore': rules, 'src/.gitignore': '!a.log\n/b.log\ndeep/x\n' });
    expect((await walk()).toSorted()).toEqual(gitFiles());
  });

  it('follows the rules above where it starts, up to the repository and no further', async () => {
    await world.files({
      '.gitignore': '*.log\n/src/gen/\n',
      'src/a.log': '',
      'src/a.ts': '',
      'src/gen/b.ts': '',
    });
    expect(await walk(world.path('src'))).toEqual(['a.log', 'a.ts', 'gen/b.ts']);
    gitFiles();
    expect(await walk(world.path('src'))).toEqual(['a.ts']);
    expect(await walk(world.path('src/gen'))).toEqual(['b.ts']);
  });

  it('passes by .git and node_modules unless it starts inside', async () => {
    await world.files({
      '.git/config': '',
      'node_modules/x/index.js': '',
      'a/node_modules/y.js': '',
      'a/b': '',
    });
    expect(await walk()).toEqual(['a/b']);
    expect(await walk(world.path('node_modules'))).toEqual(['x/index.js']);
  });

  it('names links and follows none', async () => {
    await world.files({ 'd/f': '' });
    await symlink('..', world.path('d/up'));
    await symlink(world.outside, world.path('out'));
    await symlink('d/f', world.path('l'));
    expect((await walk()).toSorted()).toEqual(['d/f', 'd/up', 'l', 'out']);
  });

  it('is not held up by a pipe, also one named .gitignore', async () => {
    await world.files({ f: '' });
    execFileSync('mkfifo', [world.path('p'), world.path('.gitignore')]);
    expect(await walk()).toEqual(['f']);
  });

  it('gets through directories nested a thousand deep', async () => {
    const script = 'i=0; while [ $i -lt 1000 ]; do mkdir d && cd -P d || exit; i=$((i+1)); done; : > f';
    execFileSync('/bin/sh', ['-c', script], { cwd: world.workspace });
    expect(await walk()).toEqual([`${'d/'.repeat(1_000)}f`]);
  });

  it.skipIf(process.getuid?.() === 0)('tells what it could not read (root may read all)', async () => {
    await world.files({ 'd/f': '' });
    await chmod(world.path('d'), 0o000);
    const started = createWalk(world.workspace, world.context.signal);
    for await (const files of started.files()) expect(files).toEqual([]);
    expect(started.notes()).toEqual(['1 directory could not be read.']);
    await chmod(world.path('d'), 0o755);
  });

  it('ends when it is cancelled', async () => {
    await world.files({ 'd/f': '' });
    const files = createWalk(world.workspace, AbortSignal.abort(new Error('stop'))).files();
    await expect(files.next()).rejects.toThrow('stop');
  });
});
