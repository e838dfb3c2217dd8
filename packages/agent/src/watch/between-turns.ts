// What is looked after before a prompt and between two turns: servers that are coming up, watched files, the host.
import type { Attributed } from '@codey/hooks';
import type { RunningAgent } from '../loop/scope.ts';
import type { Mcp } from '../mcp/mcp.ts';
import { findMentions, readMentions } from '../mcp/mentions.ts';
import type { SessionEntry } from '../session/entry.ts';
import type { FileWatch } from './file-watch.ts';

export interface BetweenTurnsOptions {
  /** Read at each use: it is made with this. */
  readonly agent: () => RunningAgent;
  readonly watch: FileWatch;
  readonly mcp: Mcp;
  /** The host's own part, such as an offer to reload edited settings. */
  readonly host?: (signal: AbortSignal) => Promise<void>;
  readonly append: (entry: SessionEntry) => void;
  readonly notice: (text: string) => void;
}

export interface BetweenTurns {
  beforePrompt(): Promise<void>;
  /** `turn` is null before the first one of a run. Resolves with what a hook ends the run with. */
  pass(signal: AbortSignal, turn: number | null): Promise<Attributed | undefined>;
}

export function createBetweenTurns(options: BetweenTurnsOptions): BetweenTurns {
  const { agent, watch, mcp, host, append, notice } = options;

  /** Resources that the prompt mentions come behind it, once it was let through. */
  async function attach(signal: AbortSignal): Promise<void> {
    const prompt = agent()
      .messages()
      .findLast((message) => message.role === 'user');
    const names = mcp.servers().map(({ name }) => name);
    const mentions = findMentions(prompt?.text ?? '', names);
    for (const context of await readMentions(mentions, mcp, signal)) append(context);
    signal.throwIfAborted();
  }

  async function poll(): Promise<Attributed | undefined> {
    if (watch.paths().length === 0) return undefined;
    const { contexts, halt } = await watch.poll(agent().dispatchContext());
    agent().addContexts(contexts, 'FileChanged');
    return halt;
  }

  return {
    async beforePrompt() {
      const halt = await poll();
      if (halt !== undefined) notice(`${halt.hook} wanted to end a run, and there is none: ${halt.text}`);
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
      if (halt === undefined) await host?.(signal);
      return halt;
    },
  };
}
