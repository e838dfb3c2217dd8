// Makes an agent ready to work: asks whether it may start, gives it a place, a model, tools and its own hooks.
import { type Attributed, failureReason, type LifecycleHook } from '@codey/hooks';
import type { HookModels } from '../hooks/hook-models.ts';
import { createAgent } from '../loop/agent.ts';
import { createPlace, type Place } from '../loop/place.ts';
import { refusalOf } from '../loop/refusal.ts';
import type { SessionScope } from '../loop/scope.ts';
import type { Model } from '../model/model.ts';
import type { Session } from '../session/session.ts';
import type { BackgroundCommands } from '../tools/background.ts';
import type { ToolRegistry } from '../tools/registry.ts';
import { createTodoList } from '../tools/todo-list.ts';
import { sayKept } from '../worktrees/say-kept.ts';
import { createVisit } from '../worktrees/visit.ts';
import type { Worktree, Worktrees } from '../worktrees/worktrees.ts';
import type { AgentDefinition } from './definition.ts';
import type { LiveAgent } from './live-agent.ts';
import { stricterOf } from './strictness.ts';

/** What every agent of the session is made with. */
export interface AgentWorld {
  readonly stored: Session;
  /** Opens the model a definition names; the session's own for none. */
  readonly models: HookModels;
  readonly system: (facts: Place & { readonly role: string }) => string;
  readonly background: BackgroundCommands;
  readonly worktrees: Worktrees;
  /** Model calls of one run. */
  readonly maxTurns: number;
  /** What the parent has, with the tools that speak for one agent made anew for this one; only `allowed` where given. */
  readonly toolsOf: (
    parent: ToolRegistry,
    self: () => LiveAgent,
    allowed: readonly string[] | undefined,
  ) => ToolRegistry;
  /** Runs lifecycle commands for one agent until the result is called. */
  readonly listenFor: (agent: string, hooks: readonly LifecycleHook[]) => () => void;
}

export interface AgentRequest {
  readonly name: string;
  readonly definition: AgentDefinition;
  readonly parent: LiveAgent;
  readonly isolated: boolean;
  readonly team?: { readonly name: string; readonly starter: string };
}

export type StartedAgent =
  | {
      readonly kind: 'ready';
      readonly live: LiveAgent;
      readonly worktree?: Worktree;
      /** What SubagentStart hooks have to say to it. */
      readonly contexts: readonly Attributed[];
      /** Takes its hooks and its clean worktree away; says what is left. */
      readonly release: () => Promise<readonly string[]>;
    }
  /** A sentence for whoever wanted it. */
  | { readonly kind: 'refused'; readonly reason: string };

/** Nothing is left behind where it is refused. Never rejects. */
export async function startAgent(request: AgentRequest, world: AgentWorld): Promise<StartedAgent> {
  const { name, definition, parent, isolated, team } = request;
  const scope = scopeFor(definition, parent.scope);
  const asked = await scope.engine.dispatch(
    'SubagentStart',
    { agent_id: name, agent_type: definition.name },
    parent.agent.dispatchContext(),
  );
  const no = refusalOf(asked);
  if (no !== undefined) return { kind: 'refused', reason: no };
  if (isolated && scope.permissions().mode === 'plan')
    return { kind: 'refused', reason: 'in mode plan only reading runs, and a worktree would be written' };
  const model = await openModel(definition, parent, world);
  if (typeof model === 'string') return { kind: 'refused', reason: model };
  const asker = { hooks: scope.engine, context: parent.agent.dispatchContext() };
  const made = isolated ? await world.worktrees.create(name, asker) : undefined;
  if (made?.kind === 'refused') return made;
  const worktree = made?.worktree;
  const place = createPlace(worktree ?? parent.place);
  const agent = createAgent({
    name,
    type: definition.name,
    stored: world.stored,
    scope,
    place,
    model,
    system: () =>
      world.system({ workspace: place.workspace, cwd: place.cwd, role: roleOf(name, definition, team) }),
    tools: world.toolsOf(parent.agent.tools, () => live, definition.tools),
    toolPorts: { background: world.background, todos: createTodoList() },
    maxTurns: world.maxTurns,
    boundary: async () => {},
  });
  const visit = createVisit({
    worktrees: world.worktrees,
    place,
    asker: () => ({ hooks: scope.engine, context: agent.dispatchContext() }),
  });
  const live: LiveAgent = { agent, scope, place, visit, depth: parent.depth + 1 };
  const stopListening = world.listenFor(name, definition.hooks.lifecycle);
  return {
    kind: 'ready',
    live,
    contexts: asked.contexts,
    ...(worktree !== undefined && { worktree }),
    async release() {
      stopListening();
      // A cancelled agent's hooks are asked about its worktree all the same.
      agent.beginRun();
      const visited = await visit.exit();
      const notes = [visited === undefined ? undefined : sayKept(visited.worktree, visited.removed)];
      if (worktree !== undefined) {
        // From where the parent stands: nobody removes the ground under their own feet.
        const context = { ...agent.dispatchContext(), workspace: parent.place.workspace };
        notes.push(
          sayKept(worktree, await world.worktrees.remove(worktree, { hooks: scope.engine, context })),
        );
      }
      return notes.filter((note) => note !== undefined);
    },
  };
}

/**
 * The session with the agent's own hooks and mode. The parent's mode is looked at for each call, so that tightening it
 * tightens what its agents may do as well.
 */
function scopeFor({ hooks, mode }: AgentDefinition, parent: SessionScope): SessionScope {
  return {
    ...parent,
    engine: hooks.policy.length === 0 ? parent.engine : parent.engine.with(hooks.policy),
    permissions: () => {
      const outer = parent.permissions();
      return mode === undefined ? outer : { ...outer, mode: stricterOf(outer.mode, mode) };
    },
  };
}

/** A sentence where the model cannot be had. */
async function openModel(
  { name, model: id, file }: AgentDefinition,
  parent: LiveAgent,
  { models }: AgentWorld,
): Promise<(() => Model) | string> {
  if (id === undefined) return () => parent.agent.model;
  try {
    const model = await models(id);
    return () => model;
  } catch (error) {
    return `the model ${id} of the agent ${name} (${file ?? 'built in'}) cannot be opened: ${failureReason(error)}`;
  }
}

function roleOf(name: string, { role }: AgentDefinition, team: AgentRequest['team']): string {
  const member =
    team === undefined
      ? ''
      : ` You are a member of the team ${team.name}, where it is called ${team.starter}.`;
  const place = `You are the agent ${name}, started by another agent of this session. Your last answer goes to it as your result: say there what it needs to know.${member}`;
  return role === '' ? place : `${place}\n\n${role}`;
}
