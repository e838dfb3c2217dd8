// The world of one agent hook: the session's gate and rules, managed hooks only, nobody to ask, nothing told to anyone.
import {
  createHookEngine,
  createLifecycleBus,
  type DispatchContext,
  type EnginePorts,
  type HookEngine,
  type Runner,
} from '@codey/hooks';
import type { AgentScope, SessionScope } from '../loop/scope.ts';
import type { Message, Model } from '../model/model.ts';
import { createBackgroundCommands } from '../tools/background.ts';
import { globSearch } from '../tools/glob-search.ts';
import { grepSearch } from '../tools/grep-search.ts';
import { listDirectory } from '../tools/list-directory.ts';
import { readFile } from '../tools/read-file.ts';
import { createToolRegistry } from '../tools/registry.ts';
import { createTodoList } from '../tools/todo-list.ts';
import { hookAgent } from './hook-agent.ts';

/** The session around the hooks; read when a hook runs, since it is put together after the engine's ports. */
export interface HookSession {
  readonly scope: SessionScope;
  readonly ports: EnginePorts;
  /** How many hooks the session itself runs inside. */
  readonly depth: number;
  /** What hooks are told of the moment; the main agent's. */
  readonly dispatchContext: () => DispatchContext;
}

export interface InsideHook {
  readonly agent: AgentScope;
  readonly session: SessionScope;
  /** What the model has said and been told; the loop adds to it. */
  readonly messages: Message[];
  readonly nextTurn: () => number;
  /** Lets managed async hooks end behind the caller; the session waits for them when it is left. */
  readonly leave: () => void;
}

export interface InsideHookOptions {
  readonly system: string;
  readonly workspace: string;
  readonly model: Model;
  readonly signal: AbortSignal;
}

const readingTools = createToolRegistry([readFile, listDirectory, globSearch, grepSearch]);

export function stepInside(outer: HookSession, options: InsideHookOptions): InsideHook {
  const { system, workspace, model, signal } = options;
  const engine = managedEngine(outer);
  const session: SessionScope = {
    ...outer.scope,
    engine,
    // A bus without listeners: the calls of a hook are no business of a sidebar, and commands of hooks do not fire.
    bus: createLifecycleBus({ date: outer.ports.date, onListenerError: () => {} }),
    human: undefined,
    append: () => {},
    events: () => {},
  };
  const messages: Message[] = [];
  let turn = 0;
  const agent: AgentScope = {
    ...hookAgent,
    workspace,
    cwd: workspace,
    model,
    system,
    tools: readingTools,
    get turn() {
      return turn;
    },
    signal,
    messages: () => messages,
    dispatchContext: (call) => ({
      ...outer.dispatchContext(),
      agent: { id: hookAgent.name, type: hookAgent.type },
      workspace,
      cwd: workspace,
      turn,
      model: model.id,
      signal,
      ...(call !== undefined && { call }),
    }),
    promptTurn: async () => () => {},
    toolPorts: {
      background: createBackgroundCommands({ processes: outer.scope.processes }),
      todos: createTodoList(),
    },
  };
  return {
    agent,
    session,
    messages,
    nextTurn: () => {
      turn += 1;
      return turn;
    },
    leave: () => outer.scope.background(engine.close()),
  };
}

/**
 * One hook deeper than the session, where the engine runs managed hooks only and journals the others as skipped.
 * Agent hooks are taken out, managed ones too: an agent hook that judged the calls of another would start it for ever.
 */
function managedEngine({ scope, ports, depth }: HookSession): HookEngine {
  const { snapshot } = scope.engine;
  return createHookEngine({
    session: scope.id,
    projectRoot: scope.projectRoot,
    snapshot: { ...snapshot, policy: snapshot.policy.filter(({ handler }) => handler.type !== 'agent') },
    depth: depth + 1,
    ports: { ...ports, runners: borrowed(ports.runners) },
  });
}

/** The session's runners without the way to close them: what they keep alive is the session's. */
function borrowed(runners: EnginePorts['runners']): EnginePorts['runners'] {
  return Object.fromEntries(
    Object.entries(runners).map(([type, runner]): [string, Runner] => [
      type,
      { run: (request) => runner.run(request) },
    ]),
  );
}
