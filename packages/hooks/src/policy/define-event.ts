// The only way to make a policy event: one entry answers everything the engine, docs and schemas ask of it.
import type * as v from 'valibot';

/** Fields of `hookSpecificOutput` that only some events understand. Verdict fields work on every event. */
export type OutputField =
  | 'permissionDecision'
  | 'updatedInput'
  | 'additionalContext'
  | 'updatedToolOutput'
  | 'watchPaths'
  | 'worktreePath'
  | 'action'
  | 'continue';

export interface PolicyEventDefinition<
  Name extends string = string,
  Payload extends v.ObjectEntries = v.ObjectEntries,
> {
  /** The name used in config, payloads, docs and logs. Case counts. */
  readonly name: Name;
  /** Heading it stands under in the events reference. */
  readonly family: 'Tool lifecycle' | 'Session lifecycle' | 'Context and workspace' | 'Agents, teams, and worktrees' | 'MCP interactions';
  /** When it fires, in one sentence. */
  readonly summary: string;
  /** Payload fields beside the common ones; each carries a `v.description`. */
  readonly payload: Payload;
  /** What `matcher` is tested on; null where the event has no match value (a matcher there is a warning). */
  readonly matchOn: { readonly what: string; readonly value: (payload: never) => string } | null;
  /** Whether `if` may stand on its hooks: only events about one tool call. */
  readonly aboutToolCall: boolean;
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
  /** A payload of the event's own fields as a hook would see it; docs, `hooks test` and dialect tests start from it. */
  readonly example: Readonly<Record<string, unknown>>;
  /** Version that introduced it. */
  readonly since: string;
}

/** Fixes the literal types of one entry, so that the catalogue's types can be derived from it. */
export function definePolicyEvent<const Name extends string, const Payload extends v.ObjectEntries>(
  definition: Omit<PolicyEventDefinition<Name, Payload>, 'matchOn'> & {
    readonly matchOn: {
      readonly what: string;
      readonly value: (payload: v.InferOutput<v.ObjectSchema<Payload, undefined>>) => string;
    } | null;
  },
): PolicyEventDefinition<Name, Payload> {
  return definition;
}
