// A little agent that embeds the engine, right in every respect the suite knows or wrong in one on purpose.
import {
  createCommandListener,
  createCommandRunner,
  createEnvFiles,
  createHookEngine,
  createLifecycleBus,
  createOnce,
  createProcessHost,
  type EnginePorts,
  type HookSnapshot,
  loadSettings,
  type OncePort,
  resolveSettings,
  sayReasons,
  takeSnapshot,
  trustEverything,
} from '../../src/index.ts';
import type { ConformanceHost, OpenedSession, OpenOptions } from '../../src/testing/index.ts';
import type { Fault } from './faults.ts';
import { runPrompt, workTurns } from './run.ts';
import { tools } from './tools.ts';
import { contextOf, emit, type MiniAgent, type MiniWorld } from './world.ts';

export function createMiniHost(fault?: Fault): ConformanceHost {
  const roots: string[] = [];
  const input = (line: string) => ({ line });
  return {
    shell: { name: 'sh', input },
    subagent: { name: 'delegate', input },
    open(options) {
      roots.push(options.projectRoot);
      const first = fault === 'runs hooks in the project of its first session' ? roots[0] : undefined;
      return openSession(options, first ?? options.projectRoot, (asked) => asked === fault);
    },
  };
}

async function openSession(
  { projectRoot, home, model, human }: OpenOptions,
  hookRoot: string,
  has: MiniWorld['has'],
): Promise<OpenedSession> {
  const loaded = await loadSettings({ projectRoot, home });
  const { permissions } = resolveSettings(loaded, { agreed: () => true, flags: {} });
  const snapshot = takeSnapshot(loaded, { agreed: () => true });
  const session = has('gives every session the same id') ? 'session' : crypto.randomUUID();
  const processes = createProcessHost();
  const environment = { PATH: process.env.PATH ?? '', HOME: home };
  const variables = new Map<string, string>();
  const shellEnvironment = () => ({ ...environment, ...Object.fromEntries(variables) });
  const envFiles = createEnvFiles({
    cwd: projectRoot,
    processes,
    environment: shellEnvironment,
    onChange(values) {
      if (has('keeps env files from the shell')) return;
      for (const [name, value] of Object.entries(values)) {
        if (value === null) variables.delete(name);
        else variables.set(name, value);
      }
    },
  });
  let once = createOnce();
  const ports: EnginePorts = {
    runners: { command: createCommandRunner({ processes }) },
    environment,
    journal: { append: () => {}, flush: async () => {} },
    trust: trustEverything,
    once: forwardOnce(() => once),
    subjectOf: (name, input) => tools.find((tool) => tool.name === name)?.subject(input) ?? { kind: 'none' },
    notify: () => {},
    envFiles,
    keepOutput: async () => undefined,
    spill: async () => undefined,
    now: () => performance.now(),
    date: () => new Date(),
    uniqueId: () => crypto.randomUUID(),
  };
  const engine = createHookEngine({
    session,
    projectRoot: hookRoot,
    snapshot: has('waits for background hooks and believes them') ? impatient(snapshot) : snapshot,
    depth: 0,
    ports,
  });
  const bus = createLifecycleBus({ date: ports.date, onListenerError: () => {} });
  bus.hold(
    createCommandListener({
      projectRoot: hookRoot,
      depth: 0,
      snapshot: () => engine.snapshot,
      processes,
      ports,
    }),
  );
  let running = new AbortController();
  const agent: MiniAgent = { name: 'main', type: 'main', told: [], turn: null };
  const world: MiniWorld = {
    session,
    projectRoot,
    hookRoot,
    engine,
    bus,
    processes,
    rules: permissions,
    remembered: new Set(),
    model,
    human,
    environment: shellEnvironment,
    signal: () => running.signal,
    work: (worker) => workTurns(worker, world),
    has,
  };
  const asked = await engine.dispatch('SessionStart', { source: 'startup' }, contextOf(agent, world));
  if (asked.verdict.kind === 'deny' && !has('opens a session that was blocked')) {
    await letGo();
    return { kind: 'blocked', reason: sayReasons(asked.verdict.reasons) };
  }
  if (!has('drops what hooks say at the start')) agent.told.push(...asked.contexts.map(({ text }) => text));
  await emit('session_start', agent, world, { reason: 'startup' });

  let run: Promise<unknown> = Promise.resolve();
  let closed: Promise<void> | undefined;
  return {
    kind: 'open',
    session: {
      prompt(text) {
        if (running.signal.aborted && !has('stays interrupted')) running = new AbortController();
        if (has('forgets with each prompt what ran once')) once = createOnce();
        const going = runPrompt(text, agent, world);
        run = going;
        return going;
      },
      interrupt: () => running.abort(),
      close() {
        closed ??= close();
        return closed;
      },
    },
  };

  async function close(): Promise<void> {
    running.abort();
    await run;
    running = new AbortController();
    const steps = [
      () => engine.dispatch('SessionEnd', { reason: 'exit' }, contextOf(agent, world)),
      () => emit('session_end', { ...agent, turn: null }, world, { reason: 'exit' }),
    ];
    if (has('closes before it asks SessionEnd')) steps.reverse();
    for (const step of steps) await step();
    await letGo();
  }

  async function letGo(): Promise<void> {
    await engine.close();
    await envFiles.close();
    await processes.settle(10_000);
  }
}

/** Background hooks become ordinary ones whose silence counts as a no. */
function impatient(snapshot: HookSnapshot): HookSnapshot {
  const policy = snapshot.policy.map((hook) =>
    hook.async ? { ...hook, async: false, timeoutMs: 500, onFailure: 'block' as const } : hook,
  );
  return { ...snapshot, policy };
}

function forwardOnce(current: () => OncePort): OncePort {
  return {
    claim: (identity, dispatch) => current().claim(identity, dispatch),
    spend: (identity) => current().spend(identity),
    release: (identity, dispatch) => current().release(identity, dispatch),
  };
}
