// What one hook answered and what all of them decided together, as unions in which nonsense cannot be written.
import type { HookReport } from './report.ts';

/** What a hook says about the thing the event is about. `deny` is also the word for a block. */
export type Verdict =
  | { readonly kind: 'none' }
  | { readonly kind: 'allow'; readonly reason?: string }
  | { readonly kind: 'ask'; readonly reason?: string }
  | { readonly kind: 'deny'; readonly reason: string }
  /** Only Stop, SubagentStop and TeammateIdle: back to work, with this as the next instruction. */
  | { readonly kind: 'continue'; readonly reason: string };

/** An answer to an MCP form. */
export type ElicitationAnswer =
  | { readonly action: 'accept'; readonly content?: Readonly<Record<string, unknown>> }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' };

/** Everything one hook can say, in the engine's own words; dialects decode into this. Absent means not said. */
export interface Answer {
  readonly verdict: Verdict;
  /** `continue: false`: end the run; the text goes to the user. */
  readonly halt?: { readonly stopReason: string };
  /** Replaces the whole input of the call (PreToolUse), or makes a new call of it (PermissionRequest). */
  readonly updatedInput?: Readonly<Record<string, unknown>>;
  /** Replaces what the model sees as the tool's output. */
  readonly updatedToolOutput?: string;
  /** Text for the model, attributed to the hook. */
  readonly additionalContext?: string;
  /** Replaces the hook's own list of watched files. */
  readonly watchPaths?: readonly string[];
  readonly worktreePath?: string;
  readonly elicitation?: ElicitationAnswer;
  /** Text for the user. */
  readonly systemMessage?: string;
  /** Keep the hook's output out of the user's view. */
  readonly suppressOutput?: boolean;
}

export const silent: Answer = { verdict: { kind: 'none' } };

/** A text with the hook it came from. */
export interface Attributed {
  /** The hook as people see it: `guard.sh, settings.json:12`. */
  readonly hook: string;
  /** Only where it was written, `settings.json:12`: what may be published without content. */
  readonly place: string;
  readonly text: string;
}

/**
 * What all hooks of one dispatch come to. `cancelled` is a kind of its own so that nobody can mistake an interrupted
 * gate for one that had nothing to say.
 */
export type MergedVerdict =
  | { readonly kind: 'none' }
  | { readonly kind: 'allow'; readonly reasons: readonly Attributed[] }
  | { readonly kind: 'continue'; readonly reasons: readonly Attributed[] }
  | { readonly kind: 'ask'; readonly reasons: readonly Attributed[] }
  | { readonly kind: 'deny'; readonly reasons: readonly Attributed[] }
  | { readonly kind: 'cancelled' };

/** What all hooks of one dispatch decided together. */
export interface Decision {
  readonly verdict: MergedVerdict;
  /** A hook said `continue: false`: end the run; shown to the user. */
  readonly halt?: Attributed;
  /** The final input where hooks changed it. PreToolUse: judged by every selected hook. PermissionRequest: a new call. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** The hooks that changed the input, in the order of their changes. */
  readonly rewrittenBy: readonly string[];
  /** Text for the model, in config order. */
  readonly contexts: readonly Attributed[];
  readonly updatedToolOutput?: Attributed;
  readonly worktreePath?: Attributed;
  readonly elicitation?: { readonly hook: string; readonly answer: ElicitationAnswer };
  /** Per hook id: that hook's new list of watched files. */
  readonly watchPaths: readonly { readonly id: string; readonly paths: readonly string[] }[];
  /** What became of every hook of the event, in config order, skipped ones included. */
  readonly reports: readonly HookReport[];
}

/** One line for people and models: every reason, each with its hook where there are several. */
export function sayReasons(reasons: readonly Attributed[]): string {
  if (reasons.length === 1 && reasons[0] !== undefined) return reasons[0].text;
  return reasons.map((reason) => `${reason.text} (${reason.hook})`).join('\n');
}
