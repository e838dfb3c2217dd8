import { execFileSync } from 'node:child_process';
import { chmod, link, mkdir, symlink, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { outputCap } from './output.ts';
import { readFile } from './read-file.ts';
import { createToolWorld, type ToolWorld } from './tool-world.ts';

let world: ToolWorld;
beforeEach(async () => {
  world = await createToolWorld();
});
afterEach(() => world.dispose());

async function read(input: unknown): Promise<string> {
  const result = await world.call(readFile, input);
  return result.kind === 'ok' ? result.output : `${result.error}: ${result.output}`;
}

describe('read_file shows', () => {
  const texts: readonly (readonly [string, string | Buffer, object, string])[] = [
    ['a whole file as it is', 'a\n\tb\n\nc\n', {}, 'a\n\tb\n\nc'],
    ['a file without a last line feed', 'a\nb', {}, 'a\nb'],
    ['that a file is empty', '', {}, '[f is empty.]'],
    ['a file of one empty line', '\n', {}, ''],
    ['no byte order mark', '\ufeffa\n', {}, 'a'],
    ['CRLF as line ends and says so', 'a\r\nb\r\n', {}, '[Lines end in CRLF, which edit_file keeps.]\na\nb'],
    ['a carriage return inside a line', 'a\rb\n', {}, 'a\rb'],
    [
      'the lines asked for',
      'a\nb\nc\nd\n',
      { offset: 2, limit: 2 },
      '[Lines 2 to 3; the file goes on: continue with offset 4.]\nb\nc',
    ],
    ['the last lines without a note', 'a\nb\nc\n', { offset: 2 }, 'b\nc'],
    [
      'bytes that are no UTF-8 as a sign, with a note',
      Buffer.from([0x61, 0xff, 0x0a, 0xe2, 0x82, 0xac]),
      {},
      '[Not all of the file is UTF-8; other bytes are shown as \ufffd.]\na\ufffd\n€',
    ],
  ];
  it.each(texts)('%s', async (_, content, input, output) => {
    await world.files({ f: content });
    expect(await read({ path: 'f', ...input })).toBe(output);
  });

  it('2,000 lines at most', async () => {
    await world.files({ f: 'x\n'.repeat(2_500) });
    const output = await read({ path: 'f' });
    expect(output.split('\n')[0]).toBe('[Lines 1 to 2000; the file goes on: continue with offset 2001.]');
    expect(output.split('\n')).toHaveLength(2_001);
    expect(await read({ path: 'f', offset: 2_001 })).toBe('x\n'.repeat(500).trim());
  });

  it('as many lines as fit into a result, and every line of a file in the end', async () => {
    const lines = Array.from({ length: 3_000 }, (_, index) => `${index}: ${'é€😀'.repeat(index % 40)}`);
    await world.files({ f: `${lines.join('\n')}\n` });
    const seen: string[] = [];
    for (let offset: number | undefined = 1; offset !== undefined; ) {
      const output = await read({ path: 'f', offset });
      expect(output.length).toBeLessThan(outputCap + 100);
      const next = /^\[.*continue with offset (\d+)\.\]\n/.exec(output);
      seen.push(...output.slice(next?.[0].length ?? 0).split('\n'));
      offset = next === null ? undefined : Number(next[1]);
    }
    expect(seen).toEqual(lines);
  });

  it('the start of a line of 50 megabytes, and the line behind it', async () => {
    await world.files({ f: `${'€'.repeat(17_000_000)}\nend\n` });
    expect(await read({ path: 'f' })).toBe(`${'€'.repeat(2_000)}… [line cut]\nend`);
  });

  it('the text before two gigabytes of nothing', async () => {
    await world.files({ f: `${'text\n'.repeat(4_000)}` });
    await truncate(world.path('f'), 2 ** 31);
    expect(await read({ path: 'f', limit: 2 })).toMatch(/continue with offset 3\.\]\ntext\ntext$/);
  });

  const names = ['a\nb', '-rf', '😀 file', ' lead', '..hidden', "it's", '*', '%00'];
  it.each(names)('a file named %j', async (name) => {
    await world.files({ [name]: 'found\n' });
    expect(await read({ path: name })).toBe('found');
  });

  it('what a symbolic or hard link leads to', async () => {
    await world.files({ f: 'found\n' });
    await symlink('f', world.path('soft'));
    await link(world.path('f'), world.path('hard'));
    expect(await read({ path: 'soft' })).toBe('found');
    expect(await read({ path: 'hard' })).toBe('found');
  });

  it.runIf(process.platform === 'linux')('a file of the kernel, which says that its size is 0', async () => {
    expect(await read({ path: '/proc/self/status' })).toMatch(/^Name:/);
  });
});

describe('read_file refuses', () => {
  it('a missing file and names its neighbour', async () => {
    await world.files({ 'src/index.ts': '' });
    expect(await read({ path: 'src/index.js' })).toBe(
      `failed: src/index.js does not exist. Did you mean ${world.path('src/index.ts')}?`,
    );
    expect(await read({ path: 'source/deep/x.ts' })).toBe(
      `failed: source/deep/x.ts does not exist. ${world.workspace} exists and has no source.`,
    );
    expect(await read({ path: '~/x' })).toMatch(/does not exist. `~` is not expanded; write the path out\.$/);
  });

  it('a directory and names the tool for it', async () => {
    await mkdir(world.path('d'));
    expect(await read({ path: 'd' })).toBe('failed: d is a directory; list_directory shows what is in it.');
  });

  it('a path through a file', async () => {
    await world.files({ f: '' });
    expect(await read({ path: 'f/g' })).toBe(
      'failed: f/g cannot be reached: a part of it is a file, not a directory.',
    );
  });

  it('a loop of links', async () => {
    await symlink('b', world.path('a'));
    await symlink('a', world.path('b'));
    expect(await read({ path: 'a' })).toBe('failed: a is a symbolic link that leads back to itself.');
  });

  it('a named pipe, without waiting for somebody to write', async () => {
    execFileSync('mkfifo', [world.path('p')]);
    expect(await read({ path: 'p' })).toBe('failed: p is a named pipe, not a regular file.');
  });

  it('a socket', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(world.path('s'), resolve));
    expect(await read({ path: 's' })).toBe('failed: s is a socket, not a regular file.');
    await new Promise((resolve) => server.close(resolve));
  });

  it.skipIf(process.platform === 'win32')('a device that never ends', async () => {
    expect(await read({ path: '/dev/zero' })).toBe('failed: /dev/zero is a device, not a regular file.');
  });

  it.skipIf(process.getuid?.() === 0)('a file it may not read (root may read every file)', async () => {
    await world.files({ f: 'secret' });
    await chmod(world.path('f'), 0o000);
    expect(await read({ path: 'f' })).toMatch(/^failed: No permission for f\./);
  });

  const binaries: readonly (readonly [string, Buffer])[] = [
    ['a PNG image', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')],
    ['a JPEG image', Buffer.from('\xff\xd8\xff\xe0', 'latin1')],
    ['a WebP image', Buffer.from('RIFF\0\0\0\0WEBP', 'latin1')],
    ['a PDF document', Buffer.from('%PDF-1.7')],
    ['a text in UTF-16', Buffer.from('\xff\xfea\0', 'latin1')],
    ['a binary file', Buffer.from('abc\0def')],
  ];
  it.each(binaries)('%s', async (what, content) => {
    await world.files({ f: content });
    expect(await read({ path: 'f' })).toBe(
      `failed: f is ${what}, which cannot be read as text. A command that knows its format may help, through run_shell.`,
    );
  });

  it('a sparse file of two gigabytes', async () => {
    await writeFile(world.path('f'), '');
    await truncate(world.path('f'), 2 ** 31);
    expect(await read({ path: 'f' })).toMatch(/^failed: f is a binary file/);
  });

  it('an offset behind the end, and names the length', async () => {
    await world.files({ f: 'a\nb\n' });
    expect(await read({ path: 'f', offset: 5 })).toBe(
      'failed: f has 2 lines, so there is nothing at offset 5.',
    );
  });

  it('names that no file can have', async () => {
    expect(await read({ path: 'a\0b' })).toBe('failed: "a\\u0000b" is no path: it holds a NUL character.');
    expect(await read({ path: 'x'.repeat(300) })).toBe(
      `failed: ${'x'.repeat(80)}… is too long for a file name.`,
    );
  });

  it('to go on when cancelled', async () => {
    await world.files({ f: 'a\n' });
    const result = await world.call(readFile, { path: 'f' }, { signal: AbortSignal.abort() });
    expect(result).toEqual({ kind: 'failed', error: 'cancelled', output: 'Reading f was cancelled.' });
  });
});
