import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resolvePath } from './files.ts';
import { createToolWorld, type ToolWorld } from './tool-world.ts';

let world: ToolWorld;
beforeEach(async () => {
  world = await createToolWorld();
  await world.files({ 'src/a.ts': '', f: '' });
  await mkdir(join(world.outside, 'lib'));
  await symlink(world.outside, world.path('out'));
  await symlink(join(world.outside, 'new'), world.path('dangling'));
  await symlink('src', world.path('in'));
  await symlink('loop', world.path('loop'));
});
afterEach(() => world.dispose());

/** Path as written → real path relative to the workspace's parent, inside, looks inside. */
const rows: readonly (readonly [string, string, boolean, boolean])[] = [
  ['src/a.ts', 'work/src/a.ts', true, true],
  ['.', 'work', true, true],
  ['new/deep/file', 'work/new/deep/file', true, true],
  ['in/a.ts', 'work/src/a.ts', true, true],
  ['in/new', 'work/src/new', true, true],
  ['..', '', false, false],
  ['../work/src', 'work/src', true, true],
  ['../worker', 'worker', false, false],
  ['..hidden', 'work/..hidden', true, true],
  ['out', 'outside', false, true],
  ['out/lib/x', 'outside/lib/x', false, true],
  ['out/../f', 'work/f', true, true],
  ['dangling', 'outside/new', false, true],
  ['dangling/deep', 'outside/new/deep', false, true],
  ['f/below', 'work/f/below', true, true],
  ['loop', 'work/loop', false, true],
  ['loop/below', 'work/loop/below', false, true],
];

describe('resolvePath', () => {
  it.each(rows)('%s', async (path, real, inside, looksInside) => {
    const resolved = await resolvePath(path, world.context);
    expect(resolved).toEqual({
      absolute: join(world.workspace, path),
      real: join(world.workspace, '..', real),
      inside,
      looksInside,
    });
  });

  it('starts at the current directory', async () => {
    const resolved = await resolvePath('../f', { ...world.context, cwd: world.path('src') });
    expect(resolved).toMatchObject({ real: world.path('f'), inside: true });
  });

  it('counts added directories as inside, also through a link', async () => {
    const added = { ...world.context, extraDirs: [world.path('out')] };
    expect(await resolvePath(join(world.outside, 'lib'), added)).toMatchObject({
      inside: true,
      looksInside: true,
    });
    expect(await resolvePath('out/x', added)).toMatchObject({ inside: true });
    expect(await resolvePath('/', added)).toMatchObject({ inside: false, looksInside: false });
  });
});
