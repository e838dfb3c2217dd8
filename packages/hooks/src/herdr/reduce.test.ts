import { describe, expect, it } from 'vitest';
import { lifecycleEvent } from '../lifecycle/event.ts';
import type { LifecycleEventName } from '../lifecycle/catalogue.ts';
import { changePane, emptyPane, type PaneChange, type PaneState, paneReport, sameReport } from './reduce.ts';

const opened = (session: string): PaneChange => ({ kind: 'opened', session });
const shown = (session: string): PaneChange => ({ kind: 'shown', session });
const told = (event: LifecycleEventName, session: string, agent = 'main', message = ''): PaneChange => ({
  kind: 'event',
  event: lifecycleEvent({ event, session, agent, message }, new Date(0)),
});

function after(...changes: readonly PaneChange[]): PaneState {
  return changes.reduce(changePane, emptyPane);
}

const agents = (session: string, atWork: boolean): PaneChange => ({ kind: 'agents', session, atWork });

const idle = (session: string) => ({ state: 'idle', session });
const working = (session: string) => ({ state: 'working', session });
const blocked = (session: string, message: string) => ({ state: 'blocked', session, message });

describe('the state of a pane', () => {
  it.each([
    ['nothing before the first tab', [], undefined],
    ['idle with a tab that was asked nothing yet', [opened('a')], idle('a')],
    ['working from run_start on', [opened('a'), told('run_start', 'a')], working('a')],
    ['idle again after run_end', [opened('a'), told('run_start', 'a'), told('run_end', 'a')], idle('a')],
    [
      'idle while paused [codey.herdr.paused-is-idle]',
      [opened('a'), told('run_start', 'a'), told('paused', 'a')],
      idle('a'),
    ],
    [
      'working again when resumed',
      [opened('a'), told('run_start', 'a'), told('paused', 'a'), told('resumed', 'a')],
      working('a'),
    ],
    [
      'working where one of two tabs works [codey.herdr.working-beats-idle]',
      [opened('a'), opened('b'), told('run_start', 'b')],
      working('b'),
    ],
    [
      'blocked where one waits and one works [codey.herdr.blocked-beats-working]',
      [
        opened('a'),
        opened('b'),
        told('run_start', 'a'),
        told('run_start', 'b'),
        told('blocked', 'b', 'main', 'bash: x'),
      ],
      blocked('b', 'bash: x'),
    ],
    [
      'blocked by a prompt of an agent whose parent has ended its run [codey.herdr.subagent-prompt-counts]',
      [
        opened('a'),
        told('run_start', 'a'),
        told('run_end', 'a'),
        told('blocked', 'a', 'reviewer', 'bash: make'),
      ],
      blocked('a', 'bash: make'),
    ],
    [
      'working while an agent in the background goes on after the run [codey.herdr.working-beats-idle]',
      [opened('a'), opened('b'), told('run_start', 'a'), agents('a', true), told('run_end', 'a'), shown('b')],
      working('a'),
    ],
    [
      'idle when that agent is done as well',
      [opened('a'), told('run_start', 'a'), agents('a', true), told('run_end', 'a'), agents('a', false)],
      idle('a'),
    ],
    [
      'working again when the prompt of that agent is answered [codey.herdr.last-answer-restores]',
      [
        opened('a'),
        agents('a', true),
        told('blocked', 'a', 'reviewer', 'x'),
        told('unblocked', 'a', 'reviewer'),
      ],
      working('a'),
    ],
    [
      'blocked by the oldest of two prompts [contract.herdr.deciding-session]',
      [
        opened('a'),
        opened('b'),
        told('blocked', 'b', 'main', 'first'),
        told('blocked', 'a', 'main', 'second'),
      ],
      blocked('b', 'first'),
    ],
    [
      'blocked by the other prompt when one is answered [codey.herdr.two-waiting]',
      [
        opened('a'),
        told('blocked', 'a', 'main', 'first'),
        told('blocked', 'a', 'reviewer', 'second'),
        told('unblocked', 'a', 'main'),
      ],
      blocked('a', 'second'),
    ],
    [
      'what it was before when the last prompt is answered [codey.herdr.last-answer-restores]',
      [opened('a'), told('run_start', 'a'), told('blocked', 'a', 'main', 'x'), told('unblocked', 'a')],
      working('a'),
    ],
    [
      'blocked although the tab is paused: somebody is waited for',
      [opened('a'), told('run_start', 'a'), told('blocked', 'a', 'reviewer', 'x'), told('paused', 'a')],
      blocked('a', 'x'),
    ],
    [
      'that of the visible tab where several work [contract.herdr.deciding-session]',
      [opened('a'), opened('b'), told('run_start', 'a'), told('run_start', 'b'), shown('b')],
      working('b'),
    ],
    [
      'that of the working tab where the visible one is idle [contract.herdr.deciding-session]',
      [opened('a'), opened('b'), told('run_start', 'a'), shown('b')],
      working('a'),
    ],
    [
      'that of the visible tab where all are idle [contract.herdr.deciding-session]',
      [opened('a'), opened('b'), shown('b')],
      idle('b'),
    ],
    [
      'that of the tabs that are left when one closes with a prompt open',
      [opened('a'), opened('b'), shown('b'), told('blocked', 'b', 'main', 'x'), told('session_end', 'b')],
      idle('a'),
    ],
    ['nothing when the last tab has closed', [opened('a'), told('session_end', 'a')], undefined],
    ['untouched by a session nobody opened here', [opened('a'), told('run_start', 'z')], idle('a')],
  ])('is %s', (_name, changes, expected) => {
    expect(paneReport(after(...changes))).toEqual(expected);
  });

  it('stays the same value when an event says nothing about it', () => {
    const pane = after(opened('a'), shown('a'), told('run_start', 'a'));
    for (const event of ['turn_start', 'tool_start', 'tool_result'] as const) {
      expect(changePane(pane, told(event, 'a'))).toBe(pane);
    }
    expect(changePane(pane, opened('a'))).toBe(pane);
    expect(changePane(pane, shown('a'))).toBe(pane);
    expect(changePane(pane, agents('a', false))).toBe(pane);
    expect(changePane(pane, agents('z', true))).toBe(pane);
  });

  it('is told apart by state, message and session', () => {
    const report = { state: 'blocked', session: 'a', message: 'x' } as const;
    expect(sameReport(report, { ...report })).toBe(true);
    expect(sameReport(report, { ...report, message: 'y' })).toBe(false);
    expect(sameReport(report, { ...report, session: 'b' })).toBe(false);
    expect(sameReport(report, { state: 'working', session: 'a' })).toBe(false);
    expect(sameReport(report, undefined)).toBe(false);
    expect(sameReport(undefined, undefined)).toBe(true);
  });
});
