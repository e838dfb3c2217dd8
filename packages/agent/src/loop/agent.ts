// One agent: where it stands, what it has said, and which turn it is in.
import type { Attributed, DispatchContext } from '@codey/hooks';
import { createAutomaticCompaction } from '../compaction/automatic.ts';
import { compact } from '../compaction/compact.ts';
import { tokensOf } from '../compaction/measure.ts';
import type { Human } from '../gate/human.ts';
import { waitForHuman } from '../gate/prompt.ts';
import type { Model } from '../model/model.ts';
import type { Session } from '../session/session.ts';
import type { AskUser } from '../tools/ask-user.ts';
import type { ToolRegistry } from '../tools/registry.ts';
import type { ToolContext } from '../tools/tool.ts';
import type { Place } from './place.ts';
import type { RunningAgent, SessionScope } from './scope.ts';

export interface AgentOptions {
  /** `main`, or a name unique in the session. */
  readonly name: string;
  readonly type: string;
  readonly stored: Session;
  /** The session as this agent may use it: for a subagent with its own mode and hooks. */
  readonly scope: SessionScope;
  /** Read at each use: an agent may move. */
  readonly place: Place;
  readonly model: () => Model;
  readonly system: () => string;
  readonly tools: ToolRegistry;
  readonly toolPorts: Pick<ToolContext, 'background' | 'todos'>;
  /** Model calls of one run; Infinity without a limit. */
  readonly maxTurns: number;
  /** Between two turns; rejects when interrupted meanwhile. */
  readonly boundary: (signal: AbortSignal, turn: number | null) => Promise<void>;
  /** After it, for an agent that looks after more. Resolves with what a hook ends the run with. */
  readonly betweenTurns?: (signal: AbortSignal, turn: number | null) => Promise<Attributed | undefined>;
}

export interface Agent extends RunningAgent {
  /** A fresh signal for the next run. */
  readonly beginRun: () => void;
  readonly interrupt: (reason: Error) => void;
}

export function createAgent(options: AgentOptions): Agent {
  const { name, type, stored, scope, place } = options;
  let running = new AbortController();
  let turn: number | null = null;
  let prompts: Promise<void> = Promise.resolve();

  const dispatchContext = (call?: string): DispatchContext => ({
    agent: { id: name, type },
    workspace: place.workspace,
    cwd: place.cwd,
    turn,
    model: options.model().id,
    permissionMode: scope.permissions().mode,
    transcriptPath: stored.transcript ?? '',
    usage: usageOf(name, stored, options.model()),
    signal: running.signal,
    ...(call !== undefined && { call }),
  });

  const askThrough =
    (human: Human): AskUser =>
    (questions) =>
      waitForHuman(
        agent,
        scope,
        {
          reason: 'question',
          message: `asked about ${questions.map((question) => question.header).join(', ')}`,
          tool: 'ask_user',
          notification: 'question',
        },
        (signal) => human.answer(questions, { name, type }, signal),
        () => 'answered',
      );

  const sizes = () => stored.state().sizes;
  const compaction = createAutomaticCompaction({
    tokens: () => tokensOf(agent.messages(), sizes().get(name)),
    window: () => options.model().contextWindow,
    compact: (occasion) => compact({ occasion, instructions: '', agent, session: scope, sizes }),
    notice: (text) => scope.events({ kind: 'notice', text: name === 'main' ? text : `${name}: ${text}` }),
  });

  const agent: Agent = {
    name,
    type,
    get workspace() {
      return place.workspace;
    },
    get cwd() {
      return place.cwd;
    },
    get model() {
      return options.model();
    },
    get system() {
      return options.system();
    },
    tools: options.tools,
    get toolPorts() {
      return { ...options.toolPorts, ...(scope.human !== undefined && { askUser: askThrough(scope.human) }) };
    },
    get turn() {
      return turn;
    },
    get signal() {
      return running.signal;
    },
    messages: () => stored.state().messages.get(name) ?? [],
    dispatchContext,
    async promptTurn() {
      const before = prompts;
      let release: () => void = () => {};
      prompts = new Promise((resolve) => {
        release = resolve;
      });
      await before;
      return release;
    },
    addContexts: (contexts, event) => addContexts(name, stored, contexts, event),
    nextTurn: () => {
      turn = (turn ?? 0) + 1;
      return turn;
    },
    endTurns: () => {
      turn = null;
    },
    turnLimitReached: () => (turn ?? 0) >= options.maxTurns,
    async passBoundary() {
      running.signal.throwIfAborted();
      await options.boundary(running.signal, turn);
      const halt = await options.betweenTurns?.(running.signal, turn);
      if (halt !== undefined) return halt;
      const refusal = await compaction.pass();
      running.signal.throwIfAborted();
      return refusal;
    },
    makeRoom: compaction.makeRoom,
    beginRun: () => {
      if (running.signal.aborted) running = new AbortController();
    },
    interrupt: (reason) => running.abort(reason),
  };
  return agent;
}

function addContexts(agent: string, stored: Session, contexts: readonly Attributed[], event: string): void {
  for (const context of contexts) {
    stored.append({
      kind: 'context',
      agent,
      text: context.text,
      source: `${event} hook ${context.hook}`,
      from: { kind: 'hook', event, id: context.place },
    });
  }
}

/** How full the window is, is known of the main agent's conversation only. */
function usageOf(agent: string, stored: Session, model: Model): DispatchContext['usage'] {
  const { usage, lastInput } = stored.state();
  const window = agent === 'main' ? model.contextWindow : undefined;
  return {
    input_tokens: usage.input,
    output_tokens: usage.output,
    context_share: window === undefined ? null : Math.round((lastInput / window) * 1000) / 1000,
  };
}
