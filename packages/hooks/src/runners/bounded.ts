// Waits for work until its deadline or until the caller gives up: the one place where a runner's time is counted.
import { onAbort } from './on-abort.ts';

export type Interruption =
  | { readonly kind: 'timed-out'; readonly afterMs: number }
  | { readonly kind: 'cancelled' };

export interface Bounds {
  /** Above 0 and finite. */
  readonly deadlineMs: number;
  readonly signal?: AbortSignal;
}

/** The longest wait a Node timer takes; beyond it the timer would fire at once. */
const longestTimer = 2 ** 31 - 1;

/**
 * Resolves with what `work` gives, or with why it was not waited for. The clock runs before `work` is called, so a
 * start that blocks counts too. `stop` fires when the wait ended early, with the interruption as its
 * reason; work may go on behind it but is not heard.
 */
export function bounded<T>(
  bounds: Bounds,
  work: (stop: AbortSignal) => Promise<T>,
): Promise<T | Interruption> {
  const { deadlineMs, signal } = bounds;
  checkDeadline(deadlineMs);
  if (signal?.aborted) return Promise.resolve({ kind: 'cancelled' });
  return new Promise((resolve, reject) => {
    const stop = new AbortController();
    const timer = setTimeout(
      () => interrupt({ kind: 'timed-out', afterMs: deadlineMs }),
      Math.min(deadlineMs, longestTimer),
    );
    const ignore = onAbort(signal, () => interrupt({ kind: 'cancelled' }));

    function release() {
      clearTimeout(timer);
      ignore();
    }
    function interrupt(why: Interruption) {
      release();
      resolve(why);
      stop.abort(why);
    }
    work(stop.signal).then(resolve, reject).finally(release);
  });
}

/** Throws for a wait that would never or at once be over: a mistake of the caller, not of a hook. */
export function checkDeadline(deadlineMs: number): void {
  if (!Number.isFinite(deadlineMs) || deadlineMs <= 0) {
    throw new RangeError(`a deadline is a finite number of milliseconds above 0, not ${deadlineMs}`);
  }
}
