// How a session is left: by its end, by a signal, by a defect. One budget each, and a second signal ends at once.
import type { Leaving } from '@codey/agent';
import { exitCodes } from './exit.ts';

const budgets = { normal: 30_000, hurried: 8_000 } as const;
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
type Signal = (typeof signals)[number];

export interface LeavePorts {
  /** Stops what runs; called once, at the first signal or defect. */
  readonly interrupt: () => void;
  /** For stderr: a defect, or that leaving takes long. */
  readonly say: (text: string) => void;
}

export interface LeaveWatch {
  /** Undefined while nothing but the normal end is in sight. */
  readonly forced: () => { readonly exitCode: number } | undefined;
  /** How to close the session now; starts the budget. */
  readonly leaving: () => Leaving;
  /** The program goes on without a session: signals mean what they always do. */
  readonly stop: () => void;
}

/** From here on signals and defects end the session in good order instead of the process. */
export function watchForLeaving(ports: LeavePorts): LeaveWatch {
  let forced: { exitCode: number; leaving: Omit<Leaving, 'hurry'> } | undefined;
  let skip = new AbortController();

  const force = (exitCode: number, leaving: Omit<Leaving, 'hurry'>): void => {
    forced = { exitCode, leaving };
    skip.abort();
    skip = new AbortController();
    ports.interrupt();
  };
  const onSignal = (signal: Signal): void => {
    if (forced !== undefined) process.exit(forced.exitCode);
    force(exitCodes[signal], { reason: 'signal' });
  };
  const onDefect = (error: unknown): void => {
    const sentence = error instanceof Error ? error.message : String(error);
    ports.say(`this is a defect of codey: ${error instanceof Error ? (error.stack ?? sentence) : sentence}`);
    if (forced !== undefined) process.exit(exitCodes.failed);
    force(exitCodes.failed, { reason: 'error', error: sentence });
  };
  for (const signal of signals) process.on(signal, onSignal);
  process.on('uncaughtException', onDefect);
  process.on('unhandledRejection', onDefect);

  return {
    forced: () => forced,
    leaving() {
      const budget = forced === undefined ? budgets.normal : budgets.hurried;
      const hurry = AbortSignal.any([AbortSignal.timeout(budget), skip.signal]);
      return { ...(forced?.leaving ?? { reason: 'exit' }), hurry };
    },
    stop() {
      for (const signal of signals) process.off(signal, onSignal);
      process.off('uncaughtException', onDefect);
      process.off('unhandledRejection', onDefect);
    },
  };
}
