import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import promises from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { promptFiles } from './prompt-files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'prompt-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

type Call = (path: never, options?: never) => Promise<unknown>;

/** What came of a call, with all that a caller could tell one error from another by. */
function outcome(call: Call, path: unknown, options: unknown): Promise<unknown> {
  return call(path as never, options as never).then(
    (value) => (Buffer.isBuffer(value) ? { bytes: value.toString('latin1') } : value),
    (error: NodeJS.ErrnoException) => {
      const { name, message, code, errno, syscall, path: named } = error;
      // The sentence about a caller's mistake names the parameter, which is called differently in some versions of Node.
      return errno === undefined ? { name, code } : { name, message, code, errno, syscall, named };
    },
  );
}

const given: Readonly<Record<keyof typeof promptFiles, readonly unknown[]>> = {
  lstat: [undefined, { bigint: true }],
  stat: [undefined, { bigint: true }],
  realpath: [undefined, 'buffer'],
  readlink: [undefined, 'buffer', { encoding: 'utf8' }],
  readdir: [undefined, { withFileTypes: true }],
  readFile: [
    undefined,
    null,
    'utf8',
    'latin1',
    { encoding: 'utf8' },
    { flag: 'r+' },
    { signal: AbortSignal.abort() },
  ],
};

describe.each(Object.entries(given))('%s', (name, options) => {
  const call = name as keyof typeof promptFiles;

  it('gives what node:fs/promises gives, and fails as it fails', async () => {
    mkdirSync(join(folder, 'directory'));
    writeFileSync(join(folder, 'text'), 'text ü\n');
    writeFileSync(join(folder, 'empty'), '');
    writeFileSync(join(folder, 'large'), Buffer.alloc(300 * 1024, 'x'));
    writeFileSync(join(folder, 'bytes'), Buffer.from([0xef, 0xbb, 0xbf, 0xff, 0x00]));
    writeFileSync(join(folder, 'unreadable'), 'x');
    chmodSync(join(folder, 'unreadable'), 0);
    symlinkSync('text', join(folder, 'link'));
    symlinkSync('nothing', join(folder, 'dangling'));
    symlinkSync('circle', join(folder, 'circle'));
    const server = createServer().listen(join(folder, 'socket'));
    onTestFinished(async () => {
      await new Promise((resolve) => server.close(resolve));
    });
    await once(server, 'listening');
    const names = [
      'directory',
      'text',
      'empty',
      'large',
      'bytes',
      'unreadable',
      'link',
      'dangling',
      'circle',
    ];
    const paths = [
      ...[...names, 'socket', 'missing', 'text/below', 'x'.repeat(300), 'nul\0'].map((file) =>
        join(folder, file),
      ),
      '',
      Buffer.from(join(folder, 'text')),
      pathToFileURL(join(folder, 'text')),
      undefined,
    ];
    for (const path of paths)
      for (const option of options) {
        const expected = await outcome(promises[call], path, option);
        expect(await outcome(promptFiles[call] as Call, path, option), String(path)).toEqual(expected);
      }
  });
});

describe.runIf(process.platform === 'linux')('readFile', () => {
  it('gives all of a file of the kernel, which says that it is empty', async () => {
    const text = await promptFiles.readFile(`/proc/${process.pid}/cmdline`, 'utf8');
    expect(text).toBe(readFileSync(`/proc/${process.pid}/cmdline`, 'utf8'));
    expect(text).not.toBe('');
  });

  it('gives what a waiting writer puts into a FIFO', async () => {
    const fifo = join(folder, 'fifo');
    execFileSync('mkfifo', [fifo]);
    const writer = spawn('sh', ['-c', 'printf "from the writer" > "$0"', fifo]);
    const ended = once(writer, 'exit');
    onTestFinished(async () => {
      writer.kill('SIGKILL');
      await ended;
    });
    // It sleeps in opening the FIFO, for want of a reader.
    await vi.waitFor(() => expect(readFileSync(`/proc/${writer.pid}/stat`, 'utf8')).toContain(') S '));
    expect(await promptFiles.readFile(fifo, 'utf8')).toBe('from the writer');
    expect(await ended).toEqual([0, null]);
  });
});
