// Wires the parts of one session together and decides nothing.
import {
  createCommandListener,
  createEnvFiles,
  createForkServer,
  createHookEngine,
  createLifecycleBus,
  createPipeSupply,
  createProcessHost,
  paneMarker,
  sessionMarkers,
} from '@codey/hooks';
import { createEnginePorts } from './engine-ports.ts';
import { keepForeignTranscript } from './hooks/foreign-transcript.ts';
import type { Leaving, Started, StartOptions } from './live-session.ts';
import { createMainAgent } from './loop/main-agent.ts';
import type { RunOutcome } from './loop/outcome.ts';
import { createPause } from './loop/pause.ts';
import { createPlace, type Place } from './loop/place.ts';
import { runPrompt } from './loop/run.ts';
import type { SessionScope } from './loop/scope.ts';
import { systemPrompt } from './loop/system-prompt.ts';
import { withServerTools } from './mcp/registry.ts';
import { createGetSkill } from './skills/get-skill.ts';
import { listSkills } from './skills/listing.ts';
import { createSkillUse } from './skills/use.ts';
import { generalAgent } from './subagents/definition.ts';
import { createListenFor } from './subagents/listen-for.ts';
import { createSessionAgents } from './subagents/session-agents.ts';
import { openConversation } from './opening.ts';
import { createSurroundings } from './surroundings.ts';
import { createBackgroundCommands } from './tools/background.ts';
import { builtInTools } from './tools/built-in.ts';
import { createToolRegistry } from './tools/registry.ts';
import { createTodoList } from './tools/todo-list.ts';
import { runUserLine } from './tools/user-line.ts';
import { createGit } from './git/git.ts';
import { createWorktrees } from './worktrees/worktrees.ts';

/** The time in which what was told to end is seen to end, and is killed if it does not. */
export const settleMs = 3_000;

/** What a run comes to that has not asked the model. */
const neverBegan = { text: '', turns: 0, usage: { input: 0, output: 0 } };

export async function startSession(options: StartOptions): Promise<Started> {
  const { projectRoot } = options;
  const { stored, ports: transcriptPorts } = await keepForeignTranscript(options.stored, {
    snapshot: options.snapshot,
    cwd: options.cwd,
    onNotice: (text) => options.onEvent({ kind: 'notice', text }),
  });
  let { model } = options;
  const date = options.date ?? (() => new Date());
  const { policy, lifecycle } = options.snapshot;
  const hooked = policy.length + lifecycle.length > 0;
  const forks = options.forks ?? createForkServer();
  // To make pipes alone it is not worth its start.
  const pipes = createPipeSupply(hooked ? { forks } : { spare: options.sparePipes });
  pipes.prepare(hooked ? 32 : 2);
  // Who can be asked looks at a screen.
  const host = { ledger: stored.ledger, pipes, oneStartEachTurn: options.human !== undefined };
  const hookProcesses = createProcessHost({ ...host, forks });
  // Commands of tools have no place in the hooks' queue: sixteen long ones would keep every gate waiting.
  const processes = createProcessHost({ ...host, limit: Number.POSITIVE_INFINITY });
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
  const ports = createEnginePorts(
    { ...options, stored },
    {
      ...transcriptPorts,
      envFiles,
      cut,
      date,
      processes: hookProcesses,
      model: () => model,
      session: () => ({ scope, ports, depth: options.depth, dispatchContext: agent.dispatchContext }),
    },
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
  const blocked = await openConversation(options, {
    scope,
    agent,
    surroundings,
    instructed() {
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
    },
  });
  if (blocked !== undefined) {
    await letGo('blocked');
    return { kind: 'blocked', id: stored.id, reason: blocked };
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
        // Only what begins so can be the name of a skill, a command or a server's prompt.
        const named = text.trimStart().startsWith('/');
        const run = surroundings
          .beforePrompt()
          .then(() => (named ? surroundings.surface.unknownPrompt(text) : undefined))
          .then(async (unknown) => {
            if (unknown !== undefined) return { ...neverBegan, stop: 'error' as const, error: unknown };
            const prompt = named ? await surroundings.expand(await skills.expand(text)) : text;
            return runPrompt(prompt, agent, scope, agents.beginRun(prompt));
          })
          .then(async (outcome) => {
            if (outcome.stop === 'completed') await agents.endRun();
            return outcome;
          })
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
    await agents.leaveTeams();
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
    pipes.close();
    if (options.forks === undefined) forks.close();
    await stored.close(reason);
  }
}
