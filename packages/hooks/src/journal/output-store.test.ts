import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createOutputStore } from './output-store.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'output-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('keeps what a hook printed in a file only the user can read [contract.journal.no-content]', async () => {
  const own = join(folder, 'output');
  const store = createOutputStore(own);
  const name = await store.save('PreToolUse:1a2b3c4d', { stdout: 'out', stderr: 'err\n' });
  expect(name).toBe('00000-PreToolUse-1a2b3c4d.txt');
  expect(await readFile(join(own, name ?? ''), 'utf8')).toBe('--- stdout\nout\n--- stderr\nerr\n\n');
  expect((await stat(join(own, name ?? ''))).mode & 0o777).toBe(0o600);
  expect((await stat(own)).mode & 0o777).toBe(0o700);
});

it('keeps nothing of a hook that was silent', async () => {
  expect(await createOutputStore(folder).save('Stop:1', { stdout: '', stderr: '' })).toBeUndefined();
});

it('gives every output a name of its own, also at once and after a resume', async () => {
  const printed = { stdout: 'x', stderr: '' };
  const first = createOutputStore(folder);
  const names = await Promise.all([1, 2, 3].map(() => first.save('Stop:1', printed)));
  names.push(await createOutputStore(folder).save('Stop:1', printed));
  expect(names).toEqual([0, 1, 2, 3].map((n) => `0000${n}-Stop-1.txt`));
});

it('cuts a flood and stops keeping when the session has kept enough', async () => {
  const store = createOutputStore(folder, { stream: 10, session: 80 });
  const name = await store.save('Stop:1', { stdout: '0123456789abc', stderr: '' });
  expect(await readFile(join(folder, name ?? ''), 'utf8')).toBe(
    '--- stdout\n0123456789\n[cut: 3 more characters]\n',
  );
  expect(await store.save('Stop:1', { stdout: '0123456789abc', stderr: '' })).toBeUndefined();
});

it('loses the output and nothing else when the folder cannot be made', async () => {
  await writeFile(join(folder, 'file'), '');
  const store = createOutputStore(join(folder, 'file', 'output'));
  expect(await store.save('Stop:1', { stdout: 'x', stderr: '' })).toBeUndefined();
});
