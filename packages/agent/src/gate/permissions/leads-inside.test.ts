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
  await writeFile(join(folder, 'outside/secret'), '');
  await writeFile(join(root, 'src/a.ts'), '');
  await symlink('../outside', join(root, 'out'));
  await symlink('../outside/secret', join(root, 'secret'));
  await symlink('src/a.ts', join(root, 'in'));
  await symlink('ring', join(root, 'ring'));
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
])('%s: %s', (path, inside) => {
  expect(leadsInside(join(root, path), [root])).toBe(inside);
});
