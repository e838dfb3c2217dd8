import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { GroupRecord } from '../runners/ledger.ts';
import { createProc } from '../runners/proc.ts';
import { openLedger, readLedger } from './ledger.ts';
import { sweepGroups } from './sweep.ts';

const proc = createProc();
let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ledger-'));
  path = join(folder, 'ledger.jsonl');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const record = (pid: number): GroupRecord => ({
  pid,
  startTime: pid * 10,
  marker: { name: 'CODEY_HOOK_RUN', value: `run-${pid}` },
  what: `Stop:0000000${pid}`,
});

describe('the file', () => {
  it('names the groups that were started and did not end', async () => {
    const ledger = openLedger(path, fail);
    ledger.started(record(2));
    ledger.started(record(3));
    ledger.ended(2);
    expect(await readLedger(path)).toEqual([record(3)]);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    ledger.close();
  });

  it('starts over when nothing runs, and does not grow with the session', async () => {
    const ledger = openLedger(path, fail);
    for (let pid = 2; pid < 1000; pid++) {
      ledger.started(record(pid));
      ledger.ended(pid);
    }
    expect(await readFile(path, 'utf8')).toBe('');
    ledger.close();
  });

  it('is read past a line that was cut short and lines that are none', async () => {
    const ledger = openLedger(path, fail);
    ledger.started(record(2));
    await appendFile(path, '\n{"started":{"pid":9,"sta');
    ledger.started(record(3));
    await appendFile(path, '\n{"started":{"pid":"4"}}\nnull');
    expect(await readLedger(path)).toEqual([record(2), record(3)]);
    ledger.close();
  });

  it('says once that it cannot be written, and throws nothing', async () => {
    const notices: string[] = [];
    const ledger = openLedger(join(path, 'no', 'such', 'folder'), (text) => notices.push(text));
    ledger.started(record(2));
    ledger.ended(2);
    ledger.close();
    expect(notices).toHaveLength(1);
    expect(notices[0]).toContain('have to be ended by hand');
    expect(await readLedger(path)).toEqual([]);
  });
});

describe.runIf(process.platform === 'linux')('a sweep', () => {
  it('ends a group that is still the one that was started [contract.journal.dead-owner]', async () => {
    const child = start('exec sleep 300');
    const group = await recordOf(child.pid, 'one');
    expect(await sweepGroups([group])).toEqual({ gone: 1, left: 0 });
    await child.gone;
  });

  it('spares a process that got the number later [contract.journal.dead-owner]', async () => {
    const child = start('exec sleep 300');
    const group = await recordOf(child.pid, 'somebody else');
    expect(await sweepGroups([{ ...group, startTime: (group.startTime ?? 0) - 100 }])).toEqual({
      gone: 1,
      left: 0,
    });
    expect(child.running()).toBe(true);
    await child.kill();
  });

  it('spares a foreign group whose leader is gone [contract.journal.dead-owner]', async () => {
    const { pid, member } = await leaderless('their-run');
    expect(await sweepGroups([groupOf(pid, 'our-run')])).toEqual({ gone: 1, left: 0 });
    expect(proc.startTime(member)).not.toBeNull();
    process.kill(member, 'SIGKILL');
  });

  it('ends what is left of a group whose leader is gone, known by its marker [contract.journal.dead-owner]', async () => {
    const { pid, member } = await leaderless('our-run');
    expect(await sweepGroups([groupOf(pid, 'our-run')])).toEqual({ gone: 1, left: 0 });
    expect(proc.members(pid)).toEqual([]);
    expect(proc.environment(member)).toBeNull();
  });

  it('touches nothing without a start time, nor on numbers that mean more than a group', async () => {
    const child = start('exec sleep 300');
    const group = await recordOf(child.pid, 'one');
    const groups = [
      { ...group, startTime: null },
      { ...group, pid: -1 },
      { ...group, pid: 0 },
      { ...group, pid: 1 },
    ];
    expect(await sweepGroups(groups)).toEqual({ gone: 0, left: 4 });
    expect(child.running()).toBe(true);
    await child.kill();
  });
});

interface Started {
  readonly pid: number;
  readonly gone: Promise<unknown>;
  readonly running: () => boolean;
  readonly kill: () => Promise<unknown>;
}

function start(line: string, run = 'one'): Started {
  const child = spawn('/bin/sh', ['-c', line], {
    detached: true,
    stdio: 'ignore',
    env: { ...process.env, CODEY_HOOK_RUN: run },
  });
  const gone = once(child, 'exit');
  return {
    pid: child.pid ?? 0,
    gone,
    running: () => child.exitCode === null && child.signalCode === null,
    kill() {
      child.kill('SIGKILL');
      return gone;
    },
  };
}

/** A group of which only a member that is not the leader still runs. */
async function leaderless(run: string): Promise<{ pid: number; member: number }> {
  const child = start('sleep 300 & exit 0', run);
  await child.gone;
  const [member] = proc.members(child.pid) ?? [];
  return { pid: child.pid, member: member ?? 0 };
}

function groupOf(pid: number, run: string): GroupRecord {
  return { ...record(2), pid, startTime: 1, marker: { name: 'CODEY_HOOK_RUN', value: run } };
}

async function recordOf(pid: number, run: string): Promise<GroupRecord> {
  return { ...groupOf(pid, run), startTime: proc.startTime(pid) };
}

function fail(text: string): void {
  throw new Error(text);
}
