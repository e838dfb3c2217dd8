// Whether what an in-process hook returned is an answer: compiled code hands over what it likes, whatever its types said.
import * as v from 'valibot';
import type { Answer } from './decision.ts';

export type CheckedAnswer =
  | { readonly ok: true; readonly answer: Answer }
  /** Completes “it returned …”. */
  | { readonly ok: false; readonly problem: string };

/** Nothing is taken from a value that is wrong in one place: unlike a text it was never half written. */
export function checkAnswer(value: unknown): CheckedAnswer {
  const checked = v.safeParse(answerSchema, value);
  if (checked.success) return { ok: true, answer: value as Answer };
  const [issue] = checked.issues;
  const field = issue.path?.map(({ key }) => String(key)).join('.');
  const problem =
    field === undefined
      ? `${issue.received} where an answer with a verdict is expected`
      : `an answer whose ${field} is ${issue.received}, where ${issue.expected ?? 'another value'} is expected`;
  return { ok: false, problem };
}

const fields = v.record(v.string(), v.unknown());
const reason = v.optional(v.string());

const answerSchema = v.object({
  verdict: v.variant('kind', [
    v.object({ kind: v.literal('none') }),
    v.object({ kind: v.literal('allow'), reason }),
    v.object({ kind: v.literal('ask'), reason }),
    v.object({ kind: v.literal('deny'), reason: v.string() }),
    v.object({ kind: v.literal('continue'), reason: v.string() }),
  ]),
  halt: v.optional(v.object({ stopReason: v.string() })),
  updatedInput: v.optional(fields),
  updatedToolOutput: v.optional(v.string()),
  additionalContext: v.optional(v.string()),
  watchPaths: v.optional(v.array(v.string())),
  worktreePath: v.optional(v.string()),
  elicitation: v.optional(
    v.variant('action', [
      v.object({ action: v.literal('accept'), content: v.optional(fields) }),
      v.object({ action: v.literal('decline') }),
      v.object({ action: v.literal('cancel') }),
    ]),
  ),
  systemMessage: v.optional(v.string()),
  suppressOutput: v.optional(v.boolean()),
});
