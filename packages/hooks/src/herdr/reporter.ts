// Tells herdr the state of the pane: one call at a time, the newest state wins, and nobody ever waits for it.
import type { Journal } from '../journal/entry.ts';
import type { LifecycleBus } from '../lifecycle/bus.ts';
import type { CallOutcome, HerdrCaller } from './call.ts';
import {
  metadataArguments,
  metadataOf,
  type PaneMetadata,
  releaseArguments,
  reportArguments,
  sameMetadata,
} from './cli.ts';
import { createFailureLog } from './failures.ts';
import type { PaneClaim } from './pane-claim.ts';
import { changePane, emptyPane, type PaneChange, type PaneReport, paneReport, sameReport } from './reduce.ts';
import { createSequence } from './sequence.ts';

/** A session as far as its pane is concerned. */
export interface FollowedSession {
  readonly id: string;
  readonly bus: Pick<LifecycleBus, 'watch'>;
  /** Where it is noted what herdr could not be told. */
  readonly journal: Pick<Journal, 'append'>;
  /** Tells whenever it may have changed whether agents work in its background; the result stops that. */
  readonly watchAgents?: (tell: (atWork: boolean) => void) => () => void;
}

/** Turns lifecycle events into reports of one state. */
export interface HerdrReporter {
  /** Whether this process is the one that reports for the pane; if not, who does, where that can be told. */
  claim(): ReturnType<PaneClaim['take']>;
  /** From here on the session counts, as an idle one at first. Sessions that end go by themselves. */
  follow(session: FollowedSession): void;
  /** The session whose tab is in view now. */
  visible(session: string): void;
  /** The process is about to be stopped: the pane is given up until `resume`. */
  suspend(): Promise<void>;
  /** It goes on: whatever herdr was told before is told again. */
  resume(): void;
  /**
   * The last word: a call in flight is waited for, then the pane is given up. Later events are not heard. Of a herdr that
   * takes too long another process frees the pane. Safe to call twice.
   */
  release(): Promise<void>;
  /** The same in the last moment of a process, when nothing can be waited for. Does nothing once the pane is given up. */
  releaseAtOnce(): void;
}

export interface HerdrReporterPorts {
  /** Id of the pane. */
  readonly pane: string;
  readonly herdr: HerdrCaller;
  readonly claim: PaneClaim;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Runs the function once after so many milliseconds; the result takes it back. Must not keep the process alive. */
  readonly after: (delayMs: number, run: () => void) => () => void;
}

/** A call that takes longer is ended: herdr answers within milliseconds, or its server is stuck and it never does. */
const callMs = 2_000;
/**
 * For a last call where herdr did not answer the one before, or nothing else can be waited for: leaving must not hang on
 * it. What is late is handed over to a process that waits longer.
 */
const lastCallMs = 1_000;
/** After a report that failed; doubled each time. A change of state does not wait for it. */
const firstRetryMs = 5_000;
const longestRetryMs = 60_000;

/** Tells herdr the state of the agents, one report in flight, without ever delaying them. */
export function createHerdrReporter(ports: HerdrReporterPorts): HerdrReporter {
  const { herdr, claim, after } = ports;
  const nextSequence = createSequence(ports.now);
  const noteOutcome = createFailureLog();
  const journals = new Map<string, FollowedSession['journal']>();
  const unwatch: (() => void)[] = [];

  let phase: 'reporting' | 'suspended' | 'released' = 'reporting';
  let pane = emptyPane;
  let lastEvent = 'session_start';
  let held = false;
  /** Something was sent that the pane must be freed of. */
  let marked = false;
  /** What herdr said yes to; undefined while it may hold anything. */
  let told: PaneReport | undefined;
  /** The same of what stands beside the state. */
  let shown: PaneMetadata | undefined = {};
  /** Did not work: not tried again until something changes or the retry is due. */
  let failedReport: PaneReport | undefined;
  let failedMetadata: PaneMetadata | undefined;
  let retryMs = firstRetryMs;
  let cancelRetry = (): void => {};
  let busy = false;
  let sending: Promise<void> = Promise.resolve();
  let leaving: Promise<void> = Promise.resolve();
  let released: Promise<void> | undefined;

  function change(what: PaneChange): void {
    const next = changePane(pane, what);
    if (next === pane) return;
    pane = next;
    wake();
  }

  function wake(): void {
    failedReport = undefined;
    failedMetadata = undefined;
    if (phase !== 'reporting' || busy) return;
    busy = true;
    sending = sendAll();
  }

  /** Ends when herdr knows all there is to know, or cannot be told. `busy` falls in the same step as the last look. */
  async function sendAll(): Promise<void> {
    for (;;) {
      if (!held && nextDue() !== undefined) held = (await claim.take()).held;
      const due = nextDue();
      if (due === undefined) break;
      if (held) await due.send(due.report);
      else {
        failedReport = due.report;
        failedMetadata = metadataOf(due.report);
      }
    }
    busy = false;
  }

  /** The state first: what is shown beside it can wait. */
  function nextDue(): { readonly report: PaneReport; readonly send: typeof sendState } | undefined {
    const report = phase === 'reporting' ? paneReport(pane) : undefined;
    if (report === undefined) return undefined;
    if (!sameReport(report, told)) {
      return sameReport(report, failedReport) ? undefined : { report, send: sendState };
    }
    const metadata = metadataOf(report);
    if (sameMetadata(metadata, shown) || sameMetadata(metadata, failedMetadata)) return undefined;
    return { report, send: sendMetadata };
  }

  async function sendState(report: PaneReport): Promise<void> {
    marked = true;
    // A call that is cut short may still have reached herdr.
    told = undefined;
    const args = reportArguments(ports.pane, report, nextSequence());
    const outcome = await herdr.call(args, callMs);
    note('report-agent', outcome, report.session);
    cancelRetry();
    if (outcome.ok) {
      told = report;
      retryMs = firstRetryMs;
    } else {
      failedReport = report;
      cancelRetry = after(retryMs, wake);
      retryMs = Math.min(retryMs * 2, longestRetryMs);
    }
  }

  async function sendMetadata(report: PaneReport): Promise<void> {
    const metadata = metadataOf(report);
    shown = undefined;
    const args = metadataArguments(ports.pane, metadata, nextSequence());
    const outcome = await herdr.call(args, callMs);
    note('report-metadata', outcome, report.session);
    if (outcome.ok) shown = metadata;
    else failedMetadata = metadata;
  }

  function note(call: string, outcome: CallOutcome, session: string): void {
    noteOutcome({ call, pane: ports.pane, event: lastEvent }, outcome, journals.get(session));
  }

  /** Takes out of herdr what was put there; nothing is sent to a pane that another codey holds. */
  async function giveUpPane(): Promise<void> {
    // What is in flight has its own deadline, and comes before the last word.
    await sending;
    cancelRetry();
    if (held && marked) {
      const session = paneReport(pane)?.session ?? [...journals.keys()].at(-1) ?? '';
      let answers = told !== undefined;
      const calls = lastCalls();
      for (const [index, { call, make }] of calls.entries()) {
        const outcome = await herdr.call(make(), answers ? callMs : lastCallMs);
        note(call, outcome, session);
        answers = outcome.ok;
        if (!outcome.ok && outcome.late) {
          herdr.handOver(calls.slice(index).map((late) => late.make()));
          break;
        }
      }
    }
    marked = false;
    held = false;
    await claim.giveUp();
  }

  /** The release comes last: whatever arrives after it would claim the pane again. Each attempt has a number of its own. */
  function lastCalls(): readonly { readonly call: string; readonly make: () => readonly string[] }[] {
    const clear = {
      call: 'report-metadata',
      make: () => metadataArguments(ports.pane, {}, nextSequence()),
    };
    const release = { call: 'release-agent', make: () => releaseArguments(ports.pane, nextSequence()) };
    return sameMetadata({}, shown) ? [release] : [clear, release];
  }

  return {
    async claim() {
      const found = await claim.take();
      held = found.held;
      return found;
    },
    follow({ id, bus, journal, watchAgents }) {
      if (phase === 'released') return;
      journals.set(id, journal);
      unwatch.push(
        bus.watch((event) => {
          lastEvent = event.event;
          change({ kind: 'event', event });
        }),
      );
      change({ kind: 'opened', session: id });
      const stop = watchAgents?.((atWork) => change({ kind: 'agents', session: id, atWork }));
      if (stop !== undefined) unwatch.push(stop);
    },
    visible(session) {
      change({ kind: 'shown', session });
    },
    suspend() {
      if (phase === 'reporting') {
        phase = 'suspended';
        leaving = giveUpPane();
      }
      return leaving;
    },
    resume() {
      if (phase === 'released') return;
      phase = 'reporting';
      void leaving.then(() => {
        told = undefined;
        shown = {};
        wake();
      });
    },
    release() {
      released ??= (async () => {
        phase = 'released';
        for (const stop of unwatch) stop();
        await leaving;
        await giveUpPane();
        await herdr.close();
      })();
      return released;
    },
    releaseAtOnce() {
      if (!held || !marked) return;
      phase = 'released';
      marked = false;
      const calls = lastCalls();
      const late = calls.findIndex(({ make }) => !herdr.callAtOnce(make(), lastCallMs));
      if (late !== -1) herdr.handOver(calls.slice(late).map(({ make }) => make()));
    },
  };
}
