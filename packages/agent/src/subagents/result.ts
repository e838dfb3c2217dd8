// What a subagent's run came to, and how that is told to the agent it returns to.
import type { RunOutcome } from '../loop/outcome.ts';

export type AgentResult =
  | { readonly kind: 'answer'; readonly text: string }
  /** A SubagentStop hook keeps the answer back. */
  | { readonly kind: 'withheld'; readonly reason: string }
  /** `text`: how far it got. */
  | { readonly kind: 'failed'; readonly error: string; readonly text: string }
  | { readonly kind: 'cancelled' };

export function resultOf({ stop, text, error }: RunOutcome): AgentResult {
  switch (stop) {
    case 'completed':
      return { kind: 'answer', text };
    case 'stop_blocked':
      return { kind: 'withheld', reason: error };
    case 'interrupted':
      return { kind: 'cancelled' };
    case 'halted':
    case 'prompt_blocked':
      return { kind: 'failed', error, text: '' };
    case 'error':
    case 'max_turns':
    case 'stop_hook_limit':
      return { kind: 'failed', error, text };
  }
}

/** For a model. `notes` are about what the agent left behind, such as a worktree. */
export function sayResult(name: string, result: AgentResult, notes: readonly string[]): string {
  return [sayOutcome(name, result), ...notes.map((note) => `[${note}]`)].join('\n');
}

function sayOutcome(name: string, result: AgentResult): string {
  switch (result.kind) {
    case 'answer':
      return result.text === '' ? `${name} ended without a word.` : result.text;
    case 'withheld':
      return `The result of ${name} is withheld by a hook: ${result.reason}`;
    case 'failed':
      return `${name} failed: ${result.error}${result.text === '' ? '' : `\nIts last words were: ${result.text}`}`;
    case 'cancelled':
      return `${name} was cancelled before it had a result.`;
  }
}
