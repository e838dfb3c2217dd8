// How the program is left: by its end, by a signal, by a defect. One budget each, and a second signal ends at once.
import { type LeaveSignals, type Leaving, settleMs } from '@codey/agent';
import { exitCodes } from './exit.ts';

/** From the first signal or the end of the work to the end of the process. */
const budgets = { normal: 30_000, hurried: 8_000 } as const;
/** Kept free for writing what is left to write, after the last process is gone. */
const reserveMs = 500;

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;
type Signal = (typeof signals)[number];

export interface LeavePorts {
  /** Stops what runs; called once, at the first signal or defect. */
  readonly interrupt: () => void;
  /** For stderr: a defect. */
  readonly say: (text: string) => void;
}

export interface LeaveWatch {
  /** For every session that is opened. */
  readonly signals: LeaveSignals;
  /** Undefined while nothing but the normal end is in sight. */
  readonly forced: () => { readonly exitCode: number } | undefined;
  /** How to close the session now. Starts the budget of a normal end; that of a signal runs since it came. */
  readonly leaving: () => Leaving;
  /** The program goes on without a session: signals mean what they always do. */
  readonly stop: () => void;
}

/** From here on signals and defects end the session in good order instead of the process. */
export function watchForLeaving(ports: LeavePorts): LeaveWatch {
  const interrupted = new AbortController();
  const cut = new AbortController();
  const timers: NodeJS.Timeout[] = [];
  let forced: { exitCode: number; leaving: Omit<Leaving, 'hurry'> } | undefined;
  let ending = false;

  /** Hooks are cut in time for the rest; what is stuck all the same does not keep the process. */
  const startBudget = (budget: number, exitCode: () => number): void => {
    timers.push(
      setTimeout(() => cut.abort(), budget - settleMs - reserveMs).unref(),
      setTimeout(() => process.exit(exitCode()), budget).unref(),
    );
  };
  const force = (exitCode: number, leaving: Omit<Leaving, 'hurry'>): void => {
    forced = { exitCode, leaving };
    startBudget(budgets.hurried, () => exitCode);
    interrupted.abort();
    ports.interrupt();
  };
  const onSignal = (signal: Signal): void => {
    if (forced !== undefined) process.exit(forced.exitCode);
    // Somebody sits there and does not want to wait for the hooks of the end.
    if (ending && signal === 'SIGINT') cut.abort();
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
    signals: { interrupted: interrupted.signal, cut: cut.signal },
    forced: () => forced,
    leaving() {
      if (!ending && forced === undefined)
        startBudget(budgets.normal, () => forced?.exitCode ?? exitCodes.failed);
      ending = true;
      return { ...(forced?.leaving ?? { reason: 'exit' }), hurry: cut.signal };
    },
    stop() {
      for (const timer of timers) clearTimeout(timer);
      for (const signal of signals) process.off(signal, onSignal);
      process.off('uncaughtException', onDefect);
      process.off('unhandledRejection', onDefect);
    },
  };
}
