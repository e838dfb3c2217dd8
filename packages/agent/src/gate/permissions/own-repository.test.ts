import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { obeysOwnRepository } from './own-repository.ts';

let root: string;
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'repository-')));
  for (const folder of [
    'src/deep',
    '.git',
    'nested/.git',
    'nested/src',
    'bare/objects',
    'bare/refs',
    'file/src',
    'shared',
  ])
    await mkdir(join(root, folder), { recursive: true });
  await writeFile(join(root, 'bare/HEAD'), 'ref: refs/heads/main\n');
  await writeFile(join(root, 'shared/HEAD'), 'ref: refs/heads/main\n');
  await writeFile(join(root, 'shared/commondir'), '../bare\n');
  await writeFile(join(root, 'file/.git'), 'gitdir: ../bare\n');
  await symlink('bare', join(root, 'link'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

it.each([
  ['.', true],
  ['src/deep', true],
  ['nested', false],
  ['nested/src', false],
  ['bare', false],
  ['bare/refs', false],
  ['shared', false],
  ['file/src', false],
  ['link', false],
  ['gone', false],
  ['..', false],
])('in %s: %s', (directory, own) => {
  expect(obeysOwnRepository(join(root, directory), [root])).toBe(own);
});
