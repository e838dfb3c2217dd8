// What is looked after before a prompt and between two turns: servers that are coming up, watched files, the host.
import type { Attributed } from '@codey/hooks';
import { waitForHuman } from '../gate/prompt.ts';
import type { RunningAgent, SessionScope } from '../loop/scope.ts';
import type { Mcp } from '../mcp/mcp.ts';
import { findMentions, readMentions } from '../mcp/mentions.ts';
import type { SessionEntry } from '../session/entry.ts';
import type { FileWatch } from './file-watch.ts';

/** What the host gets to see of the moment between two turns. */
export interface TurnBoundary {
  /** Aborts when the run is interrupted. */
  readonly signal: AbortSignal;
  /** Number of the turn that is over; null before a prompt. */
  readonly turn: number | null;
  /**
   * Puts a question of the host's own before the person: the world is told that somebody is waited for, and that it is
   * over, however it ends. `about` is one word or two for `blocked`.
   */
  ask<Answer>(about: string, open: (signal: AbortSignal) => Promise<Answer>): Promise<Answer>;
}

/** Rejects only when the signal aborts. */
export type HostBetweenTurns = (boundary: TurnBoundary) => Promise<void>;

export interface BetweenTurnsOptions {
  /** Read at each use: it is made with this. */
  readonly agent: () => RunningAgent;
  readonly scope: SessionScope;
  readonly watch: FileWatch;
  readonly mcp: Mcp;
  readonly host?: HostBetweenTurns;
  readonly append: (entry: SessionEntry) => void;
  readonly notice: (text: string) => void;
}

export interface BetweenTurns {
  beforePrompt(): Promise<void>;
  /** `turn` is null before the first one of a run. Resolves with what a hook ends the run with. */
  pass(signal: AbortSignal, turn: number | null): Promise<Attributed | undefined>;
}

export function createBetweenTurns(options: BetweenTurnsOptions): BetweenTurns {
  const { agent, scope, watch, mcp, host, append, notice } = options;

  /** Resources that the prompt mentions come behind it, once it was let through. */
  async function attach(signal: AbortSignal): Promise<void> {
    const prompt = agent()
      .messages()
      .findLast((message) => message.role === 'user');
    const names = mcp.servers().map(({ name }) => name);
    const mentions = findMentions(prompt?.text ?? '', names);
    for (const context of await readMentions(mentions, mcp, signal, notice)) append(context);
    signal.throwIfAborted();
  }

  async function poll(): Promise<Attributed | undefined> {
    if (watch.paths().length === 0) return undefined;
    const { contexts, halt } = await watch.poll(agent().dispatchContext());
    agent().addContexts(contexts, 'FileChanged');
    return halt;
  }

  function boundary(signal: AbortSignal, turn: number | null): TurnBoundary {
    return {
      signal,
      turn,
      ask: (about, open) =>
        waitForHuman(
          agent(),
          scope,
          { reason: 'question', message: `asked about ${about}`, tool: '', notification: 'question' },
          open,
          () => 'answered',
        ),
    };
  }

  return {
    async beforePrompt() {
      const halt = await poll();
      if (halt !== undefined) notice(`${halt.hook} wanted to end a run, and there is none: ${halt.text}`);
      const { signal } = agent();
      await host?.(boundary(signal, null)).catch((error: unknown) => {
        // The prompt ends as interrupted by itself.
        if (!signal.aborted) throw error;
      });
    },
    async pass(signal, turn) {
      if (turn === null) {
        // A model that is not told of a tool does without it, so the first turn waits; each server has its deadline.
        await mcp.ready(signal);
        await attach(signal);
        return undefined;
      }
      const halt = await poll();
      signal.throwIfAborted();
      if (halt === undefined) await host?.(boundary(signal, turn));
      return halt;
    },
  };
}
