import { describe, expect, it } from 'vitest';
import { endFamily } from './ending.ts';
import { groupRuns, signalGroup } from './group.ts';
import { endRecordedGroup } from './ledger.ts';
import { createProc } from './proc.ts';

const silent = createProc('darwin');
const marker = { name: 'M', value: 'm' };

function gone(): never {
  throw Object.assign(new Error('gone'), { code: 'ESRCH' });
}

function refused(): never {
  throw Object.assign(new Error('refused'), { code: 'EPERM' });
}

describe('signalling a group', () => {
  it.each([1, 0, -5, 1.5, Number.NaN])('never goes to %s, which would mean others or everybody', (pid) => {
    expect(() => signalGroup({ pid, startTime: null }, 'SIGTERM', gone, silent)).toThrow(RangeError);
  });

  it('never reaches a group whose number was given away again', () => {
    const sent: unknown[] = [];
    const proc = { ...silent, startTime: () => 200 };
    const group = { pid: 4242, startTime: 100 };
    signalGroup(group, 'SIGKILL', (...call) => void sent.push(call), proc);
    expect([sent, groupRuns(group, () => {}, proc)]).toEqual([[], false]);
  });

  it.each([
    ['gone', gone, null, false],
    ['somebody else’s', refused, null, true],
    ['running', () => {}, [4242], true],
    ['running where members cannot be told', () => {}, null, true],
    ['nothing but zombies', () => {}, [], false],
  ] as const)('tells a group that is %s', (_name, kill, members, runs) => {
    const proc = { ...silent, members: () => members };
    expect(groupRuns({ pid: 4242, startTime: null }, kill, proc)).toBe(runs);
  });
});

describe('ending', () => {
  it('goes TERM, then KILL once hurried, and sees the group gone', async () => {
    const sent: unknown[] = [];
    let running = true;
    const kill = (pid: number, signal: string | 0) => {
      if (signal === 0) return running ? undefined : gone();
      sent.push([pid, signal]);
      if (signal === 'SIGKILL') running = false;
    };
    const family = { group: { pid: 4242, startTime: null }, marker };
    expect(await endFamily(family, { kill, proc: silent }, AbortSignal.abort())).toBe(true);
    expect(sent).toEqual([
      [-4242, 'SIGTERM'],
      [-4242, 'SIGKILL'],
    ]);
  });

  it('leaves a recorded group alone that cannot be told from a stranger’s', async () => {
    const sent: unknown[] = [];
    const record = { pid: 4242, startTime: null, marker, what: 'x' };
    expect(await endRecordedGroup(record, { kill: (...call) => void sent.push(call), proc: silent })).toBe(
      false,
    );
    expect(sent).toEqual([]);
  });
});
