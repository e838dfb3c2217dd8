// The one object a run comes to, for --output-format json and the last line of stream-json.
import type { Returned, RunOutcome, SessionEvent } from '@codey/agent';
import type { OutcomeKind } from '@codey/hooks';
import type { RunCommandLine } from '../cli/command-line.ts';
import { printableJson } from '../terminal/printable-json.ts';

/** A run, or a session that a SessionStart hook did not let open. */
export type Ended = Omit<RunOutcome, 'stop'> & { readonly stop: RunOutcome['stop'] | 'start_blocked' };

export interface ResultObject {
  readonly session_id: string;
  readonly result: string;
  readonly is_error: boolean;
  readonly stop_reason: Ended['stop'];
  /** Why it is an error; only where it is one. */
  readonly error?: string;
  readonly turns: number;
  readonly usage: { readonly input_tokens: number; readonly output_tokens: number };
  readonly permission_denials: readonly {
    readonly tool: string;
    readonly input: unknown;
    readonly reason: string;
  }[];
  readonly hooks: Readonly<Record<OutcomeKind, number>>;
  /** Results of agents that worked on after the answer; absent without any. */
  readonly agents?: readonly { readonly name: string; readonly result: string; readonly is_error: boolean }[];
}

export function resultObject(
  session: string,
  outcome: Ended,
  denials: readonly Extract<SessionEvent, { kind: 'denied' }>[],
  hooks: ResultObject['hooks'],
  unasked: readonly Returned[] = [],
): ResultObject {
  const isError = outcome.stop !== 'completed';
  return {
    session_id: session,
    result: outcome.text,
    is_error: isError,
    stop_reason: outcome.stop,
    ...(isError && { error: outcome.error }),
    turns: outcome.turns,
    usage: { input_tokens: outcome.usage.input, output_tokens: outcome.usage.output },
    permission_denials: denials.map(({ tool, input, reason }) => ({ tool, input, reason })),
    hooks,
    ...(unasked.length > 0 && {
      agents: unasked.map(({ name, text, failed }) => ({ name, result: text, is_error: failed })),
    }),
  };
}

type OutputFormat = Extract<RunCommandLine['mode'], { kind: 'print' }>['outputFormat'];

/** What goes to stdout for it: as text the answer alone, and nothing where there is none. */
export function resultText(format: OutputFormat, result: ResultObject): string {
  switch (format) {
    case 'text':
      return result.is_error ? '' : `${result.result}\n`;
    case 'json':
      return `${printableJson(result)}\n`;
    case 'stream-json':
      return `${printableJson({ type: 'result', ...result })}\n`;
  }
}
