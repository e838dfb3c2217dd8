import { appendFile, chmod, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { diskFiles, type Files } from '@codey/hooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SessionEntry } from './entry.ts';
import { createMemoryLog, openSessionLog, readFirstEntry, readLog } from './log.ts';

let folder: string;
let path: string;
let notices: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'log-'));
  path = join(folder, 'log.jsonl');
  notices = [];
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const open = (files?: Files) =>
  openSessionLog({
    path,
    now: () => 0,
    onNotice: (text) => notices.push(text),
    ...(files === undefined ? {} : { files }),
  });

const first: SessionEntry = { kind: 'session', format: 1, id: 'x', projectRoot: '/p', cwd: '/p' };
const name = (text: string): SessionEntry => ({ kind: 'name', name: text });
const names = (entries: readonly SessionEntry[]) =>
  entries.flatMap((entry) => (entry.kind === 'name' ? [entry.name] : []));

describe('a log', () => {
  it('stamps entries and gives them back in order, from a private file', async () => {
    const { log } = await open();
    expect(log.append(first)).toEqual({ n: 1, time: '1970-01-01T00:00:00.000Z', ...first });
    log.append(name('two\n→'));
    await log.close();
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const reopened = await open();
    expect(reopened.entries.map(({ n, kind }) => [n, kind])).toEqual([
      [1, 'session'],
      [2, 'name'],
    ]);
    expect(reopened.log.append(name('three')).n).toBe(3);
    await reopened.log.close();
    expect(names((await readLog(path)).entries)).toEqual(['two\n→', 'three']);
    expect(await readFirstEntry(path)).toMatchObject({ id: 'x' });
    expect(notices).toEqual([]);
  });

  it('cut at any byte keeps every line before the cut, and is gone on with behind it', async () => {
    const { log } = await open();
    log.append(first);
    for (const text of ['plain', '→ two\n', '😀'.repeat(20)]) log.append(name(text));
    await log.close();
    const whole = await readFile(path);
    const ends = [...whole.entries()].flatMap(([at, byte]) => (byte === 0x0a ? [at + 1] : []));

    for (let cut = 0; cut <= whole.length; cut++) {
      await writeFile(path, whole.subarray(0, cut));
      const opened = await open();
      // A line that lacks only its newline is whole.
      const kept = ends.filter((end) => end - 1 <= cut && cut > 0).length;
      expect(opened.entries.map(({ n }) => n)).toEqual(Array.from({ length: kept }, (_, i) => i + 1));
      expect(opened.damaged).toBe(0);
      expect(opened.log.append(name('after')).n).toBe(kept + 1);
      await opened.log.close();
      const text = (await readFile(path)).subarray(0, ends[kept - 1] ?? 0);
      expect(text.equals(whole.subarray(0, ends[kept - 1] ?? 0))).toBe(true);
      const again = await readLog(path);
      expect(again.entries).toHaveLength(kept + 1);
      expect(again.damaged).toBe(0);
    }
  });

  it('skips and keeps closed lines that are no entries', async () => {
    const { log } = await open();
    log.append(first);
    await log.flush();
    await appendFile(
      path,
      'garbage\n\n{"n":7,"time":"t","kind":"prompt"}\n{"n":8,"time":"t","kind":"of tomorrow"}\n',
    );
    log.append(name('last'));
    await log.close();
    const before = await readFile(path, 'utf8');
    const opened = await open();
    expect(names(opened.entries)).toEqual(['last']);
    expect(opened.damaged).toBe(2);
    expect(opened.log.append(name('next')).n).toBe(9);
    await opened.log.close();
    expect((await readFile(path, 'utf8')).startsWith(before)).toBe(true);
  });

  it('in memory stamps entries too', async () => {
    const log = createMemoryLog(() => 0);
    expect([log.append(first).n, log.append(name('a')).n, log.path]).toEqual([1, 2, undefined]);
    await log.flush();
    await log.close();
  });
});

describe('a disk that refuses', () => {
  it('is told once, and all that is missing is written when there is room again', async () => {
    let room = 1000;
    const files: Files = {
      ...diskFiles,
      async open(where, flags, mode) {
        const handle = await diskFiles.open(where, flags, mode);
        const plain = handle.write.bind(handle) as (...args: unknown[]) => Promise<unknown>;
        const write = async (data: Uint8Array, offset: number, length: number, at: null) => {
          if (room === 0) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
          const taken = Math.min(room, length);
          room -= taken;
          return plain(data, offset, taken, at);
        };
        return Object.assign(handle, { write });
      },
    };
    const { log } = await open(files);
    log.append(first);
    await log.flush();
    room = 20;
    for (const text of ['a', 'b', 'c']) {
      log.append(name(text));
      await log.flush();
    }
    expect(notices).toHaveLength(1);
    expect(notices[0]).toContain('the disk is full. It goes on in memory');
    expect(names((await readLog(path)).entries)).toEqual([]);
    room = 1000;
    log.append(name('d'));
    await log.close();
    expect(notices).toHaveLength(2);
    expect(notices[1]).toContain('is saved');
    expect((await readLog(path)).entries.map(({ n }) => n)).toEqual([1, 2, 3, 4, 5]);
  });

  it('to make the file at all is told once, and never throws', async () => {
    await writeFile(join(folder, 'file'), '');
    path = join(folder, 'file', 'log.jsonl');
    const { log } = await open();
    log.append(first);
    await log.flush();
    log.append(name('a'));
    await log.close();
    expect(notices).toHaveLength(1);
    expect(notices[0]).toContain('a file stands where a directory is needed');
  });

  it('to take a log back leaves it readable', async () => {
    const { log } = await open();
    log.append(first);
    await log.close();
    // Stands for a read-only disk also where the user is root.
    const files: Files = {
      ...diskFiles,
      async open(where, flags, mode) {
        if (flags !== undefined && (Number(flags) & 3) !== 0) {
          throw Object.assign(new Error('EROFS'), { code: 'EROFS' });
        }
        return diskFiles.open(where, flags, mode);
      },
    };
    const opened = await open(files);
    expect(opened.entries).toHaveLength(1);
    expect(opened.log.append(name('in memory')).n).toBe(2);
    await opened.log.close();
    expect(notices[0]).toContain('the file system is read-only');
  });
});

it.each(['ELOOP', 'EMFILE', 'EIO'])('that is there and cannot be read (%s) is not touched', async (code) => {
  const { log } = await open();
  log.append(first);
  await log.close();
  const before = await readFile(path, 'utf8');
  const files: Files = {
    ...diskFiles,
    async open(where, flags, mode) {
      if ((Number(flags) & 3) === 0) throw Object.assign(new Error(code), { code });
      return diskFiles.open(where, flags, mode);
    },
  };
  await expect(open(files)).rejects.toThrow(code);
  expect(await readFile(path, 'utf8')).toBe(before);
});

it('is not written through a link', async () => {
  const target = join(folder, 'target');
  await writeFile(target, '');
  await symlink(target, path);
  await expect(open()).rejects.toThrow('ELOOP');
  expect(await readFile(target, 'utf8')).toBe('');
});

it('made readable for others by hand is made private again', async () => {
  await mkdir(folder, { recursive: true });
  await writeFile(path, '');
  await chmod(path, 0o644);
  await (await open()).log.close();
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});
