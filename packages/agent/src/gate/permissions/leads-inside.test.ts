import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { leadsInside } from './leads-inside.ts';

let folder: string;
let root: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'leads-')));
  root = join(folder, 'root');
  await mkdir(join(root, 'src'), { recursive: true });
  await mkdir(join(folder, 'outside'));
  await mkdir(join(folder, 'outside/sub'));
  await writeFile(join(folder, 'outside/secret'), '');
  await writeFile(join(root, 'src/a.ts'), '');
  await symlink('../outside', join(root, 'out'));
  await symlink('../outside/secret', join(root, 'secret'));
  await symlink('src/a.ts', join(root, 'in'));
  await symlink('ring', join(root, 'ring'));
  await symlink('../outside/sub', join(root, 'deep'));
  await symlink('../outside/new', join(root, 'dangling'));
  await symlink('src', join(root, 'near'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it.each([
  ['src/a.ts', true],
  ['in', true],
  ['src/not/there', true],
  ['src/a.ts/x', true],
  ['a.*b', true],
  ['x'.repeat(5_000), true],
  ['out', false],
  ['out/secret', false],
  ['out/not/there', false],
  ['secret', false],
  ['../outside', false],
  ['ring', false],
  ['dangling', false],
  ['near/../src/a.ts', true],
  ['src/../in', true],
  ['none/../src', true],
  ['deep/..', false],
  ['deep/../secret', false],
  ['src/../deep/../secret', false],
  ['near/../../outside', false],
  // The link leads to `src`, whose parent is the root again.
  ['near/..', true],
])('%s: %s', (path, inside) => {
  expect(leadsInside(`${root}/${path}`, [root])).toBe(inside);
});

it('what leads through /proc is somewhere else for each process', () => {
  expect(leadsInside('/proc/self/cwd', ['/'])).toBe(false);
  expect(leadsInside('/dev/fd/0', ['/'])).toBe(false);
});
