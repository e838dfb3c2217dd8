// Real engines with real runners around one faulty hook for each event, and a look at what they leave running.
import { EventEmitter } from 'node:events';
import type { ChildProcess } from 'node:child_process';
import { chmod, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Handler } from '../../src/config/hook.ts';
import type { JournalEntry } from '../../src/journal/entry.ts';
import { policyCatalogue, type PolicyEventName, policyEventNames } from '../../src/policy/catalogue.ts';
import type { Decision } from '../../src/policy/decision.ts';
import { createHookEngine, type HookEngine } from '../../src/policy/engine.ts';
import { createOnce } from '../../src/policy/once.ts';
import { createAgentRunner } from '../../src/runners/agent.ts';
import { createCommandRunner } from '../../src/runners/command.ts';
import { runMarkerName } from '../../src/runners/environment.ts';
import { createHttpRunner } from '../../src/runners/http.ts';
import { createPipeSupply } from '../../src/runners/output-pipes.ts';
import { createProc } from '../../src/runners/proc.ts';
import { createProcessHost, type ProcessHost } from '../../src/runners/process.ts';
import { createPromptRunner } from '../../src/runners/prompt.ts';
import type { Spawn } from '../../src/runners/start.ts';
import { createWorkerRunner } from '../../src/runners/worker.ts';
import { testContext, testHook, testSnapshot } from '../../src/testing/table-engine.ts';
import { trustEverything } from '../../src/trust/trust.ts';
import { faultyHandler, faultyModel, shortMs } from './handlers.ts';
import { type FaultyServer, startFaultyServer } from './server.ts';
import type { FaultName, FaultyType } from './table.ts';

export interface FaultWorld {
  readonly folder: string;
  readonly server: FaultyServer;
  readonly unexecutable: string;
  close(): Promise<void>;
}

export async function createFaultWorld(): Promise<FaultWorld> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'faults-')));
  const unexecutable = join(folder, 'unexecutable');
  await writeFile(unexecutable, '#!/bin/sh\nexit 0\n');
  await chmod(unexecutable, 0o644);
  const server = await startFaultyServer();
  return {
    folder,
    server,
    unexecutable,
    async close() {
      await server.close();
      // Pipes for the next process are still being made and taken away behind the last one.
      await rm(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

export interface FaultyEngine {
  /** Asks the one hook of each event, all at once. */
  askAll(
    signal?: AbortSignal,
  ): Promise<readonly { readonly event: PolicyEventName; readonly decision: Decision }[]>;
  readonly journal: readonly JournalEntry[];
  readonly processes: ProcessHost;
  /** Pids of what its hooks started and that still runs; empty outside Linux, where nobody can tell. */
  left(): readonly number[];
  close(): Promise<void>;
}

/** Undefined where that type cannot have that fault. */
export function createFaultyEngine(
  fault: FaultName,
  type: FaultyType,
  onFailure: 'pass' | 'block',
  world: FaultWorld,
): FaultyEngine | undefined {
  const handler = faultyHandler(fault, type, { ...world, origin: world.server.origin });
  if (handler === undefined) return undefined;
  const workspace =
    fault === 'has no directory to run in' ? join(world.folder, 'has been removed') : world.folder;
  const runs = `run-${crypto.randomUUID()}`;
  const journal: JournalEntry[] = [];
  const processes = hostFor(fault, world);
  const engine = engineOf(handler, { fault, onFailure, runs, journal, processes });
  const context = { ...testContext, workspace, cwd: workspace };
  return {
    askAll: (signal) =>
      Promise.all(
        policyEventNames.map(async (event) => ({
          event,
          decision: await engine.dispatch(event, policyCatalogue[event].example, {
            ...context,
            ...(signal !== undefined && { signal }),
          }),
        })),
      ),
    journal,
    processes,
    left: () => marked(runs),
    close: () => engine.close(),
  };
}

interface Parts {
  readonly fault: FaultName;
  readonly onFailure: 'pass' | 'block';
  readonly runs: string;
  readonly journal: JournalEntry[];
  readonly processes: ProcessHost;
}

function engineOf(handler: Handler, { fault, onFailure, runs, journal, processes }: Parts): HookEngine {
  const hooks = policyEventNames.map((event) =>
    testHook(fault, {
      event,
      handler,
      identity: `${handler.type} ${fault}`,
      onFailure,
      timeoutMs: staysSilent(fault, handler) ? shortMs : 60_000,
    }),
  );
  let started = 0;
  return createHookEngine({
    session: 'session-1',
    projectRoot: '/',
    snapshot: testSnapshot(hooks),
    depth: 0,
    ports: {
      runners: {
        command: createCommandRunner({ processes }),
        worker: createWorkerRunner({ processes, onNotice: () => {} }),
        http: createHttpRunner({ environment: {} }),
        prompt: createPromptRunner({ askModel: faultyModel }),
        agent: createAgentRunner({ runAgent: faultyModel }),
      },
      environment: {
        PATH: process.env.PATH ?? '',
        TEST_RUN: process.env.TEST_RUN ?? '',
        // More than one string of an environment may hold.
        ...(fault === 'meets E2BIG' && { HUGE: 'x'.repeat(200_000) }),
      },
      journal: { append: (entry) => void journal.push(entry), flush: async () => {} },
      trust: trustEverything,
      once: createOnce(),
      subjectOf: () => ({ kind: 'none' }),
      notify: () => {},
      keepOutput: async () => undefined,
      spill: async () => undefined,
      now: () => performance.now(),
      date: () => new Date(0),
      uniqueId: () => {
        started += 1;
        return `${runs}-${started}`;
      },
    },
  });
}

/** Those whose deadline is what ends them. */
function staysSilent(fault: FaultName, { type }: Handler): boolean {
  switch (fault) {
    case 'hangs':
    case 'ignores TERM':
    case 'hangs and has a daemon of its own session':
      return true;
    case 'ends and leaves a daemon with its pipes':
      return type === 'http';
    case 'closes stdin':
    case 'prints half an object':
      return type === 'worker';
    default:
      return false;
  }
}

/** More places than a session has, so that hooks which take seconds to end do not queue. */
function hostFor(fault: FaultName, { folder }: FaultWorld): ProcessHost {
  const spawn = spawns[fault];
  return createProcessHost({
    limit: 64,
    temporaryDirectory: folder,
    pipes: createPipeSupply({ directories: [folder] }),
    ...(spawn !== undefined && { spawn }),
  });
}

/** The system's refusals as Node passes them on: some as an event of a child without a pid, the others thrown. */
const spawns: Readonly<Partial<Record<FaultName, Spawn>>> = {
  'meets EAGAIN': (() => {
    const child = Object.assign(new EventEmitter(), { pid: undefined, stdio: [] });
    process.nextTick(() => child.emit('error', systemError('EAGAIN')));
    return child as unknown as ChildProcess;
  }) as Spawn,
  'meets ENOMEM': () => {
    throw systemError('ENOMEM');
  },
};

function systemError(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`spawn ${code}`), { code, syscall: 'spawn' });
}

function marked(runs: string): readonly number[] {
  const proc = createProc();
  return (proc.all() ?? []).filter((pid) => proc.environment(pid)?.(runMarkerName)?.startsWith(`${runs}-`));
}
