// `tool` or `tool(glob)`: the one notation for `if` conditions and permission rules.

/** A parsed rule. */
export interface Rule {
  /** As written. */
  readonly text: string;
  /** Tool names, each may hold `*`. */
  readonly tools: readonly string[];
  /** The glob over the call's argument; absent where the rule names tools only. */
  readonly glob?: string;
}
