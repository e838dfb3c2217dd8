import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { diskFiles, type Files } from '@codey/hooks';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { repairSessions } from './repair.ts';
import { openSessionStore } from './store.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'repair-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it('looks at nothing of sessions that ended in good order, however many there are [contract.journal.dead-owner]', async () => {
  const world = { home: root, projectRoot: root, pid: process.pid, now: Date.now, onNotice: fail };
  const store = openSessionStore(world);
  for (let count = 0; count < 5; count += 1) await (await store.create(root)).close('exit');
  const open = await store.create(root);
  const { folder = '' } = store;
  const seen: string[] = [];
  expect(await repairSessions({ ...world, store, files: watched(seen) })).toEqual([]);
  expect(new Set(seen.map((path) => relative(folder, path)))).toEqual(
    new Set(['open', join('open', open.id)]),
  );
  await open.close('exit');
  expect(readdirSync(join(folder, 'open'))).toEqual([]);
});

it('says so where it cannot look', async () => {
  const said: string[] = [];
  const world = {
    home: root,
    projectRoot: root,
    pid: process.pid,
    now: Date.now,
    onNotice: (text: string) => said.push(text),
  };
  const store = openSessionStore(world);
  await (await store.create(root)).close('exit');
  const files = {
    ...diskFiles,
    readdir: () => Promise.reject(Object.assign(new Error('no'), { code: 'EACCES' })),
  };
  expect(await repairSessions({ ...world, store, files })).toEqual([]);
  expect(said).toEqual([expect.stringContaining(dirname(join(store.folder ?? '', 'open')))]);
});

/** The disk, with every path that is asked about in `seen`. */
function watched(seen: string[]): Files {
  const watch = ([name, call]: [string, unknown]): [string, unknown] => [
    name,
    typeof call !== 'function'
      ? call
      : (path: string, ...more: unknown[]) => {
          seen.push(path);
          return call.call(diskFiles, path, ...more);
        },
  ];
  return Object.fromEntries(Object.entries(diskFiles).map(watch)) as unknown as Files;
}

function fail(text: string): never {
  throw new Error(text);
}
