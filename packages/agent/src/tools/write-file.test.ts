import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, readlink, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createToolWorld, type ToolWorld } from './tool-world.ts';
import { writeFile } from './write-file.ts';

let world: ToolWorld;
beforeEach(async () => {
  world = await createToolWorld();
});
afterEach(() => world.dispose());

async function write(path: string, content: string): Promise<string> {
  const result = await world.call(writeFile, { path, content });
  return result.kind === 'ok' ? result.output : `${result.error}: ${result.output}`;
}

describe('write_file', () => {
  it('makes a file with its directories and leaves nothing else', async () => {
    expect(await write('a/b/c.txt', 'one\ntwo\n')).toBe('Made a/b/c.txt: 2 lines.');
    expect(await readFile(world.path('a/b/c.txt'), 'utf8')).toBe('one\ntwo\n');
    expect(await readdir(world.path('a/b'))).toEqual(['c.txt']);
  });

  it('replaces a file and keeps its mode', async () => {
    await world.files({ 'run.sh': 'old' });
    await chmod(world.path('run.sh'), 0o750);
    expect(await write('run.sh', 'new')).toBe('Replaced run.sh: 1 line.');
    expect(await readFile(world.path('run.sh'), 'utf8')).toBe('new');
    expect((await stat(world.path('run.sh'))).mode & 0o7777).toBe(0o750);
  });

  it.runIf(process.getuid?.() === 0)('keeps the owner (only root can give a file away)', async () => {
    await world.files({ f: 'old' });
    execFileSync('chown', ['12345:54321', world.path('f')]);
    await write('f', 'new');
    expect(await stat(world.path('f'))).toMatchObject({ uid: 12345, gid: 54321 });
  });

  it('never shows a reader half of a file', async () => {
    const versions = ['a', 'b'].map((letter) => letter.repeat(400_000));
    await write('f', versions[0] ?? '');
    const progress = { done: false };
    const writer = (async () => {
      for (let round = 0; round < 40; round++) await write('f', versions[round % 2] ?? '');
      progress.done = true;
    })();
    while (!progress.done) expect(versions).toContain(await readFile(world.path('f'), 'utf8'));
    await writer;
    expect(await readdir(world.workspace)).toEqual(['f']);
  });

  it('writes through a link that stays inside', async () => {
    await world.files({ 'real/f': 'old' });
    await symlink('real/f', world.path('l'));
    expect(await write('l', 'new')).toBe('Replaced l: 1 line.');
    expect(await readFile(world.path('real/f'), 'utf8')).toBe('new');
    expect(await readlink(world.path('l'))).toBe('real/f');
  });

  it('makes the file that a dangling link inside names', async () => {
    await symlink('later', world.path('l'));
    await write('l', 'new');
    expect(await readFile(world.path('later'), 'utf8')).toBe('new');
  });

  it('refuses a link that leads out, dangling or not, and names where it leads', async () => {
    await symlink(join(world.outside, 'new'), world.path('l'));
    await symlink(world.outside, world.path('d'));
    expect(await write('l', 'x')).toBe(
      `failed: l leads out of the workspace through a symbolic link. To change the file there, name it: ${world.outside}/new`,
    );
    expect(await write('d/f', 'x')).toMatch(/^failed: d\/f leads out of the workspace/);
    expect(await readdir(world.outside)).toEqual([]);
  });

  it('writes outside when the path says so, which the gate has asked about', async () => {
    expect(await write('../outside/f', 'x')).toBe('Made ../outside/f: 1 line.');
  });

  const names = ['a\nb', '-rf', '😀', "it's", '*', ' '];
  it.each(names)('takes the name %j', async (name) => {
    expect(await write(name, '')).toMatch(/^Made /);
    expect(await readdir(world.workspace)).toEqual([name]);
  });

  it('takes the longest name a file can have', async () => {
    await write('x'.repeat(255), 'a');
    expect(await write('x'.repeat(255), 'b')).toMatch(/^Replaced /);
    expect(await write('x'.repeat(256), 'a')).toMatch(/^failed: x+… is too long for a file name\.$/);
  });

  it('refuses directories, pipes and paths through files', async () => {
    await mkdir(world.path('d'));
    await world.files({ f: 'kept' });
    execFileSync('mkfifo', [world.path('p')]);
    expect(await write('d', '')).toMatch(/^failed: d is a directory/);
    expect(await write('new/', '')).toBe('failed: new/ names a directory; add a file name.');
    expect(await write('p', '')).toBe('failed: p is a named pipe, not a regular file.');
    expect(await write('f/g', '')).toMatch(/^failed: f\/g cannot be reached: a part of it is a file/);
    expect(await write('f/g/h', '')).toMatch(/^failed: f\/g\/h cannot be reached: a part of it is a file/);
    expect(await write('a\0b', '')).toMatch(/NUL/);
    expect((await readdir(world.workspace)).toSorted()).toEqual(['d', 'f', 'p']);
  });

  it.skipIf(process.getuid?.() === 0)('refuses a read-only file (root may write every file)', async () => {
    await world.files({ f: 'kept' });
    await chmod(world.path('f'), 0o444);
    expect(await write('f', 'new')).toMatch(/^failed: No permission for f\./);
    expect(await readFile(world.path('f'), 'utf8')).toBe('kept');
  });

  it.skipIf(process.getuid?.() === 0)(
    'writes in place where the directory takes no new file (root may always)',
    async () => {
      await world.files({ 'd/f': 'old' });
      await chmod(world.path('d'), 0o555);
      expect(await write('d/f', 'new')).toBe('Replaced d/f: 1 line.');
      await chmod(world.path('d'), 0o755);
      expect(await readFile(world.path('d/f'), 'utf8')).toBe('new');
    },
  );
});
