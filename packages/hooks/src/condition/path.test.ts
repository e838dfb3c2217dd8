import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLinkResolver, resolveLinks } from './path.ts';

let root: string;

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'codey-links-')));
  await mkdir(join(root, 'real/deep'), { recursive: true });
  await writeFile(join(root, 'real/deep/file'), '');
  await symlink('real', join(root, 'link'));
  await symlink('real/missing/place', join(root, 'dangling'));
  await symlink('loop', join(root, 'loop'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const resolved: readonly (readonly [string, string])[] = [
  ['real/deep/file', 'real/deep/file'],
  ['link/deep/file', 'real/deep/file'],
  ['link/deep/new/file', 'real/deep/new/file'],
  ['missing/a/b', 'missing/a/b'],
  ['missing/a/c', 'missing/a/c'],
  ['dangling', 'real/missing/place'],
  ['dangling/below', 'real/missing/place/below'],
  ['real/deep/file/below', 'real/deep/file/below'],
];

it.each(resolved)('%s leads to %s, alone and together with others', async (written, real) => {
  const together = createLinkResolver();
  const others = resolved.map(([path]) => together(join(root, path)));
  expect(await resolveLinks(join(root, written))).toBe(join(root, real));
  expect(await together(join(root, written))).toBe(join(root, real));
  expect(await Promise.all(others)).toStrictEqual(resolved.map(([, path]) => join(root, path)));
});

it('a link to itself leads nowhere', async () => {
  await expect(resolveLinks(join(root, 'loop/x'))).rejects.toThrow(/ELOOP/);
  await expect(createLinkResolver()(join(root, 'loop/x'))).rejects.toThrow(/ELOOP/);
});
