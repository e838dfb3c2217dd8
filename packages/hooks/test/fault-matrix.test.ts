// Every event, every type of hook, every way for it to go wrong, through the real engine and real processes.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { policyEventNames } from '../src/policy/catalogue.ts';
import type { Decision } from '../src/policy/decision.ts';
import {
  cellOf,
  type EventKind,
  eventKinds,
  type FaultName,
  faultNames,
  type FaultyType,
  handlerTypes,
} from './faults/table.ts';
import { createFaultWorld, createFaultyEngine, type FaultWorld, type FaultyEngine } from './faults/world.ts';

let world: FaultWorld;
beforeAll(async () => {
  world = await createFaultWorld();
});
afterAll(() => world.close());

const kindOf = new Map<string, EventKind>(
  Object.entries(eventKinds).flatMap(([kind, events]) => events.map((event) => [event, kind as EventKind])),
);

const cells = faultNames.flatMap((fault) =>
  handlerTypes
    .filter((type) => cellOf(fault, type, 'gate') !== undefined)
    .map((type): [FaultyType, FaultName] => [type, fault]),
);

it('the table places every event there is', () => {
  expect([...kindOf.keys()].sort()).toEqual([...policyEventNames].sort());
});

describe('on every event, whatever happens to its hook, the dispatch resolves as the table says [contract.outcome.closed-set]', () => {
  it.concurrent.each(cells)(
    'a %s hook that %s [contract.failure.on-failure-block] [contract.output.tightening-only] [contract.deadline.whole-group] [contract.deadline.open-pipe]',
    async (type, fault) => {
      const [loose, strict] = await Promise.all([
        askOnEveryEvent(fault, type, 'pass'),
        askOnEveryEvent(fault, type, 'block'),
      ]);
      expect(loose).toEqual(expectedRows(fault, type, 'pass'));
      expect(strict).toEqual(expectedRows(fault, type, 'block'));
    },
  );
});

describe.runIf(process.platform === 'linux')('an interrupt', () => {
  it.concurrent.each(handlerTypes)(
    'settles a hanging %s hook of every event as cancelled and leaves nothing running [contract.cancel.kills-hooks] [contract.cancel.gate-stays-shut]',
    async (type) => {
      const engine = engineFor('hangs', type, 'block');
      const interrupt = new AbortController();
      const asked = engine.askAll(interrupt.signal);
      await sleep(50);
      interrupt.abort();
      for (const { decision } of await asked) {
        expect([decision.verdict.kind, decision.reports[0]?.outcome.kind]).toEqual([
          'cancelled',
          'cancelled',
        ]);
      }
      await leaveNothing(engine);
    },
  );
});

/** One line an event: its name, the outcome, the verdict, and whether the model is told something. */
async function askOnEveryEvent(fault: FaultName, type: FaultyType, onFailure: 'pass' | 'block') {
  const engine = engineFor(fault, type, onFailure);
  const asked = await engine.askAll();
  if (fault === 'ends and leaves a daemon with its pipes' && (type === 'command' || type === 'program')) {
    await endDaemons(engine);
  }
  await leaveNothing(engine);
  const visible = engine.journal.filter(({ kind }) => kind === 'hook_error').length;
  expect(visible).toBe(asked.filter(({ decision }) => isBroken(decision)).length);
  return asked.map(({ event, decision }) => [event, ...said(decision)].join('  '));
}

function expectedRows(fault: FaultName, type: FaultyType, onFailure: 'pass' | 'block'): readonly string[] {
  return policyEventNames.map((event) => {
    const cell = cellOf(fault, type, kindOf.get(event) ?? 'gate');
    const [outcome, verdict, strict, context = ''] = cell ?? [];
    return [event, outcome, onFailure === 'block' ? strict : verdict, context].join('  ');
  });
}

function said(decision: Decision): readonly string[] {
  const [report] = decision.reports;
  const outcome = report?.outcome;
  return [
    outcome?.kind === 'failed' ? `failed: ${outcome.cause}` : (outcome?.kind ?? 'no report'),
    decision.verdict.kind,
    decision.contexts.length > 0 ? 'context' : '',
  ];
}

function isBroken({ reports: [report] }: Decision): boolean {
  return report?.outcome.kind === 'failed' || report?.outcome.kind === 'timed-out';
}

function engineFor(fault: FaultName, type: FaultyType, onFailure: 'pass' | 'block'): FaultyEngine {
  const engine = createFaultyEngine(fault, type, onFailure, world);
  if (engine === undefined) throw new Error(`no ${type} hook is written down that ${fault}`);
  return engine;
}

/** They were left alone, as promised, so they are ours to end. In the moment of its exec a process cannot be found. */
async function endDaemons(engine: FaultyEngine): Promise<void> {
  for (let quietLooks = 0; quietLooks < 3; ) {
    const left = engine.left();
    for (const pid of left) process.kill(pid, 'SIGKILL');
    quietLooks = left.length === 0 ? quietLooks + 1 : 0;
    await sleep(20);
  }
}

async function leaveNothing(engine: FaultyEngine): Promise<void> {
  await engine.close();
  expect(await engine.processes.settle(30_000)).toBe(true);
  expect(engine.left()).toEqual([]);
}
