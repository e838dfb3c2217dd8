// Sessions in which anything may happen at any time, and what holds all the same.
import { mkdir, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type JournalLine, type LifecycleEvent, readJournal } from '@codey/hooks';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sessionPlan } from './chaos/plan.ts';
import { type Place, type Played, playPlan } from './chaos/play.ts';

let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'chaos-')));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function emptyPlace(): Promise<Place> {
  const home = await mkdtemp(join(folder, 'home-'));
  const projectRoot = join(home, 'project');
  await mkdir(projectRoot);
  return { home, projectRoot };
}

it('whatever happens in a session: ends follow starts, nothing runs unjudged, and what is kept can be read [codey.blocked.unblocks-once] [codey.tool.result-per-call] [codey.run.end-once] [contract.cancel.gate-stays-shut] [contract.journal.append-only]', async () => {
  await fc.assert(
    fc.asyncProperty(sessionPlan, async (plan) => {
      const place = await emptyPlace();
      const played = await playPlan(plan, 'one', place);
      await expectSound(played, place);
    }),
    { numRuns: 14, endOnFailure: true },
  );
});

it('and so in two sessions at once in one project [contract.engine.two-roots]', async () => {
  await fc.assert(
    fc.asyncProperty(sessionPlan, sessionPlan, async (one, other) => {
      const place = await emptyPlace();
      const both = await Promise.all([playPlan(one, 'one', place), playPlan(other, 'two', place)]);
      for (const played of both) await expectSound(played, place);
    }),
    { numRuns: 6, endOnFailure: true },
  );
});

async function expectSound(played: Played, place: Place): Promise<void> {
  expectPaired(played.events);
  expectJudged(played);
  expectSameConversation(played);
  await expectWholeJournal(played, place);
}

function expectPaired(events: readonly LifecycleEvent[]): void {
  // The first event is told before anybody can watch.
  expect(events.at(-1)?.event).toBe('session_end');
  expect(events.filter(({ event }) => event === 'session_end')).toHaveLength(1);
  const open = new Map<string, string[]>();
  const of = (kind: string, agent: string): string[] => {
    const key = `${kind} ${agent}`;
    const found = open.get(key) ?? [];
    open.set(key, found);
    return found;
  };
  for (const { event, agent, tool } of events) {
    switch (event) {
      case 'blocked':
        expect(of('blocked', agent)).toEqual([]);
        of('blocked', agent).push(tool);
        break;
      case 'unblocked':
        expect(of('blocked', agent)).toHaveLength(1);
        of('blocked', agent).pop();
        break;
      case 'tool_start':
        of('tool', agent).push(tool);
        break;
      case 'tool_result': {
        const started = of('tool', agent);
        expect(started).toContain(tool);
        started.splice(started.indexOf(tool), 1);
        break;
      }
      case 'run_start':
        expect(of('run', agent)).toEqual([]);
        of('run', agent).push('');
        break;
      case 'run_end':
        expect(of('run', agent)).toHaveLength(1);
        of('run', agent).pop();
        break;
      case 'turn_start':
        if (agent === 'main') expect(of('run', agent)).toHaveLength(1);
        break;
      case 'session_start':
      case 'session_end':
      case 'paused':
      case 'resumed':
        break;
    }
  }
  expect([...open].filter(([, left]) => left.length > 0)).toEqual([]);
}

/** A tool that ran left a file; every hook was asked about the very input that made it. */
function expectJudged({ effects, judged }: Played): void {
  for (const effect of effects) expect(judged).toMatch(new RegExp(`/${effect}\\b`));
}

function expectSameConversation({ state, reopened }: Played): void {
  const finished = (found: Played['state']) => found.messages.get('main');
  expect(finished(reopened)).toEqual(finished(state));
  expect(reopened.usage).toEqual(state.usage);
  expect([...reopened.openRuns]).toEqual([]);
}

async function expectWholeJournal({ id, events }: Played, { home, projectRoot }: Place): Promise<void> {
  const lines: JournalLine[] = [];
  let damaged = 0;
  const source = { projectRoot, home, onDamaged: () => void damaged++ };
  for await (const line of readJournal(source, { session: id })) lines.push(line);
  expect(damaged).toBe(0);
  expect(lines.map(({ n }) => n)).toEqual(lines.map((_, index) => index + 1));
  const told = lines.flatMap((line) => (line.kind === 'lifecycle' ? [line.event] : []));
  expect(told).toEqual(['session_start', ...events.map(({ event }) => event)]);
  for (const text of (await readFile(join(projectRoot, '.codey/events.jsonl'), 'utf8')).trim().split('\n'))
    expect(typeof JSON.parse(text)).toBe('object');
}
