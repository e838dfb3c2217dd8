// Runs herdr once: no shell, no terminal, a deadline, and the environment that names its server.
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { errorCode } from '../config/file-system.ts';
import { runMarkerName } from '../runners/environment.ts';
import { groupRuns, signalGroup } from '../runners/group.ts';
import type { GroupRecord } from '../runners/ledger.ts';
import { createProc } from '../runners/proc.ts';
import { createProcessHost } from '../runners/process.ts';
import { explainCall } from './cli.ts';
import { handOver } from './hand-over.ts';

/** How a call of the herdr program ended. */
export type CallOutcome =
  | { readonly ok: true }
  /** `late`: it was ended at its deadline. */
  | { readonly ok: false; readonly reason: string; readonly exit?: number; readonly late?: true };

/** One reporter's way to herdr. */
export interface HerdrCaller {
  /** Never rejects, and returns at its deadline whatever herdr does: a stuck server holds its command line for ever. */
  call(args: readonly string[], deadlineMs: number): Promise<CallOutcome>;
  /**
   * The same for the last moment of a process, when no promise comes true any more. Holds everything up until then. A call
   * under way has as long to end by itself, and is ended then: it must not reach herdr after this one. False when it did
   * not end in time.
   */
  callAtOnce(args: readonly string[], deadlineMs: number): boolean;
  /** Makes the calls one after the other in a process that outlives this one, for seconds at most. Nobody waits for it. */
  handOver(calls: readonly (readonly string[])[]): void;
  /** Sees to it that nothing of earlier calls still runs. */
  close(): Promise<void>;
}

export interface CallerOptions {
  /** As `detectHerdr` gave it. */
  readonly program: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Calls the herdr program, each time with a deadline. */
export function createHerdrCaller({ program, environment }: CallerOptions): HerdrCaller {
  const kill = process.kill.bind(process);
  const proc = createProc();
  const underWay = new Map<number, GroupRecord>();
  const processes = createProcessHost({
    limit: 2,
    proc,
    ledger: {
      started: (group) => void underWay.set(group.pid, group),
      ended: (pid) => void underWay.delete(pid),
    },
  });
  return {
    async call(args, deadlineMs) {
      const result = await processes.run({
        argv: [program, ...args],
        cwd: '/',
        environment,
        input: '',
        deadlineMs,
        marker: { name: runMarkerName, value: randomUUID() },
        outputCap,
        what: 'herdr',
      });
      const reason = explainCall(result);
      if (reason === undefined) return { ok: true };
      return {
        ok: false,
        reason,
        ...(result.end.kind === 'exited' && { exit: result.end.code }),
        ...(result.end.kind === 'timed-out' && { late: true }),
      };
    },
    callAtOnce(args, deadlineMs) {
      for (const group of underWay.values()) {
        sleepWhile(() => groupRuns(group, kill, proc), deadlineMs);
        signalGroup(group, 'SIGKILL', kill, proc);
      }
      const { error } = spawnSync(program, [...args], {
        cwd: '/',
        env: environment,
        stdio: 'ignore',
        timeout: deadlineMs,
        killSignal: 'SIGKILL',
      });
      return errorCode(error) !== 'ETIMEDOUT';
    },
    handOver: (calls) => handOver(program, calls, environment),
    async close() {
      await processes.settle(settleMs);
    },
  };
}

/** Bytes of what herdr prints; only the first line counts. */
const outputCap = 8 * 1024;
const settleMs = 1_000;

/** Without giving anything else a turn. */
function sleepWhile(condition: () => boolean, limitMs: number): void {
  const nobody = new Int32Array(new SharedArrayBuffer(4));
  const limit = performance.now() + limitMs;
  while (condition() && performance.now() < limit) Atomics.wait(nobody, 0, 0, 5);
}
