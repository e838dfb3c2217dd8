import type { JournalEntry, JournalLine, JournaledHook } from '@codey/hooks';
import { describe, expect, it } from 'vitest';
import { buildTrace } from './build-trace.ts';
import type { Trace } from './span.ts';
import { depthsOf, renderWaterfall } from './waterfall.ts';
import { perfettoTrace } from './perfetto.ts';

/** Lines at given milliseconds. */
function journal(
  ...entries: readonly (readonly [at: number, entry: JournalEntry])[]
): readonly JournalLine[] {
  return entries.map(([at, entry], index) => ({
    time: new Date(Date.UTC(2026, 0, 1) + at).toISOString(),
    session: 's1',
    pid: 1,
    n: index + 1,
    ...entry,
  }));
}

type Told = Partial<Omit<Extract<JournalEntry, { kind: 'lifecycle' }>, 'event' | 'kind'>>;

function told(event: Extract<JournalEntry, { kind: 'lifecycle' }>['event'], more: Told = {}): JournalEntry {
  return {
    kind: 'lifecycle',
    event,
    agent: 'main',
    turn: '',
    tool: '',
    reason: '',
    message: '',
    error: '',
    ...more,
  };
}

function asked(
  event: string,
  ms: number,
  hooks: readonly Partial<JournaledHook>[],
  more: object = {},
): JournalEntry {
  return {
    kind: 'dispatch',
    dispatch: event,
    event,
    agent: 'main',
    turn: '1',
    verdict: 'none',
    ms,
    hooks: hooks.map((hook, at) => ({
      id: `${event}:${at}`,
      scope: 'user',
      source: `a:${at}`,
      outcome: 'passed',
      ...hook,
    })),
    ...more,
  };
}

function gate(call: string, decision: 'allowed' | 'denied', by: string, agent = 'main'): JournalEntry {
  return { kind: 'gate', agent, tool: 'run_shell', call, decision, by };
}

/** One line a span: indented by what it lies in, `name start-end`. */
function outline(trace: Trace | undefined): readonly string[] {
  const depths = depthsOf(trace?.spans ?? []);
  return (trace?.spans ?? []).map(
    ({ id, kind, name, start, end, open, state }) =>
      `${'  '.repeat(depths[id] ?? 0)}${kind} ${name} ${start}-${end}${open ? ' open' : ''}${state === 'plain' ? '' : ` ${state}`}`,
  );
}

const whole = journal(
  [20, asked('SessionStart', 20, [{ ms: 15 }])],
  [25, told('session_start', { reason: 'startup' })],
  [30, told('run_start')],
  [40, told('turn_start', { turn: '1' })],
  [
    60,
    asked('PreToolUse', 10, [{ ms: 8 }, { outcome: 'skipped', why: 'if' }], {
      call: 'c1',
      tool: 'run_shell',
    }),
  ],
  [61, told('blocked', { tool: 'run_shell', reason: 'approval', message: 'bash: ls' })],
  [90, told('unblocked', { tool: 'run_shell', reason: 'approved' })],
  [91, gate('c1', 'allowed', 'user')],
  [92, told('tool_start', { turn: '1', tool: 'run_shell' })],
  [150, told('tool_result', { turn: '1', tool: 'run_shell', error: 'failed' })],
  [170, asked('PostToolUse', 15, [{ ms: 5 }, { ms: 7 }], { call: 'c1', tool: 'run_shell' })],
  [
    180,
    asked('PreToolUse', 5, [{ ms: 5, outcome: 'blocked', verdict: 'deny' }], {
      call: 'c2',
      tool: 'run_shell',
      verdict: 'deny',
    }),
  ],
  [181, gate('c2', 'denied', 'PreToolUse')],
  [190, told('turn_start', { turn: '2' })],
  [200, told('run_end', { reason: 'completed' })],
  [210, told('session_end', { reason: 'exit' })],
  [230, asked('Stop', 50, [{ ms: 50, note: 'ended in the background' }])],
);

describe('buildTrace', () => {
  it('puts calls into turns, tools and prompts into calls, hooks into what was asked', () => {
    expect(outline(buildTrace(whole, '/p'))).toEqual([
      'session session 0-210',
      '  dispatch SessionStart 0-20',
      '    hook a:0 0-15',
      '  run run 30-200',
      '    turn turn 1 40-190',
      '      call run_shell 50-170',
      '        dispatch PreToolUse 50-60',
      '          hook a:0 50-58',
      '          hook a:1 50-50 quiet',
      '        wait approval 61-90',
      '        tool run_shell 92-150 bad',
      '        dispatch PostToolUse 155-170',
      '          hook a:0 155-160',
      '          hook a:1 160-167',
      '      call run_shell 175-180 bad',
      '        dispatch PreToolUse 175-180 bad',
      '          hook a:0 175-180 bad',
      '    turn turn 2 190-200',
      '  dispatch Stop 180-230',
      '    hook a:0 180-230',
    ]);
  });

  it('keeps agents apart whose calls run side by side', () => {
    const lines = journal(
      [0, told('session_start')],
      [10, told('turn_start', { agent: 'main', turn: '1' })],
      [11, told('turn_start', { agent: 'reviewer', turn: '1' })],
      [20, asked('PreToolUse', 1, [], { call: 'm', tool: 'run_shell' })],
      [21, asked('PreToolUse', 1, [], { call: 'r', tool: 'run_shell', agent: 'reviewer' })],
      [22, told('tool_start', { agent: 'reviewer', tool: 'run_shell' })],
      [23, told('tool_start', { agent: 'main', tool: 'run_shell' })],
      [30, told('tool_result', { agent: 'main', tool: 'run_shell' })],
      [40, told('tool_result', { agent: 'reviewer', tool: 'run_shell' })],
      [50, told('turn_start', { agent: 'reviewer', turn: '2' })],
    );
    expect(outline(buildTrace(lines, '/p'))).toEqual([
      'session session 0-50 open',
      '  turn turn 1 10-50 open',
      '    call run_shell 19-30',
      '      tool run_shell 23-30',
      '  agent reviewer 11-50 open',
      '    turn turn 1 11-50',
      '      call run_shell 20-40',
      '        tool run_shell 22-40',
      '    turn turn 2 50-50 open',
    ]);
  });

  it('ends an agent where it may stop, and begins it anew with its next turn', () => {
    const turn = (turn: string) => told('turn_start', { agent: 'reviewer', turn });
    const stop = (more: object) => asked('SubagentStop', 5, [{ ms: 5 }], { agent: 'reviewer', ...more });
    const lines = journal(
      [0, told('session_start')],
      [10, turn('1')],
      [20, stop({ verdict: 'deny' })],
      [21, turn('2')],
      [30, stop({})],
      // In the background, of an agent that is gone.
      [35, asked('PostToolUse', 2, [{ ms: 2 }], { agent: 'reviewer' })],
      [40, turn('3')],
      [50, told('session_end')],
    );
    expect(outline(buildTrace(lines, '/p'))).toEqual([
      'session session 0-50',
      '  agent reviewer 10-30',
      '    turn turn 1 10-21',
      '      dispatch SubagentStop 15-20 bad',
      '        hook a:0 15-20',
      '    turn turn 2 21-30',
      '      dispatch SubagentStop 25-30',
      '        hook a:0 25-30',
      '  dispatch PostToolUse 33-35',
      '    hook a:0 33-35',
      '  agent reviewer 40-50',
      '    turn turn 3 40-50',
    ]);
  });

  it('makes a session that was reopened a span of its own', () => {
    const lines = journal(
      [0, told('session_start')],
      [10, told('session_end')],
      [100, asked('SessionStart', 5, [{ ms: 5 }])],
      [101, told('session_start', { reason: 'resume' })],
      [110, told('session_end')],
    );
    expect(outline(buildTrace(lines, '/p'))).toEqual([
      'session session 0-10',
      'session session 95-110',
      '  dispatch SessionStart 95-100',
      '    hook a:0 95-100',
    ]);
  });

  it('is nothing without lines', () => {
    expect(buildTrace([], '/p')).toBeUndefined();
  });
});

describe('renderWaterfall', () => {
  it('draws each span where it was, as wide as the terminal', () => {
    const lines = renderWaterfall(buildTrace(whole, '/p')!, 80).split('\n');
    const row = (name: string) => lines.find((line) => line.trimStart().startsWith(name)) ?? '';
    expect(row('turn 1')).toMatch(/^ {4}turn 1 +█+.* 150 ms$/);
    expect(row('waits: bash: ls')).toContain('29 ms');
    expect(row('PreToolUse → deny')).toMatch(/5 ms {2}deny$/);
    expect(lines.at(-1)).toBe('2 turns, 2 calls, 1 denied, 6 hook runs, 1 blocked or failed');
    expect(lines.join('\n')).not.toContain('skipped');
  });
});

describe('perfettoTrace', () => {
  it('gives each agent a row and hooks rows of their own', () => {
    expect(perfettoTrace(buildTrace(whole, '/p')!)).toMatchObject({
      otherData: { session: 's1' },
      traceEvents: expect.arrayContaining([
        expect.objectContaining({ name: 'thread_name', args: { name: 'main' } }),
        expect.objectContaining({ name: 'thread_name', args: { name: 'hooks: a:0' } }),
        expect.objectContaining({ name: 'turn 1', ph: 'X', ts: 40_000, dur: 150_000 }),
      ]),
    });
  });
});
