// Asks a provider again when that can help, and says so while it waits.
import type { Failure } from './failure.ts';
import { ModelError, type ModelEvent } from './model.ts';
import type { Wait } from './wait.ts';

export interface RetryWorld {
  readonly signal: AbortSignal;
  readonly readFailure: (thrown: unknown) => Failure;
  readonly wait: Wait;
  /** From 0 to 1. */
  readonly random: () => number;
}

const attempts = 5;
const firstDelayMs = 1_000;
const longestDelayMs = 30_000;
/** A provider that wants us to wait longer has closed for the day; somebody sitting there should know now. */
const longestPatienceMs = 300_000;

/**
 * The events of the first attempt that reaches its end. Between attempts comes a `retry` event, and what was streamed
 * before it is void. Throws the last failure's ModelError, or the signal's reason when aborted, also during a wait.
 */
export async function* withRetry(
  ask: () => AsyncIterable<ModelEvent>,
  world: RetryWorld,
): AsyncGenerator<ModelEvent> {
  for (let attempt = 1; ; attempt++) {
    world.signal.throwIfAborted();
    try {
      yield* ask();
      return;
    } catch (thrown) {
      world.signal.throwIfAborted();
      const { error, again } = world.readFailure(thrown);
      const allowed = { yes: attempts, once: 2, no: 1 }[again];
      if (attempt >= allowed) throw error;
      const delayMs = delayBefore(attempt, error.retryAfterMs, world.random);
      if (delayMs > longestPatienceMs) throw tooLong(error, delayMs);
      yield { kind: 'retry', attempt, delayMs, message: error.message };
      await world.wait(delayMs, world.signal);
    }
  }
}

/**
 * What the provider asked for, never less; else doubling from a second. The random part spreads many agents that were
 * refused in the same moment.
 */
function delayBefore(attempt: number, retryAfterMs: number | undefined, random: () => number): number {
  if (retryAfterMs !== undefined) return Math.ceil(retryAfterMs + random() * 0.1 * firstDelayMs);
  const full = Math.min(longestDelayMs, firstDelayMs * 2 ** (attempt - 1));
  return Math.round(full * (0.5 + random() / 2));
}

function tooLong(error: ModelError, delayMs: number): ModelError {
  const minutes = Math.ceil(delayMs / 60_000);
  return new ModelError(
    error.kind,
    `${error.message}; it asks to wait ${minutes} minutes, so it was not asked again`,
    {
      retryAfterMs: delayMs,
    },
  );
}
