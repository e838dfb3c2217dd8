// Says what the program is waiting for, once it has waited for more than a second.
import { monotonicMs } from '@codey/hooks';

/** The clock progress runs on; the default is the machine's. */
export interface ProgressClock {
  /** Milliseconds, only for differences. */
  now(): number;
  /** Runs the function once after so many milliseconds; the result takes it back. Must not keep the process alive. */
  after(delayMs: number, run: () => void): () => void;
}

export interface Progress {
  /** Starts watching one piece of work; call the result when it has ended, as often as convenient. */
  begin(what: string): () => void;
}

/** `say` gets `<what> has been running 3 s` after one second, then ever more rarely, at least once a minute. */
export function createProgress(say: (text: string) => void, clock: ProgressClock = machineClock): Progress {
  return {
    begin(what) {
      const started = clock.now();
      let takeBack = () => {};
      const wait = (step: number) => {
        takeBack = clock.after(pauseMs[Math.min(step, pauseMs.length - 1)] ?? minuteMs, () => {
          say(`${what} has been running ${Math.round((clock.now() - started) / 1000)} s`);
          wait(step + 1);
        });
      };
      wait(0);
      return () => takeBack();
    },
  };
}

const minuteMs = 60_000;
const pauseMs = [1000, 4000, 10_000, 15_000, 30_000, minuteMs];

const machineClock: ProgressClock = {
  now: monotonicMs,
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
