// What one hook answered and what all of them decided together, as unions in which nonsense cannot be written.

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
