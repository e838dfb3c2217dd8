import { mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { acquireLock, inspectLock } from './lock.ts';
import { describeProcess, type Owner } from './owner.ts';

let folder: string;
let path: string;
const me = describeProcess(process.pid);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lock-'));
  path = join(folder, 'lock');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('holds until it is released, also against the process that holds it', async () => {
  const first = await acquireLock(path, me);
  expect(first.held).toBe(true);
  expect(await acquireLock(path, me)).toEqual({ held: false, owner: me });
  if (first.held) await first.release();
  expect((await acquireLock(path, me)).held).toBe(true);
});

const reused: Owner = { ...me, startTime: (me.startTime ?? 0) - 1 };
const restarted: Owner = { ...me, boot: 'another start of the machine' };
const elsewhere: Owner = { ...me, host: 'another machine', startTime: 1 };

it.runIf(process.platform === 'linux')(
  'of a process whose number was given away again is stale',
  async () => {
    await expectTaken(reused);
  },
);

it('of before a restart of the machine is stale', async () => {
  await expectTaken(restarted);
});

async function expectTaken(owner: Owner): Promise<void> {
  await writeFile(path, JSON.stringify(owner));
  expect(await inspectLock(path)).toEqual({ kind: 'stale', owner });
  const lock = await acquireLock(path, me);
  expect(lock.held).toBe(true);
  expect(await inspectLock(path)).toEqual({ kind: 'held', owner: me });
  expect(await readdir(folder)).toEqual(['lock']);
}

it('of another machine is held: from here nobody can say', async () => {
  await writeFile(path, JSON.stringify(elsewhere));
  expect(await acquireLock(path, me)).toEqual({ held: false, owner: elsewhere });
});

it('without a readable owner is held while it is new and stale once it is old', async () => {
  await writeFile(path, '');
  expect(await acquireLock(path, me)).toEqual({ held: false, owner: null });
  await utimes(path, new Date(0), new Date(0));
  expect((await acquireLock(path, me)).held).toBe(true);
});

it('that grew old in living hands is taken over, and its first holder cannot release it any more', async () => {
  const first = await acquireLock(path, me);
  await utimes(path, new Date(0), new Date(0));
  const second = await acquireLock(path, me, { staleAfterMs: 10_000 });
  expect(second.held).toBe(true);
  if (first.held) await first.release();
  expect((await inspectLock(path)).kind).toBe('held');
});

it('goes on after a takeover whose process died in the middle', async () => {
  await writeFile(path, JSON.stringify(restarted));
  await writeFile(`${path}.takeover`, JSON.stringify(restarted));
  expect((await acquireLock(path, me)).held).toBe(false);
  expect((await acquireLock(path, me)).held).toBe(true);
});

it('does not write through a link', async () => {
  const target = join(folder, 'target');
  await writeFile(target, 'untouched');
  await symlink(target, path);
  expect((await acquireLock(path, me)).held).toBe(false);
  expect(await readFile(target, 'utf8')).toBe('untouched');
});
