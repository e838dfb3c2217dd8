import { expect, it } from 'vitest';
import { createProgress, type ProgressClock } from './progress.ts';

it('says nothing of work that ends within a second', () => {
  const { clock, pass } = manualClock();
  const said: string[] = [];
  const end = createProgress((text) => said.push(text), clock).begin('hook');
  pass(999);
  end();
  pass(100_000);
  expect(said).toEqual([]);
});

it('names long work after a second, then ever more rarely, until it ends', () => {
  const { clock, pass } = manualClock();
  const said: string[] = [];
  const end = createProgress((text) => said.push(text), clock).begin('guard.sh');
  pass(180_000);
  end();
  end();
  pass(100_000);
  expect(said).toEqual([
    'guard.sh has been running 1 s',
    'guard.sh has been running 5 s',
    'guard.sh has been running 15 s',
    'guard.sh has been running 30 s',
    'guard.sh has been running 60 s',
    'guard.sh has been running 120 s',
    'guard.sh has been running 180 s',
  ]);
});

it('watches several pieces of work apart', () => {
  const { clock, pass } = manualClock();
  const said: string[] = [];
  const progress = createProgress((text) => said.push(text), clock);
  const endFirst = progress.begin('first');
  pass(500);
  progress.begin('second');
  endFirst();
  pass(1000);
  expect(said).toEqual(['second has been running 1 s']);
});

/** Time that passes only when told to. */
function manualClock(): { clock: ProgressClock; pass: (ms: number) => void } {
  let now = 0;
  const due = new Map<symbol, { at: number; run: () => void }>();
  const clock: ProgressClock = {
    now: () => now,
    after(delayMs, run) {
      const key = Symbol('timer');
      due.set(key, { at: now + delayMs, run });
      return () => due.delete(key);
    },
  };
  const pass = (ms: number) => {
    const until = now + ms;
    for (;;) {
      const next = [...due]
        .filter(([, timer]) => timer.at <= until)
        .toSorted(([, a], [, b]) => a.at - b.at)[0];
      if (next === undefined) break;
      due.delete(next[0]);
      now = next[1].at;
      next[1].run();
    }
    now = until;
  };
  return { clock, pass };
}
