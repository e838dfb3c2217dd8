import type { Attributed } from '@codey/hooks';
import { describe, expect, it } from 'vitest';
import { createAutomaticCompaction, fullness } from './automatic.ts';
import type { CompactResult } from './compact.ts';

const hook: Attributed = { hook: 'keep.sh, settings.json:4', place: 'settings.json:4', text: 'not now' };
const blocked: CompactResult = { kind: 'blocked', reason: 'not now', reasons: [hook] };
const empty = { kind: 'unchanged', why: 'The summary is empty.' } as const satisfies CompactResult;
const compacted: CompactResult = {
  kind: 'compacted',
  before: { tokens: 168_000, messages: 214 },
  after: { tokens: 9_400, messages: 12 },
};

function create(result: () => CompactResult) {
  const notices: string[] = [];
  let tokens = 0;
  const occasions: string[] = [];
  const automatic = createAutomaticCompaction({
    tokens: () => tokens,
    window: () => 100,
    notice: (text) => notices.push(text),
    compact: async (occasion) => {
      occasions.push(occasion);
      return result();
    },
  });
  return {
    notices,
    compactions: () => occasions.length,
    makeRoom: automatic.makeRoom,
    occasions,
    at(now: number) {
      tokens = now;
      return automatic.pass();
    },
  };
}

it.each([
  [79, 'roomy'],
  [80, 'near'],
  [94, 'near'],
  [95, 'full'],
  [200, 'full'],
] as const)('a window of 100 with %i tokens is %s', (tokens, expected) => {
  expect(fullness(tokens, 100)).toBe(expected);
});

it('does nothing for a model whose window nobody knows', () => {
  expect(fullness(1e9, undefined)).toBe('roomy');
});

describe('a conversation that grows', () => {
  it('is compacted when the window is nearly full, and the user is told', async () => {
    const session = create(() => compacted);
    expect(await session.at(50)).toBeUndefined();
    expect(session.compactions()).toBe(0);
    expect(await session.at(85)).toBeUndefined();
    expect(session.compactions()).toBe(1);
    expect(session.notices).toEqual([
      'the conversation was compacted: 214 messages became 12, about 168,000 tokens 9,400',
    ]);
  });

  it('is left alone until the limit where a hook says no, then the hook is asked once more and ends the run [koder.event.precompact-block]', async () => {
    const session = create(() => blocked);
    expect(await session.at(85)).toBeUndefined();
    expect(await session.at(90)).toBeUndefined();
    expect(session.compactions()).toBe(1);
    expect(await session.at(96)).toBe(hook);
    expect(session.compactions()).toBe(2);
    // The next run asks again: a hook may have changed its mind, and the window is still full.
    expect(await session.at(96)).toBe(hook);
  });

  it('asks twice as well where the limit came at once [koder.event.precompact-block]', async () => {
    const session = create(() => blocked);
    expect(await session.at(99)).toBe(hook);
    expect(session.compactions()).toBe(2);
  });

  it('goes on where the summary came to nothing: once at each mark', async () => {
    const session = create(() => empty);
    for (const tokens of [81, 85, 96, 97, 98]) expect(await session.at(tokens)).toBeUndefined();
    expect(session.compactions()).toBe(2);
    await session.at(10);
    await session.at(81);
    expect(session.compactions()).toBe(3);
  });
});

describe('a conversation that the provider refused', () => {
  it('is compacted whatever was counted, and the user is told', async () => {
    const session = create(() => compacted);
    expect(await session.makeRoom()).toBe(compacted);
    expect(session.occasions).toEqual(['refused']);
    expect(session.notices).toEqual([expect.stringContaining('214 messages became 12')]);
  });

  it('is left alone where a hook says no twice, or once more after it said no before [koder.event.precompact-block]', async () => {
    const unasked = create(() => blocked);
    expect(await unasked.makeRoom()).toBe(blocked);
    expect(unasked.compactions()).toBe(2);
    const asked = create(() => blocked);
    await asked.at(85);
    expect(await asked.makeRoom()).toBe(blocked);
    expect(asked.occasions).toEqual(['filling', 'refused']);
  });

  it('is compacted at each refusal, whatever came of it before', async () => {
    const session = create(() => empty);
    for (const refusal of [1, 2]) {
      expect(await session.makeRoom()).toBe(empty);
      expect(session.compactions()).toBe(refusal);
    }
    expect(session.notices).toEqual([empty.why, empty.why]);
  });
});
