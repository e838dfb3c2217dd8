import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createProc } from './proc.ts';
import { carryMarker, findStrays } from './strays.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

interface Entry {
  readonly name?: string;
  readonly state?: string;
  readonly parent?: number;
  readonly group?: number;
  readonly startTime?: number;
  readonly environ?: string;
}

function procOf(entries: Readonly<Record<number, Entry>>) {
  const root = mkdtempSync(join(tmpdir(), 'proc-'));
  folders.push(root);
  mkdirSync(join(root, 'self'));
  for (const [pid, entry] of Object.entries(entries)) {
    const { name = 'sh', state = 'S', parent = 1, group = Number(pid), startTime = 1, environ } = entry;
    mkdirSync(join(root, pid));
    const fields = [state, parent, group, group, ...Array(15).fill(0), startTime, 0, 0];
    writeFileSync(join(root, pid, 'stat'), `${pid} (${name}) ${fields.join(' ')}\n`);
    if (environ !== undefined) writeFileSync(join(root, pid, 'environ'), environ);
  }
  return createProc('linux', root);
}

describe('/proc', () => {
  it('is read past a program name that holds parentheses and spaces', () => {
    const proc = procOf({ 10: { name: 'a) S 1 (b', parent: 7, startTime: 4711 } });
    expect([proc.parent(10), proc.startTime(10)]).toEqual([7, 4711]);
  });

  it('counts members of a group without zombies', () => {
    const proc = procOf({ 10: { state: 'Z', group: 10 }, 11: { group: 10 }, 12: { group: 12 } });
    expect(proc.members(10)).toEqual([11]);
  });

  it('gives each variable of an environment, values with = and newlines too', () => {
    const proc = procOf({ 10: { environ: 'A=1\0B=x=y\nz\0broken\0AB=A=2\0B=again\0LAST=' } });
    const variable = proc.environment(10);
    const names = ['A', 'B', 'AB', 'LAST', 'broken', 'x', 'C'];
    expect(names.map((name) => variable?.(name))).toEqual(['1', 'x=y\nz', 'A=2', '', ...Array(3)]);
  });

  it('knows nothing of a process that is gone', () => {
    const proc = procOf({});
    expect([proc.startTime(9), proc.parent(9), proc.environment(9), proc.members(9)]).toEqual([
      null,
      null,
      null,
      [],
    ]);
  });

  it('is silent on other systems', () => {
    const proc = createProc('darwin');
    expect([proc.startTime(1), proc.members(1), proc.all()]).toEqual([null, null, null]);
  });

  it.runIf(process.platform === 'linux')('tells when this very process started', () => {
    expect(createProc().startTime(process.pid)).toBeGreaterThan(0);
  });
});

describe('strays', () => {
  const marker = { name: 'RUN', value: 'r2' };

  it('are the processes that carry the marker, alone or behind an outer one', async () => {
    const proc = procOf({
      10: { environ: 'RUN=r2\0' },
      11: { environ: 'RUN=r1 r2 r3\0' },
      12: { environ: 'RUN=r22\0' },
      13: { environ: 'OTHER=r2\0' },
      14: {},
    });
    expect(await findStrays(marker, proc)).toEqual([10, 11]);
  });

  it('never include the program itself', async () => {
    expect(await findStrays(marker, procOf({ [process.pid]: { environ: 'RUN=r2\0' } }))).toEqual([]);
  });

  it('carry each marker once', () => {
    const once = carryMarker({ RUN: 'r1' }, marker);
    expect(once).toEqual({ RUN: 'r1 r2' });
    expect(carryMarker(once, marker)).toEqual(once);
  });
});
