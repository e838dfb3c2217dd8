import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, stat, symlink, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { editFile } from './edit-file.ts';
import { createToolWorld, type ToolWorld } from './tool-world.ts';

let world: ToolWorld;
beforeEach(async () => {
  world = await createToolWorld();
});
afterEach(() => world.dispose());

async function edit(
  path: string,
  old_string: string,
  new_string: string,
  more: object = {},
): Promise<string> {
  const result = await world.call(editFile, { path, old_string, new_string, ...more });
  return result.kind === 'ok' ? result.output : `${result.error}: ${result.output}`;
}

describe('edit_file', () => {
  it('changes the one place and tells where', async () => {
    await world.files({ f: 'a\nb\nc\n' });
    expect(await edit('f', 'b', 'B')).toBe('Changed f at line 2.');
    expect(await readFile(world.path('f'), 'utf8')).toBe('a\nB\nc\n');
  });

  it('changes every place when asked to', async () => {
    await world.files({ f: 'x\ny\nx\n' });
    expect(await edit('f', 'x', 'z')).toMatch(
      /^failed: f is unchanged: old_string occurs 2 times, at lines 1, 3\./,
    );
    expect(await edit('f', 'x', 'z', { replace_all: true })).toBe('Changed f at 2 places, lines 1, 3.');
    expect(await readFile(world.path('f'), 'utf8')).toBe('z\ny\nz\n');
  });

  it('keeps mode, line ends and byte order mark', async () => {
    await world.files({ f: '\ufeffa\r\nb\r\n' });
    await chmod(world.path('f'), 0o755);
    await edit('f', 'a\nb', 'c\nd\ne');
    expect(await readFile(world.path('f'), 'utf8')).toBe('\ufeffc\r\nd\r\ne\r\n');
    expect((await stat(world.path('f'))).mode & 0o777).toBe(0o755);
  });

  it('loses none of 40 edits of one file that run side by side', async () => {
    const numbers = Array.from({ length: 40 }, (_, index) => index);
    await world.files({ f: numbers.map((number) => `<${number}>`).join('\n') });
    const results = await Promise.all(numbers.map((number) => edit('f', `<${number}>`, `[${number}]`)));
    expect(results).toEqual(numbers.map((number) => `Changed f at line ${number + 1}.`));
    expect(await readFile(world.path('f'), 'utf8')).toBe(numbers.map((number) => `[${number}]`).join('\n'));
    expect(await readdir(world.workspace)).toEqual(['f']);
  });

  it('makes its change while another process writes to the same file', async () => {
    await world.files({ f: 'mine\n' });
    const others = world.context.processes.run({
      argv: ['/bin/sh', '-c', 'for i in 1 2 3 4 5 6 7 8 9; do echo line $i >> f; done'],
      cwd: world.workspace,
      environment: world.context.environment,
      input: '',
      deadlineMs: 30_000,
      marker: { name: 'TEST', value: 'append' },
      outputCap: 0,
    });
    expect(await edit('f', 'mine', 'changed')).toBe('Changed f at line 1.');
    await others;
    const lines = (await readFile(world.path('f'), 'utf8')).trim().split('\n');
    expect(lines[0]).toBe('changed');
  });

  it('makes its change on what a formatter wrote a moment ago', async () => {
    await world.files({ f: 'a  =  1\nb\n' });
    await world.files({ f: 'a = 1\nb\n' });
    expect(await edit('f', 'b', 'c')).toBe('Changed f at line 2.');
    expect(await readFile(world.path('f'), 'utf8')).toBe('a = 1\nc\n');
  });

  it('refuses what it could not give back unharmed, and changes nothing', async () => {
    const latin = Buffer.from('caf\xe9 b\n', 'latin1');
    await world.files({ latin, binary: Buffer.from('a\0b'), big: 'b' });
    await truncate(world.path('big'), 2 ** 31);
    expect(await edit('latin', 'b', 'c')).toMatch(/^failed: latin is not UTF-8/);
    expect(await edit('binary', 'b', 'c')).toBe('failed: binary is a binary file, not text.');
    expect(await edit('big', 'b', 'c')).toMatch(/^failed: big is too large to edit/);
    expect(await readFile(world.path('latin'))).toEqual(latin);
  });

  it('refuses what is no file', async () => {
    await mkdir(world.path('d'));
    execFileSync('mkfifo', [world.path('p')]);
    await symlink('loop', world.path('loop'));
    await symlink(join(world.outside, 'f'), world.path('out'));
    expect(await edit('missing', 'a', 'b')).toBe('failed: missing does not exist.');
    expect(await edit('d', 'a', 'b')).toMatch(/^failed: d is a directory/);
    expect(await edit('p', 'a', 'b')).toBe('failed: p is a named pipe, not a regular file.');
    expect(await edit('loop', 'a', 'b')).toMatch(
      /^failed: loop leads out of the workspace|leads back to itself/,
    );
    expect(await edit('out', 'a', 'b')).toMatch(
      /^failed: out leads out of the workspace through a symbolic link/,
    );
  });
});
