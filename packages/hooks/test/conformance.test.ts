// The suite itself: a right agent passes all of it, and for each case there is a wrong agent that fails it.
import { AssertionError } from 'node:assert';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  conformanceCases,
  type ConformanceHost,
  type ConformanceResult,
  runConformance,
} from '../src/testing/index.ts';
import { type Fault, faults } from './mini-agent/faults.ts';
import { createMiniHost } from './mini-agent/host.ts';

const caseOf = (id: string) => conformanceCases.find((examined) => examined.id === id)!;

describe('the conformance suite', () => {
  it.each(conformanceCases.map(({ id }) => id))('lets a right agent pass %s', async (id) => {
    await caseOf(id).run(createMiniHost());
  });

  it.each(Object.entries(faults) as [Fault, string][])('notices an agent that %s', async (fault, id) => {
    const error: unknown = await caseOf(id)
      .run(createMiniHost(fault))
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AssertionError);
    const { message } = error as AssertionError;
    expect(message).toContain(`${id}: ${caseOf(id).promise}`);
    expect(message).not.toContain('The host threw');
  });

  it('has a wrong agent for each of its cases', () => {
    expect(new Set<string>(Object.values(faults))).toEqual(new Set(conformanceCases.map(({ id }) => id)));
  });

  it('has no two cases with one id, and cites promises that there are', () => {
    const ids = conformanceCases.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const promises: { id: string }[] = JSON.parse(
      readFileSync(new URL('../../../docs/promises.json', import.meta.url), 'utf8'),
    );
    const known = new Set(promises.map(({ id }) => id));
    expect(conformanceCases.flatMap(({ cites }) => cites.filter((cited) => !known.has(cited)))).toEqual([]);
    expect(conformanceCases.filter(({ cites }) => cites.length === 0)).toEqual([]);
  });
});

describe('a run of the suite', () => {
  const only = ['gate.every-call-asks', 'prompt.text-is-context'];
  const summary = (results: readonly ConformanceResult[]) =>
    results.map((result) => [result.case.id, result.kind]);

  it('says what came of each case, as it ends and at the end', async () => {
    const told: ConformanceResult[] = [];
    const results = await runConformance(createMiniHost('drops what hooks say to a prompt'), {
      only,
      onResult: (result) => void told.push(result),
    });
    expect(summary(results)).toEqual([
      ['gate.every-call-asks', 'passed'],
      ['prompt.text-is-context', 'failed'],
    ]);
    expect(told).toEqual(results);
  });

  it('leaves out what the embedder skips with a reason, and what the agent does not have', async () => {
    const { subagent: _none, ...host } = createMiniHost();
    const results = await runConformance(host, {
      only: [...only, 'subagent.calls-ask'],
      skip: { 'gate.every-call-asks': 'known, being worked on' },
    });
    expect(results).toMatchObject([
      { kind: 'skipped', reason: 'known, being worked on' },
      { kind: 'passed' },
      { kind: 'skipped', reason: 'the agent has no subagent' },
    ]);
  });

  it.each([[{ only: ['gate.every-cal-asks'] }], [{ skip: { 'gate.every-cal-asks': 'why' } }]])(
    'refuses an id that no case has: %j',
    async (options) => {
      await expect(runConformance(createMiniHost(), options)).rejects.toThrow(
        'no conformance case is called gate.every-cal-asks; there are gate.every-call-asks,',
      );
    },
  );

  it('fails an agent that never answers, and goes on', async () => {
    const host: ConformanceHost = { ...createMiniHost(), open: () => new Promise(() => {}) };
    const results = await runConformance(host, { only, deadlineMs: 30 });
    expect(summary(results)).toEqual(only.map((id) => [id, 'failed']));
    expect(results[0]).toMatchObject({
      error: { message: expect.stringContaining('did not come to an end within 0.03 s') },
    });
  });

  it('says what a host threw', async () => {
    const host: ConformanceHost = {
      ...createMiniHost(),
      open: () => Promise.reject(new Error('no such model')),
    };
    const [result] = await runConformance(host, { only: ['prompt.text-is-context'] });
    expect(result).toMatchObject({
      kind: 'failed',
      error: {
        message: expect.stringMatching(
          /^prompt\.text-is-context: What a UserPromptSubmit hook prints .*\nThe host threw: Error: no such model\n(?:.*\n)+\(promises: contract\.output\.text-as-context\)\n\(hooks saw: nothing\)$/,
        ),
      },
    });
  });
});
