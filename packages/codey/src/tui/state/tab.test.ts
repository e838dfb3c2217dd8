import type { RunOutcome } from '@codey/agent';
import { describe, expect, it } from 'vitest';
import { newApproval } from '../prompts/approval-state.ts';
import { sayAgentsAtWork } from './at-work.ts';
import { slowHook } from './hook-runs.ts';
import { type Mark, markOf } from './mark.ts';
import { nextMode } from './next-mode.ts';
import type { OpenPrompt } from './prompt.ts';
import { newTab, reduceTab, sayEnd, type Tab, type TabEvent } from './tab.ts';
import {
  addTab,
  noTabs,
  removeTab,
  replaceTab,
  switchBy,
  switchToNumber,
  tellTab,
  waitingElsewhere,
} from './tabs.ts';

const outcome: RunOutcome = {
  stop: 'completed',
  text: '',
  error: '',
  turns: 1,
  usage: { input: 0, output: 0 },
};

function prompt(key: number): OpenPrompt {
  const request = {
    agent: { name: 'main', type: 'main' },
    call: { id: 'c', tool: 'run_shell', input: {} },
    message: 'bash: ls',
    reason: 'mode',
  };
  return { kind: 'approval', key, request, state: newApproval };
}

function after(...events: readonly TabEvent[]): Tab {
  const open: Tab = { ...newTab(1), phase: 'open' };
  return events.reduce((tab, event, index) => reduceTab(tab, event, index), open);
}

function lifecycle(event: 'paused' | 'resumed' | 'turn_start', agent = 'main'): TabEvent {
  return {
    kind: 'journal',
    entry: { kind: 'lifecycle', event, agent, turn: '3', tool: '', reason: '', message: '', error: '' },
  };
}

describe('the mark of a tab', () => {
  const submitted: TabEvent = { kind: 'submitted', text: 'go' };
  const cases: readonly (readonly [string, readonly TabEvent[], Mark])[] = [
    [
      'is idle after it was looked at',
      [{ kind: 'said', tone: 'plain', text: 'x' }, { kind: 'looked-at' }],
      'idle',
    ],
    ['is unread after something was said', [{ kind: 'said', tone: 'plain', text: 'x' }], 'unread'],
    ['is working during a run', [submitted], 'working'],
    ['is paused while it is held', [submitted, lifecycle('paused')], 'paused'],
    ['is working again when it is let go', [submitted, lifecycle('paused'), lifecycle('resumed')], 'working'],
    [
      'is blocked while a prompt is open, whatever else',
      [submitted, lifecycle('paused'), { kind: 'prompt-opened', prompt: prompt(1) }],
      'blocked',
    ],
    [
      'is working when the prompt is gone',
      [submitted, { kind: 'prompt-opened', prompt: prompt(1) }, { kind: 'prompt-closed', key: 1 }],
      'working',
    ],
    ['is not paused by a subagent', [submitted, lifecycle('paused', 'reviewer')], 'working'],
  ];
  it.each(cases)('%s', (_name, events, mark) => {
    expect(markOf(after(...events))).toBe(mark);
  });
});

describe('a run', () => {
  it('counts from when it was submitted and knows its turn', () => {
    const tab = after({ kind: 'submitted', text: 'go' }, lifecycle('turn_start'));
    expect(tab.run).toEqual({ since: 0, turn: 3 });
  });

  it('is over when it ended, and a pause that was held with it', () => {
    const tab = after({ kind: 'submitted', text: 'go' }, lifecycle('paused'), { kind: 'run-ended', outcome });
    expect(tab.run).toBeUndefined();
    expect(tab.pausing).toBe('no');
  });

  it('leaves a pause that was only asked for to the next one', () => {
    const tab = after(
      { kind: 'submitted', text: 'go' },
      { kind: 'pausing', pausing: 'asked' },
      { kind: 'run-ended', outcome },
    );
    expect(tab.pausing).toBe('asked');
  });

  it.each([
    ['completed', undefined],
    ['interrupted', 'Interrupted. Say what to do instead.'],
    ['prompt_blocked', 'The prompt was refused: why'],
    ['stop_blocked', 'A Stop hook ended the run: why'],
    ['halted', 'A hook ended the run: why'],
    ['error', 'why'],
    ['max_turns', 'why'],
    ['stop_hook_limit', 'why'],
  ] as const)('that was %s says %s', (stop, said) => {
    expect(sayEnd({ ...outcome, stop, error: 'why' })?.text).toBe(said);
  });
});

describe('an agent beside the main one', () => {
  const status = { name: 'ann', type: 'general', parent: 'main', task: 'look', outcome: '' } as const;
  const working: TabEvent = { kind: 'agent', status: { ...status, state: 'working' } };
  const call = (agent: string): TabEvent => ({
    kind: 'session',
    event: { kind: 'call', agent, id: `of-${agent}`, tool: 'run_shell', input: { command: 'sleep 61' } },
  });
  const ends = (tab: Tab): object =>
    Object.fromEntries(
      tab.transcript.blocks.flatMap((block) =>
        block.kind === 'call' ? [[block.agent, block.end.kind]] : [],
      ),
    );
  const submitted: TabEvent = { kind: 'submitted', text: 'go' };

  it('goes on with its call when the run of the main one ends', () => {
    const tab = after(submitted, working, call('ann'), call('main'), { kind: 'run-ended', outcome });
    expect(ends(tab)).toEqual({ ann: 'running', main: 'done' });
    expect(markOf(tab)).toBe('working');
    expect(sayAgentsAtWork(tab)).toBe('1 agent works');
  });

  it.each(['idle', 'done', 'failed', 'cancelled'] as const)(
    'that is %s has nothing running, while others go on',
    (state) => {
      const tab = after(submitted, working, call('ann'), call('main'), {
        kind: 'agent',
        status: { ...status, state },
      });
      expect(ends(tab)).toEqual({ ann: 'done', main: 'running' });
      expect(sayAgentsAtWork(tab)).toBeUndefined();
    },
  );

  it('and a line of the shell mark their tab as long as they last', () => {
    const shell = after({ kind: 'shell', line: 'sleep 100' }, { kind: 'looked-at' });
    expect(markOf(shell)).toBe('working');
    const key = shell.transcript.blocks[0]?.key ?? 0;
    const over = reduceTab(shell, { kind: 'shell-output', key, output: '', ended: '' }, 9);
    expect(markOf(reduceTab(over, { kind: 'looked-at' }, 9))).toBe('idle');
  });
});

describe('tabs', () => {
  const three = addTab(addTab(addTab(noTabs)));

  it('the newest is looked at, its neighbour when it is gone', () => {
    expect(three.active).toBe(3);
    expect(removeTab(three, 3).active).toBe(2);
    expect(removeTab(three, 1).active).toBe(3);
    expect(removeTab(switchToNumber(three, 1), 1).active).toBe(2);
  });

  it('are never numbered twice, and one can take the place of another', () => {
    const replaced = replaceTab(three, 2);
    expect(replaced.list.map(({ key }) => key)).toEqual([1, 4, 3]);
    expect(replaced.active).toBe(4);
  });

  it('follow each other in a ring', () => {
    expect(switchBy(three, 1).active).toBe(1);
    expect(switchBy(switchBy(three, 1), -1).active).toBe(3);
    expect(switchToNumber(three, 9)).toBe(three);
  });

  it('in the background that wait are told with the longest wait first', () => {
    const asked = [
      { tab: 2, key: 1 },
      { tab: 1, key: 2 },
      { tab: 3, key: 3 },
    ].reduce(
      (tabs, { tab, key }) => tellTab(tabs, tab, { kind: 'prompt-opened', prompt: prompt(key) }, 0),
      three,
    );
    expect(waitingElsewhere(asked).map(({ key }) => key)).toEqual([2, 1]);
  });
});

it('goes through the modes that ask and never into one that does not', () => {
  expect(
    ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions'].map((mode) =>
      nextMode(mode as 'default'),
    ),
  ).toEqual(['acceptEdits', 'plan', 'default', 'default', 'default']);
});

it('names the hook that has run longest, once that is long', () => {
  const run = (runId: string, since: number) => ({ runId, since, event: 'Stop', label: runId });
  expect(slowHook([], 5_000)).toBeUndefined();
  expect(slowHook([run('a', 4_500)], 5_000)).toBeUndefined();
  expect(slowHook([run('b', 3_000), run('a', 1_000)], 5_000)?.runId).toBe('a');
});
