// Hooks that nobody waits for: a few at a time, their context handed over with the next turn.
import type { Attributed } from './decision.ts';
import { attribute } from './label.ts';
import type { HookReport } from './report.ts';

/** Running at once; below the session's process limit, so that slow background hooks never starve a gate. */
const runningLimit = 8;

export interface Background {
  start(run: () => Promise<HookReport>): void;
  /** Context that ended hooks left since the last call, in the order they ended. */
  takeContexts(): readonly Attributed[];
  /** Resolves when none is running or waiting. */
  idle(): Promise<void>;
}

export function createBackground(): Background {
  const waiting: (() => Promise<HookReport>)[] = [];
  const contexts: Attributed[] = [];
  const idlers: (() => void)[] = [];
  let running = 0;

  const next = (): void => {
    const run = running < runningLimit ? waiting.shift() : undefined;
    if (run === undefined) {
      if (running === 0) for (const resolve of idlers.splice(0)) resolve();
      return;
    }
    running += 1;
    void run()
      .then(({ hook, answer }) => {
        if (answer.additionalContext !== undefined) contexts.push(attribute(hook, answer.additionalContext));
      })
      .finally(() => {
        running -= 1;
        next();
      });
  };

  return {
    start(run) {
      waiting.push(run);
      next();
    },
    takeContexts: () => contexts.splice(0),
    idle: () =>
      running === 0 && waiting.length === 0
        ? Promise.resolve()
        : new Promise((resolve) => idlers.push(resolve)),
  };
}
