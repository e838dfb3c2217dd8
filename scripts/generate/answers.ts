// What a hook may print, key by key: the output schemas and the table in the docs are made of these.
import * as v from 'valibot';
import type { OutputField } from '../../packages/hooks/src/policy/define-event.ts';

/** Keys beside `hookSpecificOutput`. Every event understands them; `continue` as a decision only some. */
export function topLevelAnswers(decisions: readonly ('block' | 'continue')[]) {
  return {
    decision: optional(
      v.picklist(decisions),
      '`block` blocks what the event is about. `continue` sends the agent back to work and needs a `reason`.',
    ),
    reason: optional(v.string(), 'Why; who gets to read it is said under each event.'),
    ok: optional(
      v.boolean(),
      'The short form that prompt and agent hooks answer with: `false` blocks with the `reason`, `true` says nothing.',
    ),
    continue: optional(
      v.boolean(),
      '`false` blocks where the event can and then ends the run. Outside a run it is ignored with a notice.',
    ),
    stopReason: optional(v.string(), 'Shown to the user beside `"continue": false`.'),
    systemMessage: optional(v.string(), 'Shown to the user.'),
    suppressOutput: optional(v.boolean(), '`true` keeps what the hook printed out of the user’s view.'),
  };
}

/** Keys of `hookSpecificOutput` that every event understands. */
export function commonSpecificAnswers(permissionDecisions: readonly ('allow' | 'deny' | 'ask')[]) {
  return {
    decision: optional(
      v.object({
        behavior: v.pipe(
          v.picklist(['allow', 'deny']),
          v.description('`allow` approves a call, `deny` blocks what the event is about.'),
        ),
        message: optional(v.string(), 'The reason.'),
      }),
      'A decision with its reason.',
    ),
    permissionDecision: optional(
      v.picklist(permissionDecisions),
      '`deny` blocks on every event. On a tool call `allow` lets it run without a prompt, unless a rule says otherwise, and `ask` asks a person.',
    ),
    permissionDecisionReason: optional(v.string(), 'Why.'),
  };
}

/** Keys of `hookSpecificOutput` that only some events understand. */
export const specificAnswers = {
  updatedInput: {
    updatedInput: optional(
      v.record(v.string(), v.unknown()),
      'Replaces the whole input of the call. The other hooks and the rules judge the new one.',
    ),
  },
  additionalContext: {
    additionalContext: optional(v.string(), 'Text for the model, marked with the hook it came from.'),
  },
  updatedToolOutput: {
    updatedToolOutput: optional(v.string(), 'Replaces what the model sees as the output of the tool.'),
  },
  watchPaths: {
    watchPaths: optional(
      v.array(v.pipe(v.string(), v.nonEmpty())),
      'Files whose changes fire FileChanged. It replaces the earlier list of the same hook.',
    ),
  },
  worktreePath: { worktreePath: optional(v.string(), 'Where the worktree is created instead.') },
  action: {
    action: optional(
      v.picklist(['accept', 'decline', 'cancel']),
      'Answers the server without asking the user.',
    ),
    content: optional(
      v.record(v.string(), v.unknown()),
      'The values of the form beside `accept`; may be left out.',
    ),
  },
} as const satisfies Record<Exclude<OutputField, 'continue' | 'permissionDecision'>, v.ObjectEntries>;

/** An answer that may be left out, as all of them may. */
export function optional<Schema extends v.GenericSchema>(schema: Schema, description: string) {
  return v.exactOptional(v.pipe(schema, v.description(description)));
}
