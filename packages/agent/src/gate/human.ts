// The port to whoever can answer: a screen with a person before it. Print mode has none.
import type { ToolCall } from '../model/model.ts';
import type { Question } from '../tools/ask-user.ts';

export interface ApprovalRequest {
  readonly agent: { readonly name: string; readonly type: string };
  readonly call: ToolCall;
  /** One line on what the call would do, as in `bash: rm -rf build`. */
  readonly message: string;
  /** Why it is asked: the mode, a rule with its place, a hook. */
  readonly reason: string;
  /** The rule that "always for this pattern" would remember; absent where remembering is not offered. */
  readonly pattern?: string;
}

export type ApprovalAnswer =
  | { readonly kind: 'once' }
  /** Allow, and remember `pattern` for this session or for this project. */
  | { readonly kind: 'remember'; readonly pattern: string; readonly keep: 'session' | 'project' }
  | { readonly kind: 'deny'; readonly reason?: string }
  /** Allow with another input: it goes through the gate as a new call. */
  | { readonly kind: 'edit'; readonly input: Readonly<Record<string, unknown>> };

export interface Human {
  /** Rejects only when the signal aborts. */
  approve(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer>;
  /** One answer a question, in order. Rejects only when the signal aborts. */
  answer(
    questions: readonly Question[],
    agent: ApprovalRequest['agent'],
    signal: AbortSignal,
  ): Promise<readonly string[]>;
}
