// Runs subagents: each works on its own until it has an answer, which goes to whoever started it.
import { failureReason } from '@codey/hooks';
import { runTurns } from '../loop/turns.ts';
import type { Session } from '../session/session.ts';
import type { Crew, Joined, JoinRequest } from './crew.ts';
import type { LiveAgent } from './live-agent.ts';
import { type AgentResult, resultOf } from './result.ts';
import { askSubagentStop } from './subagent-stop.ts';

export type Spawned =
  | { readonly kind: 'started'; readonly name: string; readonly worktree?: string }
  /** A sentence for whoever wanted it. */
  | { readonly kind: 'refused'; readonly reason: string };

export interface Subagents {
  /** Returns when the subagent may start, not when it is done. Never rejects. */
  spawn(request: JoinRequest, parent: LiveAgent): Promise<Spawned>;
  /** Gives every result that waits for an agent to it as context: called where a run of it begins. */
  deliver(to: string): void;
}

export interface SubagentsOptions {
  readonly crew: Crew;
  readonly stored: Session;
  /** Work nobody waits for now, but leaving does. */
  readonly background: (work: Promise<unknown>) => void;
  /** Told what an agent leaves behind: whoever started it may not be the one who looks after it. */
  readonly notice: (sentence: string) => void;
}

export function createSubagents(options: SubagentsOptions): Subagents {
  const { crew, stored, background } = options;
  return {
    async spawn(request, parent) {
      const joined = await crew.join(request, parent);
      if (joined.kind === 'refused') return joined;
      background(work(joined, options));
      const { name, worktree } = joined;
      return { kind: 'started', name, ...(worktree !== undefined && { worktree }) };
    },
    deliver(to) {
      for (const { name, text } of crew.roster.take(to)) {
        stored.append({ kind: 'context', agent: to, text, source: `agent ${name}`, from: { kind: 'host' } });
      }
    },
  };
}

/** However it ends, the roster hears of it: somebody may be waiting. */
async function work(
  { name, live, leave }: Joined,
  { crew, stored, notice }: SubagentsOptions,
): Promise<void> {
  const { roster } = crew;
  let result: AgentResult = { kind: 'cancelled' };
  let notes: readonly string[] = [];
  try {
    stored.append({ kind: 'run', agent: name, state: 'start' });
    const outcome = await runTurns(live.agent, live.scope, askSubagentStop);
    stored.append({ kind: 'run', agent: name, state: 'end', reason: outcome.stop });
    result = resultOf(outcome);
    notes = await leave();
    for (const note of notes) notice(`${name}: ${note}`);
  } catch (error) {
    result = { kind: 'failed', error: failureReason(error), text: '' };
  } finally {
    roster.leave(name, result, notes);
  }
}
