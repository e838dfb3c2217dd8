// A pane of a stand-in herdr inside the test's own process, with one reporter in it and sessions to make it speak.
import {
  createLifecycleBus,
  type JournalEntry,
  type LifecycleBus,
  type LifecycleEventName,
} from '@codey/hooks';
import {
  createHerdrReporter,
  type HerdrCaller,
  type HerdrReporter,
  type PaneClaim,
} from '@codey/hooks/herdr';
import { type Answer, answer, createServer, type Server } from './stand-in.mjs';

export interface TestPane {
  readonly reporter: HerdrReporter;
  readonly server: Server;
  readonly journal: readonly JournalEntry[];
  /** Every call that herdr took notice of, as `state session: message`, `released` and so on. */
  readonly heard: readonly string[];
  /** Every call, whole. */
  readonly calls: readonly (readonly string[])[];
  /** How long each of them may take, in milliseconds. */
  readonly deadlines: readonly number[];
  /** Calls that were left to a process which outlives this one. */
  readonly handedOver: readonly (readonly string[])[];
  /** How herdr behaves from now on. */
  behave(how: Behaviour): void;
  /** Lets calls that herdr holds go on. */
  letGo(): void;
  open(session: string): LifecycleBus;
  tell(event: LifecycleEventName, session: string, more?: { agent?: string; message?: string }): void;
  /** Resolves when the reporter has nothing left to send. */
  quiet(): Promise<void>;
  /** The retry is due now. */
  retry(): void;
}

export type Behaviour = 'fine' | 'held' | 'gone' | 'stuck';

export interface TestPaneOptions {
  readonly pane?: string;
  readonly server?: Server;
  readonly claim?: PaneClaim;
  readonly now?: () => number;
}

export function createTestPane(options: TestPaneOptions = {}): TestPane {
  const server = options.server ?? createServer(['w1:p1']);
  const journal: JournalEntry[] = [];
  const heard: string[] = [];
  const calls: (readonly string[])[] = [];
  const deadlines: number[] = [];
  const handedOver: (readonly string[])[] = [];
  const buses = new Map<string, LifecycleBus>();
  const waiting: (() => void)[] = [];
  let how: Behaviour = 'fine';
  let running = 0;
  let retry: (() => void) | undefined;

  const perform = (args: readonly string[]): Answer => {
    const said = answer(args, server);
    heard.push(describeCall(args, said));
    return said;
  };
  const herdr: HerdrCaller = {
    async call(args, deadlineMs) {
      calls.push(args);
      deadlines.push(deadlineMs);
      running++;
      try {
        if (how === 'gone') return { ok: false, reason: 'no such file' };
        if (how === 'stuck')
          return { ok: false, late: true, reason: `herdr did not answer within ${deadlineMs / 1000} s` };
        if (how === 'held') {
          await new Promise<void>((resolve) => {
            waiting.push(resolve);
          });
        }
        const { exit, stderr } = perform(args);
        return exit === 0 ? { ok: true } : { ok: false, exit, reason: stderr ?? '' };
      } finally {
        running--;
      }
    },
    callAtOnce(args) {
      calls.push(args);
      if (how === 'stuck') return false;
      perform(args);
      return true;
    },
    handOver: (late) => void handedOver.push(...late),
    close: () => Promise.resolve(),
  };
  const reporter = createHerdrReporter({
    pane: options.pane ?? 'w1:p1',
    herdr,
    claim: options.claim ?? alone,
    // Finer than the wall clock: calls without a process between them come several in a millisecond.
    now: options.now ?? (() => performance.timeOrigin + performance.now()),
    after(_delayMs, run) {
      retry = run;
      return () => {
        if (retry === run) retry = undefined;
      };
    },
  });

  return {
    reporter,
    server,
    journal,
    heard,
    calls,
    deadlines,
    handedOver,
    behave: (next) => {
      how = next;
    },
    letGo: () => {
      how = 'fine';
      for (const go of waiting.splice(0)) go();
    },
    open(session) {
      const bus = createLifecycleBus({ date: () => new Date(), onListenerError: rethrow });
      buses.set(session, bus);
      reporter.follow({ id: session, bus, journal: { append: (entry) => void journal.push(entry) } });
      return bus;
    },
    tell: (event, session, more = {}) => void buses.get(session)?.emit({ event, session, ...more }),
    async quiet() {
      for (let still = 0; still < 5; still = running === 0 || how === 'held' ? still + 1 : 0) {
        await new Promise(setImmediate);
      }
    },
    retry: () => retry?.(),
  };
}

const alone: PaneClaim = {
  take: () => Promise.resolve({ held: true, owner: null }),
  giveUp: () => Promise.resolve(),
};

/** Metadata is one word: stories are about states. */
function describeCall(args: readonly string[], { exit, effect = '' }: Answer): string {
  if (exit !== 0) return `refused: exit ${exit}`;
  if (effect.startsWith('ignored')) return effect;
  const option = (name: string): string => args[args.indexOf(`--${name}`) + 1] ?? '';
  if (args[1] === 'report-metadata') return 'metadata';
  if (args[1] === 'release-agent') return 'released';
  const message = args.includes('--message') ? `: ${option('message')}` : '';
  return `${option('state')} ${option('agent-session-id')}${message}`;
}

function rethrow(error: unknown): never {
  throw error;
}
