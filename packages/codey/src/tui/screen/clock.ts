// The clock the screen runs on; tests bring another one.
import { monotonicMs } from '@codey/hooks';

export interface Clock {
  /** Milliseconds, only for differences. */
  now(): number;
  /** Runs the function once after so many milliseconds; the result takes it back. */
  after(delayMs: number, run: () => void): () => void;
}

/** Its timers do not keep the process alive. */
export const machineClock: Clock = {
  now: monotonicMs,
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
