import { chmodSync, mkdirSync, readFileSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { acquireLock } from '../journal/lock.ts';
import { describeProcess } from '../journal/owner.ts';
import { type Agreement, createTrustStore, type TrustStore } from './store.ts';
import { type TempProject, tempProject } from './temp-project.ts';

let project: TempProject;
let store: TrustStore;
beforeEach(() => {
  project = tempProject();
  store = createTrustStore({ home: project.home, waitMs: 200 });
  mkdirSync(dirname(store.file), { recursive: true });
});
afterEach(() => project.remove());

const agreement = (fingerprint: string): Agreement => ({
  fingerprint,
  subject: 'PreToolUse',
  file: '.codey/settings.json',
  runs: './guard.sh',
  definition: 'd',
  marks: { 'guard.sh': 'sha256 1' },
});

it('gives back what was agreed to, by project', async () => {
  expect(await store.load('/one')).toEqual({ agreements: [] });
  await store.agree('/one', [agreement('a'), agreement('b')]);
  await store.agree('/two', [agreement('c')]);
  expect(await store.load('/one')).toEqual({ agreements: [agreement('a'), agreement('b')] });
  expect(await store.list()).toEqual({
    projects: [
      { root: '/one', count: 2 },
      { root: '/two', count: 1 },
    ],
  });
});

it('takes back a whole project', async () => {
  await store.agree('/one', [agreement('a')]);
  await store.agree('/two', [agreement('b')]);
  expect(await store.revoke('/one')).toEqual({ ok: true });
  expect(await store.revoke('/never')).toEqual({ ok: true });
  expect((await store.list()).projects).toEqual([{ root: '/two', count: 1 }]);
});

it('stores the same agreement once, as the newest', async () => {
  await store.agree('/one', [agreement('a')]);
  await store.agree('/one', [agreement('b')]);
  await store.agree('/one', [agreement('a')]);
  expect((await store.load('/one')).agreements.map(({ fingerprint }) => fingerprint)).toEqual(['b', 'a']);
});

it('keeps all of one yes, however much it is, and of earlier ones the newest thousand', async () => {
  const many = Array.from({ length: 3_000 }, (_, index) => agreement(String(index)));
  await store.agree('/one', many);
  expect((await store.load('/one')).agreements).toEqual(many);
  await store.agree('/one', [agreement('new')]);
  expect((await store.load('/one')).agreements).toEqual([...many.slice(2_000), agreement('new')]);
});

it('keeps keys it does not know and passes over entries it cannot read', async () => {
  const written = {
    note: 'mine',
    projects: {
      '/one': { since: 1, agreed: [null, 7, { fingerprint: 'old', extra: true, marks: { x: 1 } }] },
    },
  };
  writeFileSync(store.file, JSON.stringify(written), { mode: 0o600 });
  expect(await store.load('/one')).toEqual({
    agreements: [{ fingerprint: 'old', subject: '', file: '', runs: '', definition: '', marks: {} }],
  });
  await store.agree('/one', [agreement('a')]);
  const { note, projects } = JSON.parse(readFileSync(store.file, 'utf8'));
  expect(note).toBe('mine');
  expect(projects['/one'].since).toBe(1);
  expect(projects['/one'].agreed[2]).toEqual({ fingerprint: 'old', extra: true, marks: { x: 1 } });
});

it.each([
  ['is not JSON', () => writeFileSync(store.file, '{"projects": ', { mode: 0o600 }), 'it is not JSON'],
  ['holds a list', () => writeFileSync(store.file, '[]', { mode: 0o600 }), 'it holds no JSON object'],
  ['is newer', () => writeFileSync(store.file, '{"version": 2}', { mode: 0o600 }), 'a newer codey wrote it'],
  ['is a link', () => symlinkSync('/dev/null', store.file), 'a symbolic link stands in its place'],
  ['is a folder', () => mkdirSync(store.file), 'it is not a regular file'],
  [
    'can be written by others',
    () => {
      writeFileSync(store.file, '{}');
      chmodSync(store.file, 0o666);
    },
    'others may write it (chmod 600 helps)',
  ],
])('trusts nothing, says so and is left alone when it %s', async (_how, spoil, why) => {
  spoil();
  const problem = `${store.file} counts for nothing: ${why}; correct or remove it, then agree again`;
  expect(await store.load('/one')).toEqual({ agreements: [], problem });
  expect(await store.list()).toEqual({ projects: [], problem });
  expect(await store.agree('/one', [agreement('a')])).toEqual({ ok: false, problem });
});

it('loses nothing when many write at once', async () => {
  const patient = createTrustStore({ home: project.home, waitMs: 30_000 });
  const names = Array.from({ length: 12 }, (_, index) => `f${index}`);
  const results = await Promise.all(names.map((name) => patient.agree('/one', [agreement(name)])));
  expect(results.every(({ ok }) => ok)).toBe(true);
  expect(new Set((await store.load('/one')).agreements.map(({ fingerprint }) => fingerprint))).toEqual(
    new Set(names),
  );
});

it('says who holds it when it cannot be written, and that nothing was agreed to', async () => {
  const lock = await acquireLock(`${store.file}.lock`, describeProcess(process.pid));
  expect(lock.held).toBe(true);
  expect(await store.agree('/one', [agreement('a')])).toEqual({
    ok: false,
    problem: `${store.file} is being written by process ${process.pid}, so nothing was agreed to; try again, or remove ${store.file}.lock if no codey runs`,
  });
  expect(await store.load('/one')).toEqual({ agreements: [] });
  if (lock.held) await lock.release();
  expect(await store.agree('/one', [agreement('a')])).toEqual({ ok: true });
});

it('answers with a sentence where nothing can be written at all', async () => {
  writeFileSync(join(project.home, 'file'), '');
  const result = await createTrustStore({ home: join(project.home, 'file') }).agree('/one', []);
  expect(result).toMatchObject({ ok: false, problem: expect.stringMatching(/could not be written/) });
});

it('takes over the lock of a process that is no more', async () => {
  const gone = { ...describeProcess(process.pid), startTime: 1, pid: 2 ** 22 + 1 };
  await acquireLock(`${store.file}.lock`, gone);
  expect(await store.agree('/one', [agreement('a')])).toEqual({ ok: true });
  expect(() => unlinkSync(`${store.file}.lock`)).toThrow(/ENOENT/);
});
