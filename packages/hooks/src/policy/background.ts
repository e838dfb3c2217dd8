// Hooks that nobody waits for: a few at a time, their context handed over with the next turn.
import type { Attributed } from './decision.ts';
import { attribute } from './label.ts';
import type { HookReport } from './report.ts';

/** Running at once; below the session's process limit, so that slow background hooks never starve a gate. */
const runningLimit = 8;

export interface Background {
  /** `agent`: whose dispatch started it; what it leaves is for that one. */
  start(run: () => Promise<HookReport>, agent: string): void;
  /** Context that ended hooks left since the last call, in the order they ended: of one agent, or of all. */
  takeContexts(agent?: string): readonly Attributed[];
  /** Resolves when none is running or waiting. */
  idle(): Promise<void>;
}

export function createBackground(): Background {
  const waiting: { readonly run: () => Promise<HookReport>; readonly agent: string }[] = [];
  let contexts: { readonly agent: string; readonly context: Attributed }[] = [];
  const idlers: (() => void)[] = [];
  let running = 0;

  const next = (): void => {
    const due = running < runningLimit ? waiting.shift() : undefined;
    if (due === undefined) {
      if (running === 0) for (const resolve of idlers.splice(0)) resolve();
      return;
    }
    running += 1;
    void due
      .run()
      .then(({ hook, answer: { additionalContext } }) => {
        if (additionalContext === undefined) return;
        contexts.push({ agent: due.agent, context: attribute(hook, additionalContext) });
      })
      .finally(() => {
        running -= 1;
        next();
      });
  };

  return {
    start(run, agent) {
      waiting.push({ run, agent });
      next();
    },
    takeContexts(agent) {
      const taken = contexts.filter((left) => agent === undefined || left.agent === agent);
      contexts = contexts.filter((left) => !taken.includes(left));
      return taken.map(({ context }) => context);
    },
    idle: () =>
      running === 0 && waiting.length === 0
        ? Promise.resolve()
        : new Promise((resolve) => idlers.push(resolve)),
  };
}
