// Keeps the event loop from sleeping for the moment in which an answer is likely.
import { availableParallelism } from 'node:os';
import { monotonicMs } from '../monotonic.ts';

/** A worker that only thinks has answered by then; for one that asks somebody else sleeping is right. */
const shortMs = 0.5;

/**
 * The loop goes round without waiting until `over`, for half a millisecond at most: being woken takes as long as a
 * worker takes to answer. Timers, input and other work go on as ever. Where there is one processor the worker needs it.
 */
export function stayAwake(over: () => boolean): void {
  if (processors === 1) return;
  const until = monotonicMs() + shortMs;
  const again = () => {
    if (!over() && monotonicMs() < until) setImmediate(again);
  };
  setImmediate(again);
}

const processors = availableParallelism();
