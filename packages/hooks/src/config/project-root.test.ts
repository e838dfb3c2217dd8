import * as fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findProjectRoot } from './project-root.ts';

let top: string;

beforeEach(async () => {
  top = await fs.realpath(await fs.mkdtemp(path.join(os.tmpdir(), 'codey-root-')));
});

afterEach(async () => {
  await fs.rm(top, { recursive: true, force: true });
});

async function make(...directories: readonly string[]): Promise<void> {
  for (const directory of directories) await fs.mkdir(path.join(top, directory), { recursive: true });
}

it.each<[name: string, made: readonly string[], start: string, root: string]>([
  ['the nearest .git', ['home/a/.git', 'home/a/b/.git', 'home/a/b/c/d'], 'home/a/b/c/d', 'home/a/b'],
  ['.git before a nearer .codey', ['home/a/.git', 'home/a/b/.codey', 'home/a/b/c'], 'home/a/b/c', 'home/a'],
  ['.codey without .git', ['home/a/.codey', 'home/a/b/c'], 'home/a/b/c', 'home/a'],
  ['.koder without .git', ['home/a/.koder', 'home/a/b/c'], 'home/a/b/c', 'home/a'],
  [
    'the nearer of .koder and .codey',
    ['home/a/.codey', 'home/a/b/.koder', 'home/a/b/c'],
    'home/a/b/c',
    'home/a/b',
  ],
  ['the start where there is nothing', ['home/a/b'], 'home/a/b', 'home/a/b'],
  ['not the home with its .codey', ['home/.codey', 'home/a/b'], 'home/a/b', 'home/a/b'],
  ['not the home with a .git', ['home/.git', 'home/a/b'], 'home/a/b', 'home/a/b'],
  ['not above the home', ['.git', 'home/a'], 'home/a', 'home/a'],
  ['not above the home from outside of it', ['.git', 'home', 'srv/a'], 'srv/a', 'srv/a'],
  ['beside the home as anywhere', ['srv/.git', 'srv/a', 'home'], 'srv/a', 'srv'],
  ['the home for who starts there', ['home/.git', '.git'], 'home', 'home'],
  ['above the home for who starts there', ['home', '.git'], '', ''],
])('the project root is %s [contract.root.nearest]', async (_name, made, start, root) => {
  await make(...made);
  const found = await findProjectRoot({ start: path.join(top, start), home: path.join(top, 'home') });
  expect(found).toBe(path.join(top, root));
});

it('a .git file marks a worktree or submodule [contract.root.nearest]', async () => {
  await make('home/a/b');
  await fs.writeFile(path.join(top, 'home/a/.git'), 'gitdir: /elsewhere\n');
  expect(await findProjectRoot({ start: path.join(top, 'home/a/b'), home: path.join(top, 'home') })).toBe(
    path.join(top, 'home/a'),
  );
});

it('a file named .codey marks nothing [contract.root.nearest]', async () => {
  await make('home/a/b');
  await fs.writeFile(path.join(top, 'home/a/.codey'), '');
  const start = path.join(top, 'home/a/b');
  expect(await findProjectRoot({ start, home: path.join(top, 'home') })).toBe(start);
});

it('links are followed before anything is looked for [contract.root.nearest]', async () => {
  await make('home/real/.git', 'home/real/src', 'home/fake/.git');
  await fs.symlink(path.join(top, 'home/real/src'), path.join(top, 'home/fake/src'));
  await fs.symlink(path.join(top, 'home'), path.join(top, 'casa'));
  const start = path.join(top, 'home/fake/src');
  expect(await findProjectRoot({ start, home: path.join(top, 'casa') })).toBe(path.join(top, 'home/real'));
  await make('home/.codey');
  const plain = path.join(top, 'home/plain');
  await fs.mkdir(plain);
  expect(await findProjectRoot({ start: plain, home: path.join(top, 'casa') })).toBe(plain);
});

it('without a home nothing is out of bounds [contract.root.nearest]', async () => {
  await make('.git', 'home/a');
  expect(await findProjectRoot({ start: path.join(top, 'home/a') })).toBe(top);
  expect(await findProjectRoot({ start: path.join(top, 'home/a'), home: '/no/such/home' })).toBe(top);
});

it('a start that does not exist is the caller’s mistake', async () => {
  await expect(findProjectRoot({ start: path.join(top, 'gone') })).rejects.toThrow('ENOENT');
});
