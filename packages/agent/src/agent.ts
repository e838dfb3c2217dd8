// Wires the parts of one session together and decides nothing.
import { tmpdir } from 'node:os';
import {
  createCommandListener,
  createCommandRunner,
  createEnvFiles,
  createHookEngine,
  createHttpRunner,
  createLifecycleBus,
  createOnce,
  createPipeSupply,
  createProcessHost,
  type EnginePorts,
  type EnvFiles,
  type HookNotice,
  type HookObserver,
  type HookSnapshot,
  type Journal,
  type LifecycleBus,
  paneMarker,
  type ProcessHost,
  sayReasons,
  sessionMarkers,
  type TrustPort,
  createWorkerRunner,
} from '@codey/hooks';
import type { Human } from './gate/human.ts';
import type { PermissionState } from './gate/permissions/state.ts';
import type { HookSession } from './hooks/inside-hook.ts';
import { createModelHookRunners } from './hooks/ports.ts';
import { keepForeignTranscript } from './hooks/foreign-transcript.ts';
import { createMainAgent } from './loop/main-agent.ts';
import type { RunOutcome } from './loop/outcome.ts';
import { createPause } from './loop/pause.ts';
import { createPlace, type Place } from './loop/place.ts';
import { runPrompt } from './loop/run.ts';
import type { SessionEvent, SessionScope } from './loop/scope.ts';
import { systemPrompt } from './loop/system-prompt.ts';
import { withServerTools } from './mcp/registry.ts';
import type { Model } from './model/model.ts';
import type { Session } from './session/session.ts';
import type { SessionState } from './session/state.ts';
import { createGetSkill } from './skills/get-skill.ts';
import { listSkills } from './skills/listing.ts';
import type { Skill } from './skills/skill.ts';
import { createSkillUse } from './skills/use.ts';
import { type AgentDefinition, generalAgent } from './subagents/definition.ts';
import { createListenFor } from './subagents/listen-for.ts';
import { createSessionAgents, type SessionAgents } from './subagents/session-agents.ts';
import { createSurroundings, type SessionSurroundings, type SurroundingsOptions } from './surroundings.ts';
import { createBackgroundCommands } from './tools/background.ts';
import { builtInTools } from './tools/built-in.ts';
import { createToolRegistry } from './tools/registry.ts';
import { subjectOfCall } from './tools/subject.ts';
import { createTodoList } from './tools/todo-list.ts';
import { runUserLine, type UserLine, type UserLineEnd } from './tools/user-line.ts';
import { createGit } from './worktrees/git.ts';
import { createWorktrees } from './worktrees/worktrees.ts';

export interface StartOptions extends SurroundingsOptions {
  /** The session's log and files, open and locked. */
  readonly stored: Session;
  readonly source: 'startup' | 'resume' | 'clear';
  /** Absolute, real. */
  readonly projectRoot: string;
  readonly cwd: string;
  readonly model: Model;
  /** Opens the model a prompt or agent hook names; without it such hooks are answered by the session's model only. */
  readonly openModel?: (id: string) => Promise<Model>;
  readonly snapshot: HookSnapshot;
  readonly skills: readonly Skill[];
  /** Kinds of agents by name, as `loadDefinitions` gives them; the built-in one if left out. */
  readonly agents?: ReadonlyMap<string, AgentDefinition>;
  /** `--agent`: the kind that answers every prompt. */
  readonly agent?: string;
  /** Where teams keep mail and tasks, `~/.codey/teams`; without it there are none. */
  readonly teamsFolder?: string;
  readonly permissions: () => PermissionState;
  readonly trust: TrustPort;
  readonly journal: Journal;
  /** What the program was started with, and what settings add to it for tools. */
  readonly environment: Readonly<Record<string, string>>;
  readonly toolEnvironment: Readonly<Record<string, string>>;
  readonly human?: Human;
  readonly extraDirs: readonly string[];
  readonly maxTurns?: number;
  /** How many hooks this program runs inside. */
  readonly depth: number;
  /** Onboarding steps that are missing; with one or more the Setup hooks are told. */
  readonly missingSteps: readonly string[];
  /** How the program tells its sessions that it is being left, from the first moment on. */
  readonly signals?: LeaveSignals;
  readonly onEvent: (event: SessionEvent) => void;
  readonly onHookNotice: (notice: HookNotice) => void;
  readonly observer?: HookObserver;
  readonly date?: () => Date;
}

export interface LiveSession {
  readonly id: string;
  readonly bus: LifecycleBus;
  /** Agents beside the main one. */
  readonly agents: SessionAgents;
  readonly journal: Journal;
  /** One prompt at a time; never rejects. */
  prompt(text: string): Promise<RunOutcome>;
  /** Ends the current run, its tools and its hooks. */
  interrupt(): void;
  pause(): void;
  resume(): void;
  /** Folded up to now: the conversation, its name, the tokens it took. */
  state(): SessionState;
  /** What the user calls it; kept with the session. */
  rename(name: string): void;
  /** For model calls that begin from now on. */
  useModel(model: Model): void;
  /** Every hook there is, switched-off ones included. */
  readonly hooks: HookSnapshot;
  /** For dispatches that begin from now on; a call under way is judged to its end by the hooks it began with. */
  useHooks(snapshot: HookSnapshot): void;
  /** Runs a line of the user's own shell: nobody is asked, and the model sees it with the next prompt. Never rejects. */
  shell(line: UserLine): Promise<UserLineEnd>;
  /** Compaction, the working directory, saved settings, MCP servers. */
  readonly surroundings: SessionSurroundings;
  /** SessionEnd, then `session_end`, then everything the session holds is let go. Safe to call twice. */
  close(leaving: Leaving): Promise<void>;
}

export interface LeaveSignals {
  /** What is being opened need not be: a signal came. A run that has begun is ended with `interrupt`. */
  readonly interrupted: AbortSignal;
  /** No time is left: hooks that still run are cut. */
  readonly cut: AbortSignal;
}

export interface Leaving {
  readonly reason: 'exit' | 'closed' | 'clear' | 'resume' | 'signal' | 'error';
  readonly error?: string;
  /** Aborts when the budget for leaving is spent: hooks that still run are cut, and `settleMs` later all is over. */
  readonly hurry: AbortSignal;
}

export type Started =
  | { readonly kind: 'open'; readonly session: LiveSession }
  /** A SessionStart hook said no: nothing was opened and nothing will be closed. */
  | { readonly kind: 'blocked'; readonly reason: string };

/** The time in which what was told to end is seen to end, and is killed if it does not. */
export const settleMs = 3_000;

export async function startSession(options: StartOptions): Promise<Started> {
  const { projectRoot } = options;
  const { stored, ports: transcriptPorts } = await keepForeignTranscript(options.stored, {
    snapshot: options.snapshot,
    cwd: options.cwd,
    onNotice: (text) => options.onEvent({ kind: 'notice', text }),
  });
  let { model } = options;
  const date = options.date ?? (() => new Date());
  const pipes = createPipeSupply(tmpdir());
  pipes.prepare();
  const hookProcesses = createProcessHost({ ledger: stored.ledger, pipes });
  // Commands of tools have no place in the hooks' queue: sixteen long ones would keep every gate waiting.
  const processes = createProcessHost({ ledger: stored.ledger, pipes, limit: Number.POSITIVE_INFINITY });
  const bus = createLifecycleBus({
    date,
    onListenerError: (error) =>
      options.onEvent({ kind: 'notice', text: `a listener failed: ${String(error)}` }),
  });
  const sessionEnvironment = (): Readonly<Record<string, string>> => ({
    ...options.environment,
    ...options.toolEnvironment,
    ...Object.fromEntries(stored.state().env),
    ...sessionMarkers({ sessionId: stored.id }),
    ...paneMarker(options.environment, stored.id),
  });
  const hurry = new AbortController();
  const { signals } = options;
  const cut = signals === undefined ? hurry.signal : AbortSignal.any([hurry.signal, signals.cut]);
  const envFiles = createEnvFiles({
    cwd: options.cwd,
    processes: hookProcesses,
    environment: sessionEnvironment,
    onChange: (values, hook) =>
      void stored.append({ kind: 'env', values, from: { kind: 'hook', event: hook.event, id: hook.id } }),
  });
  const ports = enginePorts(
    { ...options, stored, ...transcriptPorts },
    cut,
    envFiles,
    () => model,
    hookProcesses,
    date,
    () => ({
      scope,
      ports,
      depth: options.depth,
      dispatchContext: agent.dispatchContext,
    }),
  );
  const engine = createHookEngine({
    session: stored.id,
    projectRoot,
    snapshot: options.snapshot,
    depth: options.depth,
    ports,
  });
  const skills = createSkillUse({ skills: options.skills, projectRoot, engine });
  bus.watch(({ time: _time, session: _session, ...event }) =>
    options.journal.append({ kind: 'lifecycle', ...event }),
  );
  bus.hold(
    createCommandListener({
      projectRoot,
      depth: options.depth,
      snapshot: () => engine.snapshot,
      processes: hookProcesses,
      ports,
    }),
  );

  const worktrees = createWorktrees({ projectRoot, git: createGit(sessionEnvironment) });
  const pending = new Set<Promise<unknown>>();
  let closing = false;
  const pause = createPause();
  let system = (_facts: Place & { readonly role?: string }): string => '';
  const scope: SessionScope = {
    id: stored.id,
    projectRoot,
    engine,
    bus,
    journal: options.journal,
    processes,
    human: options.human,
    permissions: () => worktrees.protect(options.permissions()),
    environment: sessionEnvironment,
    extraDirs: options.extraDirs,
    append: (entry) => void stored.append(entry),
    events: options.onEvent,
    background: (work) => {
      const tracked = work.catch(() => {}).finally(() => pending.delete(tracked));
      pending.add(tracked);
    },
    closing: () => closing,
  };
  const background = createBackgroundCommands({ processes });
  const place = createPlace({ workspace: projectRoot, cwd: options.cwd });
  const maxTurns = options.maxTurns ?? Number.POSITIVE_INFINITY;
  let running: Promise<RunOutcome> | undefined;
  const surroundings = createSurroundings(options, {
    stored,
    scope,
    place,
    agent: () => agent,
    busy: () => running !== undefined,
  });
  const agents = createSessionAgents({
    definitions: options.agents ?? new Map([[generalAgent.name, generalAgent]]),
    ...(options.agent !== undefined && { answering: options.agent }),
    models: { current: () => model, ...(options.openModel && { open: options.openModel }) },
    stored,
    scope,
    place,
    main: () => agent,
    teamsFolder: options.teamsFolder,
    pid: process.pid,
    date,
    notice: (text) => options.onEvent({ kind: 'notice', text }),
    system: (facts) => system(facts),
    background,
    worktrees,
    maxTurns,
    listenFor: createListenFor({
      bus,
      engine,
      projectRoot,
      depth: options.depth,
      processes: hookProcesses,
      ports,
    }),
  });
  const agent = createMainAgent({
    stored,
    scope,
    place,
    model: () => model,
    system: () => system(place),
    tools: withServerTools(
      createToolRegistry([...builtInTools, createGetSkill(skills), ...agents.mainTools]),
      surroundings.mcp.tools,
    ),
    pause,
    betweenTurns: surroundings.betweenTurns,
    arrivals: agents.takeMail,
    toolPorts: { background, todos: createTodoList() },
    maxTurns,
  });

  stored.append({ kind: 'opened', source: options.source, model: options.model.id, cwd: options.cwd });
  const blocked = await open();
  if (blocked !== undefined) {
    await letGo('blocked');
    return { kind: 'blocked', reason: blocked };
  }

  let closed: Promise<void> | undefined;
  return {
    kind: 'open',
    session: {
      id: stored.id,
      bus,
      agents: agents.surface,
      journal: options.journal,
      prompt(text) {
        agent.beginRun();
        const run = surroundings
          .beforePrompt()
          .then(() => skills.expand(text))
          .then((prompt) => runPrompt(prompt, agent, scope, agents.beginRun(prompt)))
          .finally(() => {
            skills.endRun();
            running = undefined;
          });
        running = run;
        return run;
      },
      interrupt: () => agent.interrupt(new Error('interrupted')),
      pause: pause.pause,
      resume: pause.resume,
      state: stored.state,
      rename: (name) => void stored.append({ kind: 'name', name }),
      useModel(next) {
        model = next;
      },
      get hooks() {
        return engine.snapshot;
      },
      useHooks: skills.rebase,
      shell: (line) => runUserLine(line, place.cwd, scope),
      surroundings: surroundings.surface,
      close: (leaving) => {
        closed ??= close(leaving);
        return closed;
      },
    },
  };

  /** Setup, instructions, SessionStart, `session_start`: the reason of the block, if one blocks. */
  async function open(): Promise<string | undefined> {
    const context = { ...agent.dispatchContext(), signal: openingSignal() };
    if (options.missingSteps.length > 0) {
      await engine.dispatch('Setup', { missing_steps: [...options.missingSteps] }, context);
    }
    const instructed = await surroundings.load(context);
    const facts = { platform: process.platform, date: date(), skills: listSkills(options.skills) };
    system = ({ workspace, cwd, role = '' }) =>
      systemPrompt({
        ...facts,
        workspace,
        cwd,
        role,
        instructions: surroundings.instructions(),
        brief: surroundings.surface.brief,
        servers: surroundings.mcp.instructions(),
      });
    const source = options.source === 'resume' ? 'resume' : options.source === 'clear' ? 'clear' : 'startup';
    const asked = await engine.dispatch('SessionStart', { source }, context);
    if (asked.verdict.kind === 'deny' || asked.verdict.kind === 'ask')
      return sayReasons(asked.verdict.reasons);
    if (asked.verdict.kind === 'cancelled') return 'interrupted while the session was being opened';
    if (asked.halt) return asked.halt.text;
    agent.addContexts(instructed, 'InstructionsLoaded');
    agent.addContexts(asked.contexts, 'SessionStart');
    await surroundings.watch(asked.watchPaths);
    await bus.emit({ event: 'session_start', session: stored.id, reason: options.source });
    await surroundings.arrive();
    return undefined;
  }

  function openingSignal(): AbortSignal {
    return signals === undefined ? agent.signal : AbortSignal.any([agent.signal, signals.interrupted]);
  }

  async function close(leaving: Leaving): Promise<void> {
    closing = true;
    if (leaving.hurry.aborted) hurry.abort();
    else leaving.hurry.addEventListener('abort', () => hurry.abort(), { once: true });
    agents.stop();
    agent.interrupt(new Error('closing'));
    pause.resume();
    await running;
    await Promise.all(pending);
    agent.beginRun();
    const kept = await agents.leaveWorktree();
    if (kept !== undefined) options.onEvent({ kind: 'notice', text: kept });
    await engine.dispatch('SessionEnd', { reason: leaving.reason }, agent.dispatchContext());
    await bus.emit({
      event: 'session_end',
      session: stored.id,
      reason: leaving.reason,
      ...(leaving.error !== undefined && { error: leaving.error }),
    });
    await letGo(leaving.reason);
  }

  /** Also of a session that a hook kept shut: its hooks may have started workers and made files. */
  async function letGo(reason: string): Promise<void> {
    await Promise.all([background.close(), surroundings.close()]);
    await engine.close();
    await envFiles.close();
    await Promise.all([hookProcesses.settle(settleMs), processes.settle(settleMs)]);
    await stored.close(reason);
  }
}

function enginePorts(
  options: StartOptions & Pick<EnginePorts, 'transcripts'>,
  cut: AbortSignal,
  envFiles: EnvFiles,
  model: () => Model,
  processes: ProcessHost,
  date: () => Date,
  session: () => HookSession,
): EnginePorts {
  const { stored, openModel } = options;
  return {
    runners: {
      command: createCommandRunner({ processes }),
      worker: createWorkerRunner({
        processes,
        onNotice: (sentence) => options.onHookNotice({ kind: 'failure', sentence }),
      }),
      http: createHttpRunner({
        environment: options.environment,
        allowedUrls: () => options.snapshot.switches.allowedHttpUrls,
      }),
      ...createModelHookRunners({
        models: { current: model, ...(openModel !== undefined && { open: openModel }) },
        session,
      }),
    },
    environment: { ...options.environment, ...paneMarker(options.environment, stored.id) },
    journal: options.journal,
    trust: options.trust,
    once: createOnce(stored.state().once, (identity) => void stored.append({ kind: 'once', identity })),
    subjectOf: subjectOfCall,
    notify: options.onHookNotice,
    envFiles,
    cut,
    ...(options.observer && { observer: options.observer }),
    keepOutput: (hook, printed) => stored.outputs.save(hook.id, printed),
    spill: (hook, text) => stored.outputs.save(hook.id, { stdout: text, stderr: '' }),
    now: () => performance.now(),
    date,
    uniqueId: () => crypto.randomUUID(),
  };
}
