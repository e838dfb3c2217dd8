// What the parts of the little agent share.
import type { DispatchContext, HookEngine, LifecycleBus, PlacedRule, ProcessHost } from '../../src/index.ts';
import type { HumanStandIn, ModelStandIn } from '../../src/testing/index.ts';
import type { Fault } from './faults.ts';

export interface MiniWorld {
  readonly session: string;
  readonly projectRoot: string;
  /** Where hooks run: the project's root. */
  readonly hookRoot: string;
  readonly engine: HookEngine;
  readonly bus: LifecycleBus;
  readonly processes: ProcessHost;
  readonly rules: Readonly<Record<'allow' | 'ask' | 'deny', readonly PlacedRule[]>>;
  readonly remembered: Set<string>;
  readonly model: ModelStandIn;
  readonly human: HumanStandIn | undefined;
  /** For the shell: the agent's own and what env files added. */
  readonly environment: () => Readonly<Record<string, string>>;
  /** Of the run that is going on. */
  readonly signal: () => AbortSignal;
  /** Lets an agent work until it has an answer. */
  readonly work: (agent: MiniAgent) => Promise<{ readonly text: string }>;
  readonly has: (fault: Fault) => boolean;
}

export interface MiniAgent {
  readonly name: string;
  readonly type: string;
  /** The conversation, a text an entry. */
  readonly told: string[];
  turn: number | null;
}

export function contextOf(agent: MiniAgent, world: MiniWorld): DispatchContext {
  return {
    agent: { id: agent.name, type: agent.type },
    workspace: world.hookRoot,
    cwd: world.projectRoot,
    turn: agent.turn,
    model: 'stand-in',
    permissionMode: 'default',
    transcriptPath: '',
    usage: { input_tokens: 0, output_tokens: 0, context_share: null },
    signal: world.signal(),
  };
}

export function emit(
  event: Parameters<LifecycleBus['emit']>[0]['event'],
  agent: MiniAgent,
  world: MiniWorld,
  facts: {
    readonly tool?: string;
    readonly reason?: string;
    readonly message?: string;
    readonly error?: string;
  } = {},
): Promise<void> {
  return world.bus.emit({ event, session: world.session, agent: agent.name, turn: agent.turn, ...facts });
}
