import { execFileSync } from 'node:child_process';
import { constants, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import promises from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openFile as openFileAside } from './open-file.ts';
import { openFileAtOnce } from './open-file-at-once.ts';

const { O_CREAT, O_EXCL, O_RDONLY, O_RDWR, O_WRONLY } = constants;

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'open-file-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  path = join(folder, 'file');
});

describe.each([
  ['in the background', openFileAside],
  ['at once', openFileAtOnce],
])('a file that is used %s', (_way, openFile) => {
  it('reads, writes and cuts as a handle of node:fs/promises does', async () => {
    const file = await openFile(path, O_RDWR | O_CREAT | O_EXCL, 0o600);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect((await file.write(Buffer.from('one\ntwo\n'), 4, 4, null)).bytesWritten).toBe(4);
    await file.writeFile('three\n');
    const buffer = Buffer.alloc(8);
    expect((await file.read(buffer, 1, 7, 4)).bytesRead).toBe(6);
    expect(buffer.toString()).toBe('\0three\n\0');
    await file.truncate(4);
    await file.chmod(0o640);
    const facts = await file.stat();
    expect([facts.size, facts.mode & 0o777]).toEqual([4, 0o640]);
    expect((await file.stat({ bigint: true })).ino).toBe(statSync(path, { bigint: true }).ino);
    await file.datasync();
    await file.sync();
    await file.close();
    const again = await openFile(path, O_RDONLY);
    expect(await again.readFile('utf8')).toBe('two\n');
    await again.close();
  });

  it.each([
    ['is missing', O_RDONLY, 'missing'],
    ['is there already', 'wx' as const, 'file'],
    ['has a folder that is none', O_WRONLY | O_CREAT, 'file/below'],
  ])('fails as node:fs/promises does where the file %s', async (_, flags, name) => {
    writeFileSync(path, '');
    const where = join(folder, name);
    const facts = ({ message, code, errno, syscall, path: named }: NodeJS.ErrnoException) => ({
      message,
      code,
      errno,
      syscall,
      named,
    });
    const expected = await promises.open(where, flags).then(() => undefined, facts);
    expect(expected).toBeDefined();
    expect(await openFile(where, flags).then(() => undefined, facts)).toEqual(expected);
  });

  it('is closed only when what was asked of it is done, and does nothing afterwards', async () => {
    const file = await openFile(path, O_WRONLY | O_CREAT);
    const large = Buffer.alloc(8 * 1024 * 1024, 'x');
    const written = file.write(large, 0, large.length, null);
    const closed = file.close();
    // Another file may get its number from here on.
    const late = file.write(Buffer.from('late'), 0, 4, null);
    await expect(late).rejects.toMatchObject({ code: 'EBADF' });
    await closed;
    expect((await written).bytesWritten).toBe(large.length);
    expect(readFileSync(path).equals(large)).toBe(true);
    await file.close();
  });

  it.skipIf(process.platform === 'win32')('waits for no other end of a pipe', async () => {
    execFileSync('mkfifo', [path]);
    const file = await openFile(path, O_RDONLY);
    expect((await file.stat()).isFIFO()).toBe(true);
    await file.close();
  });
});
