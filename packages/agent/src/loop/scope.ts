// What one agent and the session around it hand to the loop and the gate. Interfaces only: agent.ts fills them.
import type {
  Attributed,
  CallView,
  DispatchContext,
  Dispatcher,
  HookEngine,
  Journal,
  LifecycleBus,
  ProcessHost,
} from '@codey/hooks';
import type { CompactResult } from '../compaction/compact.ts';
import type { Human } from '../gate/human.ts';
import type { PermissionState } from '../gate/permissions/state.ts';
import type { Message, Model, Usage } from '../model/model.ts';
import type { SessionEntry } from '../session/entry.ts';
import type { ToolRegistry } from '../tools/registry.ts';
import type { Tool, ToolContext } from '../tools/tool.ts';

/** Shared by all agents of one session. */
export interface SessionScope {
  readonly id: string;
  readonly projectRoot: string;
  readonly engine: HookEngine;
  readonly bus: LifecycleBus;
  readonly journal: Journal;
  readonly processes: ProcessHost;
  /** Undefined where nobody can answer: print mode. */
  readonly human: Human | undefined;
  readonly permissions: () => PermissionState;
  /** Environment for programs that tools start. */
  readonly environment: () => Readonly<Record<string, string>>;
  readonly extraDirs: readonly string[];
  readonly append: (entry: SessionEntry) => void;
  readonly events: (event: SessionEvent) => void;
  /** Work nobody waits for now, but leaving does. */
  readonly background: (work: Promise<unknown>) => void;
  /** True from the moment the session is being closed. */
  readonly closing: () => boolean;
}

/** One agent: the main one, a subagent, a teammate. */
export interface AgentScope {
  /** `main`, or a name unique in the session. */
  readonly name: string;
  readonly type: string;
  readonly workspace: string;
  readonly cwd: string;
  readonly model: Model;
  readonly system: string;
  readonly tools: ToolRegistry;
  /** Number of the model call in the current run; null outside one. */
  readonly turn: number | null;
  /** Aborts when the run is interrupted. */
  readonly signal: AbortSignal;
  readonly messages: () => readonly Message[];
  readonly dispatchContext: (call?: string) => DispatchContext;
  /** One open prompt an agent: resolves when it is this one's turn, with the way to let the next one in. */
  readonly promptTurn: () => Promise<() => void>;
  /** What some tools need beside the ordinary context: asking the user, the todo list, background commands. */
  readonly toolPorts: Pick<ToolContext, 'background' | 'todos'> & Partial<Pick<ToolContext, 'askUser'>>;
}

/** An agent as the loop drives it. */
export interface RunningAgent extends AgentScope {
  /** Stores text of hooks for the model, attributed. */
  readonly addContexts: (contexts: readonly Attributed[], event: string) => void;
  /** Counts the next model call of the run and returns its number. */
  readonly nextTurn: () => number;
  /** The run is over: there is no current turn any more. */
  readonly endTurns: () => void;
  readonly turnLimitReached: () => boolean;
  /**
   * Between two turns: pausing, watched files, compaction. Resolves with what a hook ends the run with. Rejects when
   * interrupted meanwhile.
   */
  readonly passBoundary: () => Promise<Attributed | undefined>;
  /** Compacts the conversation that the provider refused as too long. Never rejects. */
  readonly makeRoom: () => Promise<CompactResult>;
}

/** What the front ends draw from. Unlike lifecycle events these carry the conversation. */
export type SessionEvent =
  | { readonly kind: 'text'; readonly agent: string; readonly text: string }
  | { readonly kind: 'reasoning'; readonly agent: string; readonly text: string }
  | {
      readonly kind: 'retry';
      readonly agent: string;
      readonly attempt: number;
      readonly delayMs: number;
      readonly message: string;
    }
  /**
   * The provider refused the conversation as too long. What was streamed of the answer is void; the conversation is being
   * compacted, and where that makes room the provider is asked again.
   */
  | { readonly kind: 'overflow'; readonly agent: string; readonly message: string }
  | { readonly kind: 'turn'; readonly agent: string; readonly turn: number }
  /**
   * The call stands at the gate: hooks, rules and perhaps a person are asked about it. `call`, `denied` or `invalid`
   * follows, unless its run is interrupted before.
   */
  | {
      readonly kind: 'gate';
      readonly agent: string;
      readonly id: string;
      readonly tool: string;
      readonly input: unknown;
    }
  | {
      readonly kind: 'call';
      readonly agent: string;
      readonly id: string;
      readonly tool: string;
      readonly input: unknown;
    }
  | { readonly kind: 'progress'; readonly agent: string; readonly id: string; readonly text: string }
  | {
      readonly kind: 'denied';
      readonly agent: string;
      readonly id: string;
      readonly tool: string;
      readonly input: unknown;
      readonly reason: string;
    }
  /** The model asked for what no tool does: an unknown name, an input that does not fit. Nobody was asked about it. */
  | {
      readonly kind: 'invalid';
      readonly agent: string;
      readonly id: string;
      readonly tool: string;
      readonly input: unknown;
      readonly message: string;
    }
  | {
      readonly kind: 'result';
      readonly agent: string;
      readonly id: string;
      readonly tool: string;
      readonly output: string;
      readonly failed: boolean;
      /** Milliseconds the tool itself took, without the hooks that were asked about it. */
      readonly ms: number;
    }
  | { readonly kind: 'answer'; readonly agent: string; readonly text: string; readonly usage: Usage }
  | { readonly kind: 'notice'; readonly text: string };

/** What a call in the gate is: the tool, its validated input, and what rules and conditions see of it. */
export interface GateCall {
  readonly id: string;
  readonly tool: Tool;
  readonly input: Readonly<Record<string, unknown>>;
  readonly view: CallView;
  /** The hooks that judge this call from start to end. */
  readonly hooks: Dispatcher;
}
