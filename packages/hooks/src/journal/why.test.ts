import { describe, expect, it } from 'vitest';
import type { JournaledHook, JournalEntry, JournalLine } from './entry.ts';
import { accountOfCall } from './why.ts';

const guard: JournaledHook = {
  id: 'PreToolUse:1',
  scope: 'user',
  source: 'settings.json:3',
  outcome: 'passed',
};
const slow: JournaledHook = { ...guard, id: 'PostToolUse:2', note: 'in the background' };

let n = 0;
function line(entry: JournalEntry, session = 's1'): JournalLine {
  n += 1;
  return { time: new Date(n * 1000).toISOString(), session, pid: 1, n, ...entry };
}

function asked(event: string, call: string | undefined, more: object = {}): JournalEntry {
  return {
    kind: 'dispatch',
    dispatch: `${event} ${call}`,
    event,
    agent: 'main',
    turn: '1',
    tool: 'run_shell',
    ...(call !== undefined && { call }),
    verdict: 'none',
    ms: 3,
    hooks: [guard],
    ...more,
  };
}

function gate(call: string, decision: 'allowed' | 'denied', by: string): JournalEntry {
  return { kind: 'gate', agent: 'main', tool: 'run_shell', call, decision, by };
}

describe('accountOfCall', () => {
  it('collects what was asked about a call and how it came to run', async () => {
    const lines = [
      line(asked('SessionStart', undefined)),
      line(asked('PreToolUse', 'a', { verdict: 'allow', revision: 1 })),
      line(gate('a', 'allowed', 'PreToolUse hook')),
      line(asked('PreToolUse', 'b')),
      line(asked('PostToolUse', 'a')),
    ];
    expect(await accountOfCall(lines, { kind: 'id', id: 'a' })).toEqual({
      call: 'a',
      tool: 'run_shell',
      session: 's1',
      agent: 'main',
      time: lines[1]!.time,
      dispatches: [
        { event: 'PreToolUse', time: lines[1]!.time, verdict: 'allow', ms: 3, revision: 1, hooks: [guard] },
        { event: 'PostToolUse', time: lines[4]!.time, verdict: 'none', ms: 3, revision: 0, hooks: [guard] },
      ],
      gates: [{ decision: 'allowed', by: 'PreToolUse hook', time: lines[2]!.time }],
    });
  });

  it('takes the call that began last for the latest, whatever is still said about earlier ones', async () => {
    const lines = [
      line(asked('PreToolUse', 'a')),
      line(asked('PreToolUse', 'b')),
      line(gate('a', 'allowed', 'rule')),
      line(gate('b', 'denied', 'rule')),
      line(asked('PostToolUse', 'a')),
    ];
    expect(await accountOfCall(lines, { kind: 'latest' })).toMatchObject({
      call: 'b',
      gates: [{ decision: 'denied', by: 'rule' }],
    });
  });

  it('means the newest session where several used an id', async () => {
    const lines = [line(asked('PreToolUse', 'a'), 'old'), line(asked('PreToolUse', 'a'), 'new')];
    const account = await accountOfCall(lines, { kind: 'id', id: 'a' });
    expect(account).toMatchObject({ session: 'new', dispatches: [{ event: 'PreToolUse' }] });
  });

  it('says of a hook in the background what it came to', async () => {
    const late: JournaledHook = {
      ...slow,
      outcome: 'failed',
      why: 'exit-code',
      note: 'ended in the background',
    };
    const lines = [
      line(asked('PostToolUse', 'a', { hooks: [slow] })),
      line({
        ...asked('PostToolUse', undefined, { hooks: [late] }),
        dispatch: 'PostToolUse a',
      } as JournalEntry),
    ];
    expect((await accountOfCall(lines, { kind: 'latest' }))?.dispatches[0]?.hooks).toEqual([late]);
  });

  it('is undefined where nothing is known', async () => {
    expect(await accountOfCall([], { kind: 'latest' })).toBeUndefined();
    expect(await accountOfCall([line(asked('PreToolUse', 'a'))], { kind: 'id', id: 'b' })).toBeUndefined();
  });
});
