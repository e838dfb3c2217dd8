// Lets a limited number in at a time, first come first served.
import { onAbort } from './on-abort.ts';

/** Gives the place back; a second call does nothing. */
export type Leave = () => void;

export interface Queue {
  /** Takes a place that is free now; undefined where one has to wait. */
  enterNow(): Leave | undefined;
  /** Resolves when there is a place; null if the signal fired first, which then takes no place at all. */
  enter(signal?: AbortSignal): Promise<Leave | null>;
}

/** @param limit how many may be in at once, at least 1 */
export function createQueue(limit: number): Queue {
  const waiting = new Set<() => void>();
  let inside = 0;

  function admit(): Leave {
    inside += 1;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      inside -= 1;
      const [next] = waiting;
      next?.();
    };
  }

  return {
    enterNow: () => (inside < limit ? admit() : undefined),
    enter(signal) {
      if (signal?.aborted) return Promise.resolve(null);
      if (inside < limit) return Promise.resolve(admit());
      return new Promise((resolve) => {
        const onTurn = () => {
          waiting.delete(onTurn);
          ignore();
          resolve(admit());
        };
        const ignore = onAbort(signal, () => {
          waiting.delete(onTurn);
          resolve(null);
        });
        waiting.add(onTurn);
      });
    },
  };
}
