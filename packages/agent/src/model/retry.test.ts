import { describe, expect, it } from 'vitest';
import type { Failure } from './failure.ts';
import { ModelError, type ModelEvent } from './model.ts';
import { withRetry } from './retry.ts';
import { waitOnClock } from './wait.ts';

const text = (value: string): ModelEvent => ({ kind: 'text', text: value });
const server = new ModelError('server', 'broken');
const again: Failure = { error: server, again: 'yes' };

/** Each attempt is a list of events, an error at its end. */
function attempts(...rows: (readonly (ModelEvent | Error)[])[]): () => AsyncIterable<ModelEvent> {
  let next = 0;
  return async function* () {
    for (const step of rows[next++] ?? []) {
      if (step instanceof Error) throw step;
      yield step;
    }
  };
}

async function read(events: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const found: ModelEvent[] = [];
  for await (const event of events) found.push(event);
  return found;
}

describe('asking again', () => {
  it.each([
    [0, [500, 1000, 2000, 4000]],
    [1, [1000, 2000, 4000, 8000]],
  ])('waits longer each time, by chance between half and all (%d)', async (random, expected) => {
    const waits: number[] = [];
    const ask = attempts([server], [server], [server], [server], [server], [text('too late')]);
    const world = { signal: new AbortController().signal, readFailure: () => again, random: () => random };
    await expect(read(withRetry(ask, { ...world, wait: async (ms) => void waits.push(ms) }))).rejects.toBe(
      server,
    );
    expect(waits).toEqual(expected);
  });

  it('never waits less than it was asked to', async () => {
    const waits: number[] = [];
    const slow: Failure = {
      error: new ModelError('rate-limit', 'slow', { retryAfterMs: 60_000 }),
      again: 'yes',
    };
    const world = { signal: new AbortController().signal, readFailure: () => slow, random: () => 0.5 };
    const events = await read(
      withRetry(attempts([text('void'), server], [text('kept')]), {
        ...world,
        wait: async (ms) => void waits.push(ms),
      }),
    );
    expect(waits).toEqual([60_050]);
    expect(events).toEqual([
      text('void'),
      { kind: 'retry', attempt: 1, delayMs: 60_050, message: 'slow' },
      text('kept'),
    ]);
  });

  it('shows the wait before it begins and ends it at once when interrupted', async () => {
    const controller = new AbortController();
    const reason = new Error('interrupted');
    const world = { signal: controller.signal, readFailure: () => again, random: () => 1, wait: waitOnClock };
    const events = withRetry(attempts([server], [text('never')]), world)[Symbol.asyncIterator]();
    expect((await events.next()).value).toMatchObject({ kind: 'retry' });
    const next = events.next();
    controller.abort(reason);
    await expect(next).rejects.toBe(reason);
  });

  it('throws the reason of an interrupt, not what it broke', async () => {
    const controller = new AbortController();
    const reason = new Error('interrupted');
    const ask = async function* (): AsyncGenerator<ModelEvent> {
      yield text('a');
      controller.abort(reason);
      throw new Error('socket closed');
    };
    const world = { signal: controller.signal, readFailure: () => again, random: () => 1, wait: waitOnClock };
    await expect(read(withRetry(ask, world))).rejects.toBe(reason);
    await expect(read(withRetry(attempts([text('a')]), world))).rejects.toBe(reason);
  });
});
