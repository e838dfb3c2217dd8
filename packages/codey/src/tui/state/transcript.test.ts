import type { SessionEvent } from '@codey/agent';
import type { JournaledHook } from '@codey/hooks';
import { describe, expect, it } from 'vitest';
import type { Block } from './block.ts';
import {
  addDispatch,
  addEvent,
  emptyTranscript,
  endRunning,
  type Transcript,
  transcriptOf,
} from './transcript.ts';

const call = { kind: 'call', agent: 'main', id: 'c1', tool: 'run_shell', input: { command: 'ls' } } as const;
const passed: JournaledHook = {
  id: 'PreToolUse:1',
  scope: 'user',
  source: 's.json:1',
  outcome: 'passed',
  ms: 4,
};

function fold(...events: readonly SessionEvent[]): Transcript {
  return events.reduce(
    (transcript, event, index) => addEvent(transcript, event, index * 10),
    emptyTranscript,
  );
}

/** Blocks without what every one has. */
function shapes({ blocks }: Transcript): readonly object[] {
  return blocks.map(({ key: _key, ...block }: Block) => block);
}

describe('text', () => {
  it('of one answer grows in one block until the answer is whole', () => {
    const transcript = fold(
      { kind: 'text', agent: 'main', text: 'a' },
      { kind: 'text', agent: 'main', text: 'b' },
      { kind: 'answer', agent: 'main', text: 'ab', usage: { input: 1, output: 1 } },
      { kind: 'text', agent: 'main', text: 'c' },
    );
    expect(shapes(transcript)).toEqual([
      { kind: 'answer', agent: 'main', text: 'ab', done: true },
      { kind: 'answer', agent: 'main', text: 'c', done: false },
    ]);
  });

  it('of two agents that write at once stays apart', () => {
    const transcript = fold(
      { kind: 'text', agent: 'main', text: 'a' },
      { kind: 'text', agent: 'reviewer', text: 'x' },
      { kind: 'text', agent: 'main', text: 'b' },
    );
    expect(shapes(transcript)).toEqual([
      { kind: 'answer', agent: 'main', text: 'ab', done: false },
      { kind: 'answer', agent: 'reviewer', text: 'x', done: false },
    ]);
  });

  it('that was streamed before a retry is void', () => {
    const transcript = fold(
      { kind: 'text', agent: 'main', text: 'half' },
      { kind: 'retry', agent: 'main', attempt: 1, delayMs: 1_500, message: 'overloaded' },
    );
    expect(shapes(transcript)).toEqual([
      { kind: 'notice', tone: 'warning', text: 'overloaded · asking again in 2 s' },
    ]);
  });

  it('that was streamed before the conversation was refused as too long is void', () => {
    const transcript = fold(
      { kind: 'text', agent: 'main', text: 'half' },
      { kind: 'overflow', agent: 'main', message: 'prompt is too long' },
    );
    expect(shapes(transcript)).toEqual([
      { kind: 'notice', tone: 'warning', text: 'prompt is too long · compacting the conversation' },
    ]);
  });

  it('of thinking ends where the answer begins', () => {
    const transcript = fold(
      { kind: 'reasoning', agent: 'main', text: 'hm' },
      { kind: 'text', agent: 'main', text: 'a' },
    );
    expect(shapes(transcript)).toEqual([
      { kind: 'reasoning', agent: 'main', text: 'hm', done: true },
      { kind: 'answer', agent: 'main', text: 'a', done: false },
    ]);
  });
});

describe('a call', () => {
  it('runs, prints and ends with its time', () => {
    const running = fold(call, { kind: 'progress', agent: 'main', id: 'c1', text: 'one\ntw' });
    const more = addEvent(running, { kind: 'progress', agent: 'main', id: 'c1', text: 'o\n' }, 30);
    expect(more.blocks[0]).toMatchObject({ tail: ['one', 'two', ''], end: { kind: 'running' } });
    const done = addEvent(
      more,
      { kind: 'result', agent: 'main', id: 'c1', tool: 'run_shell', output: 'all', failed: false, ms: 7 },
      50,
    );
    expect(done.blocks[0]).toMatchObject({
      tail: [],
      end: { kind: 'done', output: 'all', failed: false, ms: 7 },
    });
  });

  it('for what an agent said does not say it again', () => {
    const asked = {
      kind: 'call',
      agent: 'main',
      id: 'r',
      tool: 'agent_result',
      input: { name: 'ann' },
    } as const;
    const result = {
      kind: 'result',
      agent: 'main',
      id: 'r',
      tool: 'agent_result',
      failed: false,
      ms: 1,
    } as const;
    const answer = { kind: 'text', agent: 'ann', text: 'Found it.' } as const;
    const same = fold(answer, asked, { ...result, output: 'Found it.' });
    expect(same.blocks[1]).toMatchObject({ end: { saidAbove: true } });
    const more = fold(answer, asked, { ...result, output: 'Found it.\n[its worktree is w]' });
    expect(more.blocks[1]).not.toMatchObject({ end: { saidAbove: true } });
  });

  it('that no tool can do is shown with what is wrong with it', () => {
    const transcript = fold({ ...call, kind: 'invalid', message: 'there is no such tool' });
    expect(transcript.blocks[0]).toMatchObject({
      kind: 'call',
      end: { kind: 'denied', reason: 'there is no such tool' },
    });
  });

  it('that was denied never ran', () => {
    const transcript = fold({ ...call, kind: 'denied', reason: 'no' });
    expect(transcript.blocks[0]).toMatchObject({ kind: 'call', end: { kind: 'denied', reason: 'no' } });
  });

  it('stands in its place from the gate on, and runs with the input that was judged', () => {
    const gate = { ...call, kind: 'gate' } as const;
    const transcript = fold(gate, { ...call, input: { command: 'ls -a' } });
    expect(transcript.blocks).toMatchObject([
      { kind: 'call', input: { command: 'ls -a' }, startedAt: 10, end: { kind: 'running' } },
    ]);
    const denied = fold(gate, { ...call, kind: 'denied', reason: 'no' });
    expect(denied.blocks).toMatchObject([{ end: { kind: 'denied', reason: 'no' } }]);
  });

  it('that stood at the gate when its run was stopped is left as one that never ran', () => {
    const stopped = endRunning(fold({ ...call, kind: 'gate' }), 90, () => true);
    expect(stopped.blocks).toMatchObject([
      { input: call.input, end: { kind: 'denied', reason: 'interrupted before it ran' } },
    ]);
  });

  it('whose id comes again is the newer one', () => {
    const result = {
      kind: 'result',
      agent: 'main',
      id: 'c1',
      tool: 'run_shell',
      failed: false,
      ms: 7,
    } as const;
    const transcript = fold(call, { ...result, output: 'first' }, call, { ...result, output: 'second' });
    expect(
      transcript.blocks.map((block) =>
        block.kind === 'call' && block.end.kind === 'done' ? block.end.output : '',
      ),
    ).toEqual(['first', 'second']);
  });

  it('that still runs when its run is over has failed', () => {
    const ended = endRunning(
      fold(call, { kind: 'progress', agent: 'main', id: 'c1', text: 'x' }),
      90,
      () => true,
    );
    expect(ended.blocks[0]).toMatchObject({ end: { kind: 'done', output: 'x', failed: true, ms: 90 } });
  });

  it('keeps only the last lines of much output while it runs', () => {
    const text = Array.from({ length: 1_000 }, (_, index) => `line ${index}`).join('\n');
    const transcript = fold(call, {
      kind: 'progress',
      agent: 'main',
      id: 'c1',
      text: `${text}${'x'.repeat(5_000)}`,
    });
    const [block] = transcript.blocks;
    if (block?.kind !== 'call') throw new Error('no call');
    expect(block.tail.length).toBeLessThanOrEqual(6);
    expect(block.tail.at(-1)?.length).toBe(1_000);
  });
});

describe('hooks', () => {
  const dispatch = {
    kind: 'dispatch',
    dispatch: 'd',
    event: 'PreToolUse',
    agent: 'main',
    turn: '1',
    verdict: 'none',
    ms: 4,
  } as const;

  it('stand with the call they judged, also before it runs', () => {
    const early = addDispatch(emptyTranscript, { ...dispatch, call: 'c1', hooks: [passed] });
    expect(early.blocks).toEqual([]);
    const running = addEvent(early, call, 0);
    const after = addDispatch(running, { ...dispatch, event: 'PostToolUse', call: 'c1', hooks: [passed] });
    expect(after.blocks[0]).toMatchObject({
      hooks: [
        { event: 'PreToolUse', hook: passed },
        { event: 'PostToolUse', hook: passed },
      ],
    });
  });

  it('that were skipped are not shown, and others only where they did something', () => {
    const skipped: JournaledHook = { ...passed, outcome: 'skipped', why: 'matcher' };
    const blocked: JournaledHook = { ...passed, outcome: 'blocked' };
    const transcript = addDispatch(emptyTranscript, {
      ...dispatch,
      event: 'Stop',
      hooks: [skipped, passed, blocked],
    });
    expect(shapes(transcript)).toEqual([{ kind: 'hook', line: { event: 'Stop', hook: blocked } }]);
  });

  it('that failed are told once, by the sentence that says how', () => {
    const failed: JournaledHook = { ...passed, outcome: 'failed', why: 'exit-code' };
    const late: JournaledHook = { ...passed, outcome: 'timed-out' };
    const transcript = addDispatch(emptyTranscript, { ...dispatch, event: 'run_end', hooks: [failed, late] });
    expect(shapes(transcript)).toEqual([]);
    const judged = addDispatch(addEvent(emptyTranscript, call, 0), {
      ...dispatch,
      call: 'c1',
      hooks: [failed],
    });
    expect(judged.blocks[0]).toMatchObject({ hooks: [] });
  });
});

it('shows the conversation of a session that was opened again', () => {
  const transcript = transcriptOf([
    { role: 'user', text: 'fix it' },
    { role: 'context', text: 'from a hook', source: 'hook' },
    {
      role: 'assistant',
      text: 'Looking.',
      calls: [{ id: 'c1', tool: 'run_shell', input: { command: 'ls' } }],
    },
    { role: 'tool', callId: 'c1', tool: 'run_shell', output: 'a.ts', failed: false },
  ]);
  expect(transcript.blocks).toMatchObject([
    { kind: 'prompt', text: 'fix it' },
    { kind: 'answer', text: 'Looking.', done: true },
    { kind: 'call', tool: 'run_shell', end: { kind: 'done', output: 'a.ts', failed: false } },
  ]);
});
