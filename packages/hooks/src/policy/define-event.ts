// The only way to make a policy event: one entry answers everything the engine, docs and schemas ask of it.
import type * as v from 'valibot';

/** The headings of the events reference, in its order. */
export const families = [
  'Tool lifecycle',
  'Session lifecycle',
  'Context and workspace',
  'Agents, teams, and worktrees',
  'MCP interactions',
] as const;
export type Family = (typeof families)[number];

/**
 * What only some events understand in a hook's answer. A block and a `decision` with `allow` or `deny` work on every
 * event and are not listed; neither is `permissionDecision: deny`, which is listed for where `allow` and `ask` count too.
 * `action` brings `content` with it. `continue` stands for `{"decision": "continue"}`: back to work.
 */
export type OutputField =
  | 'permissionDecision'
  | 'updatedInput'
  | 'additionalContext'
  | 'updatedToolOutput'
  | 'watchPaths'
  | 'worktreePath'
  | 'action'
  | 'continue';

/** The fields of a payload beside the common ones, as a caller hands them in. */
export type OwnFields<Payload extends v.ObjectEntries> = v.InferOutput<v.ObjectSchema<Payload, undefined>>;

export interface PolicyEventDefinition<
  Name extends string = string,
  Payload extends v.ObjectEntries = v.ObjectEntries,
> {
  /** The name used in config, payloads, docs and logs. Case counts. */
  readonly name: Name;
  /** Heading it stands under in the events reference. */
  readonly family: Family;
  /** When it fires, in one sentence. */
  readonly summary: string;
  /**
   * Payload fields beside the common ones; each carries a `v.description`. A field with the name of a common one
   * replaces it: `SubagentStart` is about the subagent, whoever started it. A getter, since a start asks few events for
   * it: the schemas of all of them would be a part of it that is felt.
   */
  readonly payload: Payload;
  /** What `matcher` is tested on; null where the event has no match value (a matcher there is a warning). */
  readonly matchOn: MatchOn<Payload> | null;
  /** Whether it always fires inside a run: `turn` has a number then, and `continue: false` a run to end. */
  readonly inRun: boolean;
  /** Whether `if` may stand on its hooks: only events about one tool call. */
  readonly aboutToolCall: boolean;
  /**
   * Whether `updatedInput` makes a new revision that the other hooks are asked about again. Where it does not and is in
   * `output` all the same, the host makes a new call of it.
   */
  readonly rewrites: boolean;
  /** How matching groups run. `in-order` where two hooks may write the same file. */
  readonly groups: 'side-by-side' | 'in-order';
  /** What a block does, in one sentence; null where there is nothing to block (shown and journaled only). */
  readonly block: string | null;
  /** The event-specific output fields its hooks may use. */
  readonly output: readonly OutputField[];
  /** Plain text on stdout becomes context for the model. */
  readonly textIsContext: boolean;
  /** Each hook gets an empty session env file in `CODEY_ENV_FILE` and `KODER_ENV_FILE`. */
  readonly envFile: boolean;
  /** The event's own fields as a hook would see them; docs, `hooks test` and dialect tests start from it. */
  readonly example: OwnFields<Payload>;
  /** Version that introduced it. */
  readonly since: string;
}

export interface MatchOn<Payload extends v.ObjectEntries> {
  /** What the value is, for people. */
  readonly what: string;
  // A method, so that an entry of the catalogue can be used as a PolicyEventDefinition without a cast.
  value(payload: OwnFields<Payload>): string;
}

/** Fixes the literal types of one entry, so that the catalogue's types can be derived from it. */
export function definePolicyEvent<const Name extends string, const Payload extends v.ObjectEntries>(
  definition: PolicyEventDefinition<Name, Payload>,
): PolicyEventDefinition<Name, Payload> {
  return definition;
}
