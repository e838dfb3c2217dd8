// What herdr is told over whole stories, on a stand-in that is as strict as the real one.
import { describe, expect, it } from 'vitest';
import { createTestPane, type TestPane } from './pane.ts';

type Step = (pane: TestPane) => void;

const open =
  (session: string): Step =>
  (pane) =>
    pane.open(session);
const show =
  (session: string): Step =>
  (pane) =>
    pane.reporter.visible(session);
const run =
  (session: string): Step =>
  (pane) =>
    pane.tell('run_start', session);
const end =
  (session: string): Step =>
  (pane) =>
    pane.tell('run_end', session);
const pause =
  (session: string): Step =>
  (pane) =>
    pane.tell('paused', session);
const resume =
  (session: string): Step =>
  (pane) =>
    pane.tell('resumed', session);
const close =
  (session: string): Step =>
  (pane) =>
    pane.tell('session_end', session);
const turn =
  (session: string): Step =>
  (pane) => {
    pane.tell('turn_start', session);
    pane.tell('tool_start', session);
    pane.tell('tool_result', session);
  };
const ask =
  (session: string, message: string, agent = 'main'): Step =>
  (pane) =>
    pane.tell('blocked', session, { agent, message });
const settle =
  (session: string, agent = 'main'): Step =>
  (pane) =>
    pane.tell('unblocked', session, { agent });

const stories: readonly (readonly [name: string, steps: readonly Step[], states: readonly string[]])[] = [
  ['a tab that is opened and left', [open('a')], ['idle a']],
  ['one run', [open('a'), run('a'), end('a')], ['idle a', 'working a', 'idle a']],
  [
    'a run of several turns, told once',
    [open('a'), run('a'), turn('a'), turn('a'), turn('a'), end('a')],
    ['idle a', 'working a', 'idle a'],
  ],
  [
    'an approval in a run [codey.herdr.message-approval] [codey.herdr.last-answer-restores]',
    [open('a'), run('a'), ask('a', 'bash: rm -rf build'), settle('a'), end('a')],
    ['idle a', 'working a', 'blocked a: bash: rm -rf build', 'working a', 'idle a'],
  ],
  [
    'a question with two headings [codey.herdr.message-question]',
    [open('a'), run('a'), ask('a', 'asked about Storage, Error handling'), settle('a'), end('a')],
    ['idle a', 'working a', 'blocked a: asked about Storage, Error handling', 'working a', 'idle a'],
  ],
  [
    'two questions in a row',
    [
      open('a'),
      run('a'),
      ask('a', 'bash: make'),
      settle('a'),
      ask('a', 'bash: make install'),
      settle('a'),
      end('a'),
    ],
    [
      'idle a',
      'working a',
      'blocked a: bash: make',
      'working a',
      'blocked a: bash: make install',
      'working a',
      'idle a',
    ],
  ],
  [
    'two agents waiting, answered in order [codey.herdr.two-waiting]',
    [
      open('a'),
      run('a'),
      ask('a', 'bash: one'),
      ask('a', 'bash: two', 'reviewer'),
      settle('a'),
      settle('a', 'reviewer'),
      end('a'),
    ],
    ['idle a', 'working a', 'blocked a: bash: one', 'blocked a: bash: two', 'working a', 'idle a'],
  ],
  [
    'two agents waiting, the later one answered first [codey.herdr.two-waiting]',
    [
      open('a'),
      run('a'),
      ask('a', 'bash: one'),
      ask('a', 'bash: two', 'reviewer'),
      settle('a', 'reviewer'),
      settle('a'),
      end('a'),
    ],
    ['idle a', 'working a', 'blocked a: bash: one', 'working a', 'idle a'],
  ],
  [
    'an agent in the background that asks after the run [codey.herdr.subagent-prompt-counts]',
    [open('a'), run('a'), end('a'), ask('a', 'bash: make', 'builder'), settle('a', 'builder')],
    ['idle a', 'working a', 'idle a', 'blocked a: bash: make', 'idle a'],
  ],
  [
    'an agent in the background that still waits when the run ends [codey.herdr.subagent-prompt-counts]',
    [open('a'), run('a'), ask('a', 'bash: make', 'builder'), end('a'), settle('a', 'builder')],
    ['idle a', 'working a', 'blocked a: bash: make', 'idle a'],
  ],
  [
    'a pause inside a run [codey.herdr.paused-is-idle]',
    [open('a'), run('a'), pause('a'), resume('a'), end('a')],
    ['idle a', 'working a', 'idle a', 'working a', 'idle a'],
  ],
  [
    'a pause that a subagent interrupts with a question',
    [
      open('a'),
      run('a'),
      pause('a'),
      ask('a', 'bash: make', 'builder'),
      settle('a', 'builder'),
      resume('a'),
      end('a'),
    ],
    ['idle a', 'working a', 'idle a', 'blocked a: bash: make', 'idle a', 'working a', 'idle a'],
  ],
  [
    'two tabs of which one works [codey.herdr.working-beats-idle]',
    [open('a'), show('a'), run('a'), open('b'), show('b'), end('a')],
    ['idle a', 'working a', 'idle b'],
  ],
  [
    'two tabs of which one is blocked [codey.herdr.blocked-beats-working] [contract.herdr.deciding-session]',
    [
      open('a'),
      run('a'),
      open('b'),
      show('b'),
      run('b'),
      ask('a', 'bash: x'),
      settle('a'),
      end('b'),
      end('a'),
    ],
    ['idle a', 'working a', 'working b', 'blocked a: bash: x', 'working b', 'working a', 'idle b'],
  ],
  [
    'two blocked tabs: the oldest prompt speaks [contract.herdr.deciding-session]',
    [
      open('a'),
      run('a'),
      open('b'),
      run('b'),
      ask('b', 'bash: b'),
      ask('a', 'bash: a'),
      settle('b'),
      settle('a'),
    ],
    ['idle a', 'working a', 'blocked b: bash: b', 'blocked a: bash: a', 'working a'],
  ],
  [
    'tabs looked at in turn, all idle [contract.herdr.deciding-session]',
    [open('a'), show('a'), open('b'), show('b'), show('a')],
    ['idle a', 'idle b', 'idle a'],
  ],
  [
    'a blocked tab that is closed',
    [open('a'), show('a'), open('b'), run('b'), ask('b', 'bash: x'), settle('b'), end('b'), close('b')],
    ['idle a', 'working b', 'blocked b: bash: x', 'working b', 'idle a'],
  ],
  [
    'a conversation that is cleared and goes on as another session',
    [open('a'), show('a'), run('a'), end('a'), close('a'), open('b'), show('b'), run('b'), end('b')],
    ['idle a', 'working a', 'idle a', 'idle b', 'working b', 'idle b'],
  ],
  [
    'a run that an interrupt ends while it asks',
    [open('a'), run('a'), ask('a', 'bash: sleep 9'), settle('a'), end('a')],
    ['idle a', 'working a', 'blocked a: bash: sleep 9', 'working a', 'idle a'],
  ],
  [
    'a message that looks like an option of herdr',
    [open('a'), run('a'), ask('a', '--session=elsewhere'), settle('a'), end('a')],
    ['idle a', 'working a', 'blocked a:  --session=elsewhere', 'working a', 'idle a'],
  ],
  [
    'a message with quotes and signs a shell would act on',
    [open('a'), run('a'), ask('a', `bash: echo "$HOME" '; rm -rf /' \`id\``), settle('a')],
    ['idle a', 'working a', `blocked a: bash: echo "$HOME" '; rm -rf /' \`id\``, 'working a'],
  ],
];

describe('a story ends with the pane given up and tells herdr each state once', () => {
  it.each(stories)('%s', async (_name, steps, states) => {
    const pane = createTestPane();
    for (const step of steps) {
      step(pane);
      await pane.quiet();
    }
    await pane.reporter.release();
    expect(pane.heard.filter((heard) => heard !== 'metadata')).toEqual([...states, 'released']);
    expect(pane.server.panes['w1:p1']).toMatchObject({ authority: null, labels: {}, tokens: {} });
    expect(pane.journal).toEqual([]);
  });
});

describe('the reporter', () => {
  it('lets the newest state win while a call is under way', async () => {
    const pane = createTestPane();
    pane.behave('held');
    pane.open('a');
    await pane.quiet();
    for (const step of [run('a'), ask('a', 'bash: x'), settle('a'), end('a'), run('a')]) step(pane);
    expect(pane.calls).toHaveLength(1);
    pane.letGo();
    await pane.quiet();
    expect(pane.heard.filter((heard) => heard !== 'metadata')).toEqual(['idle a', 'working a']);
  });

  it('shows the reason and the session beside the state, and takes both away', async () => {
    const pane = createTestPane();
    pane.open('a');
    await pane.quiet();
    expect(pane.server.panes['w1:p1']).toMatchObject({ tokens: { session: 'a' }, labels: {} });
    pane.tell('blocked', 'a', { message: 'bash: make' });
    await pane.quiet();
    expect(pane.server.panes['w1:p1']).toMatchObject({ labels: { blocked: 'bash: make' } });
    pane.tell('unblocked', 'a');
    await pane.quiet();
    expect(pane.server.panes['w1:p1']).toMatchObject({ tokens: { session: 'a' }, labels: {} });
  });

  it('counts upwards on every call, also when the clock stands still or goes back', async () => {
    let now = 1_800_000_000_000;
    const pane = createTestPane({ now: () => now-- });
    for (const step of [open('a'), run('a'), end('a'), run('a')]) {
      step(pane);
      await pane.quiet();
    }
    await pane.reporter.release();
    const sequences = pane.calls.map((args) => Number(args[args.indexOf('--seq') + 1]));
    expect(sequences[0]).toBe(1_800_000_000_000_000);
    expect(sequences).toEqual([...new Set(sequences)].sort((one, other) => one - other));
    expect(pane.heard).not.toContain('ignored: stale');
  });

  it('waits for the call under way and releases with a higher number, then hears nothing more', async () => {
    const pane = createTestPane();
    pane.behave('held');
    pane.open('a');
    await pane.quiet();
    const released = pane.reporter.release();
    pane.tell('run_start', 'a');
    await pane.quiet();
    expect(pane.calls).toHaveLength(1);
    pane.letGo();
    await released;
    pane.tell('run_end', 'a');
    pane.open('b');
    await pane.reporter.release();
    await pane.quiet();
    expect(pane.heard).toEqual(['idle a', 'released']);
  });

  it('gives the last calls as long as any other, but less where herdr did not answer before, and hands over what is late', async () => {
    const slow = createTestPane();
    slow.open('a');
    await slow.quiet();
    await slow.reporter.release();
    expect(slow.calls.map(([, verb]) => verb)).toEqual([
      'report-agent',
      'report-metadata',
      'report-metadata',
      'release-agent',
    ]);
    expect(slow.deadlines).toEqual([2_000, 2_000, 2_000, 2_000]);

    const stuck = createTestPane();
    stuck.open('a');
    await stuck.quiet();
    stuck.behave('stuck');
    await stuck.reporter.release();
    expect(stuck.deadlines.slice(2)).toEqual([2_000]);
    expect(stuck.handedOver.map(([, verb]) => verb)).toEqual(['report-metadata', 'release-agent']);
    const numbers = [...stuck.calls, ...stuck.handedOver].map((args) =>
      Number(args[args.indexOf('--seq') + 1]),
    );
    expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));

    const silent = createTestPane();
    silent.behave('stuck');
    silent.open('a');
    await silent.quiet();
    await silent.reporter.release();
    expect(silent.deadlines.at(-1)).toBe(1_000);
    expect(silent.handedOver.map(([, verb]) => verb)).toEqual(['release-agent']);
  });

  it('frees the pane in the last moment of a process, once', async () => {
    const pane = createTestPane();
    pane.open('a');
    await pane.quiet();
    pane.reporter.releaseAtOnce();
    pane.reporter.releaseAtOnce();
    pane.tell('run_start', 'a');
    await pane.quiet();
    expect(pane.heard).toEqual(['idle a', 'metadata', 'metadata', 'released']);
    expect(pane.server.panes['w1:p1']).toMatchObject({ authority: null, tokens: {} });
  });

  it('frees the pane of what a call under way may have put there', async () => {
    const pane = createTestPane();
    pane.behave('held');
    pane.open('a');
    await pane.quiet();
    pane.letGo();
    pane.behave('held');
    while (pane.calls.length < 2) await new Promise(setImmediate);
    pane.reporter.releaseAtOnce();
    expect(pane.calls.slice(2).map(([, verb]) => verb)).toEqual(['report-metadata', 'release-agent']);
    pane.letGo();
    await pane.quiet();
  });

  it('hands over what is late in the last moment of a process', async () => {
    const pane = createTestPane();
    pane.open('a');
    await pane.quiet();
    pane.behave('stuck');
    pane.reporter.releaseAtOnce();
    expect(pane.handedOver.map(([, verb]) => verb)).toEqual(['report-metadata', 'release-agent']);
  });

  it('has nothing to free where it never reported', async () => {
    const pane = createTestPane();
    await pane.reporter.release();
    pane.reporter.releaseAtOnce();
    expect(pane.calls).toEqual([]);
  });

  it('gives the pane up when the process is stopped and tells the state again when it goes on', async () => {
    const pane = createTestPane();
    pane.open('a');
    pane.tell('run_start', 'a');
    await pane.quiet();
    await pane.reporter.suspend();
    expect(pane.server.panes['w1:p1']?.authority).toBeNull();
    pane.reporter.resume();
    await pane.quiet();
    expect(pane.server.panes['w1:p1']?.authority?.state).toBe('working');
    // Stopped by a signal nobody can catch: it only learns that it goes on.
    pane.reporter.resume();
    await pane.quiet();
    expect(pane.heard.filter((heard) => heard !== 'metadata')).toEqual([
      'working a',
      'released',
      'working a',
      'working a',
    ]);
  });
});

describe('a herdr that cannot be told', () => {
  it('leaves one line for each reason and is told the newest state at the next change [codey.herdr.failure-logged]', async () => {
    const pane = createTestPane();
    pane.behave('gone');
    pane.open('a');
    await pane.quiet();
    pane.tell('run_start', 'a');
    await pane.quiet();
    pane.behave('stuck');
    pane.tell('run_end', 'a');
    await pane.quiet();
    pane.behave('fine');
    pane.tell('run_start', 'a');
    await pane.quiet();
    const line = { kind: 'hook_error', hook: 'herdr', source: 'pane report-agent w1:p1', cause: 'herdr' };
    expect(pane.journal).toEqual([
      { ...line, event: 'session_start', detail: 'no such file' },
      { ...line, event: 'run_end', detail: 'herdr did not answer within 2 s' },
    ]);
    expect(pane.heard).toEqual(['working a', 'metadata']);
  });

  it('leaves no second line where the last calls fail as the others did [codey.herdr.failure-logged]', async () => {
    const pane = createTestPane();
    pane.behave('gone');
    pane.open('a');
    await pane.quiet();
    await pane.reporter.release();
    expect(pane.calls.map(([, verb]) => verb)).toEqual(['report-agent', 'release-agent']);
    expect(pane.journal).toMatchObject([{ detail: 'no such file' }]);
  });

  it('is told again after a while when nothing changes', async () => {
    const pane = createTestPane();
    pane.open('a');
    await pane.quiet();
    pane.behave('gone');
    pane.tell('run_start', 'a');
    await pane.quiet();
    const before = pane.calls.length;
    pane.behave('fine');
    pane.retry();
    await pane.quiet();
    expect(pane.calls).toHaveLength(before + 1);
    expect(pane.heard.at(-1)).toBe('working a');
  });

  it('is told the same state again after a call that may or may not have reached it', async () => {
    const pane = createTestPane();
    pane.open('a');
    await pane.quiet();
    pane.behave('stuck');
    pane.tell('run_start', 'a');
    await pane.quiet();
    pane.behave('fine');
    pane.tell('run_end', 'a');
    await pane.quiet();
    expect(pane.heard.at(-1)).toBe('idle a');
  });

  it('is a pane that is gone: said with its own words, and the next change is tried all the same', async () => {
    const pane = createTestPane({ pane: 'w9:p9' });
    pane.open('a');
    await pane.quiet();
    pane.tell('run_start', 'a');
    await pane.quiet();
    expect(pane.journal).toMatchObject([{ cause: 'herdr', exit: 1 }]);
    expect(pane.heard).toEqual(['refused: exit 1', 'refused: exit 1']);
  });
});

describe('several codeys in one pane', () => {
  it('speak with one voice: the other speaks up at its next change once the first has left [contract.herdr.one-reporter]', async () => {
    let holder: string | undefined;
    const claimOf = (name: string) => ({
      take: () => {
        holder ??= name;
        return Promise.resolve({ held: holder === name, owner: null });
      },
      giveUp: () => {
        if (holder === name) holder = undefined;
        return Promise.resolve();
      },
    });
    const first = createTestPane({ claim: claimOf('first') });
    const second = createTestPane({ claim: claimOf('second'), server: first.server });
    first.open('a');
    await first.quiet();
    second.open('b');
    second.tell('run_start', 'b');
    await second.quiet();
    expect(second.calls).toEqual([]);
    await first.reporter.release();
    second.tell('run_end', 'b');
    await second.quiet();
    expect(second.heard).toEqual(['idle b', 'metadata']);
    await second.reporter.release();
    expect(second.heard.at(-1)).toBe('released');
  });

  it('leave the pane of the other alone when the silent one ends [contract.herdr.one-reporter]', async () => {
    const taken = {
      take: () => Promise.resolve({ held: false, owner: null }),
      giveUp: () => Promise.resolve(),
    };
    const silent = createTestPane({ claim: taken });
    silent.open('b');
    await silent.quiet();
    await silent.reporter.release();
    silent.reporter.releaseAtOnce();
    expect(silent.calls).toEqual([]);
  });

  it('follow one another after a crash: the next one replaces what was left', async () => {
    const crashed = createTestPane();
    crashed.open('a');
    crashed.tell('blocked', 'a', { message: 'bash: x' });
    await crashed.quiet();
    const next = createTestPane({ server: crashed.server });
    next.open('b');
    await next.quiet();
    expect(crashed.server.panes['w1:p1']).toMatchObject({
      authority: { state: 'idle' },
      labels: {},
      tokens: { session: 'b' },
    });
  });
});
