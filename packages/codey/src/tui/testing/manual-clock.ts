// A clock that stands still until a test moves it.
import type { Clock } from '../screen/clock.ts';

export interface ManualClock extends Clock {
  /** Runs everything that is due meanwhile, in order. */
  advance(ms: number): void;
}

export function createManualClock(): ManualClock {
  let now = 0;
  const due = new Set<{ readonly at: number; readonly run: () => void }>();
  return {
    now: () => now,
    after(delayMs, run) {
      const entry = { at: now + delayMs, run };
      due.add(entry);
      return () => due.delete(entry);
    },
    advance(ms) {
      const end = now + ms;
      for (;;) {
        const next = [...due].filter(({ at }) => at <= end).toSorted((one, other) => one.at - other.at)[0];
        if (next === undefined) break;
        due.delete(next);
        now = Math.max(now, next.at);
        next.run();
      }
      now = end;
    },
  };
}
