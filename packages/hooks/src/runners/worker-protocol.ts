import { isObject } from '../config/is-object.ts';
// What codey and a worker say to each other: one JSON object a line, in both directions.

/**
 * Codey asks  `{"id": 7, "event": "PreToolUse", "payload": {…}}`  with the payload a command hook finds on stdin. Ids
 * count up from 1 in each process; several requests may be open at once and may be answered in any order.
 *
 * The worker answers each id once, with one of
 * - `{"id": 7}` — nothing to say, as a command that exits 0;
 * - `{"id": 7, "output": {…}}` — the object, or the text, that a command would print on stdout;
 * - `{"id": 7, "block": "reason"}` — as exit code 2 with the reason on stderr;
 * - `{"id": 7, "error": "what went wrong"}` — as any other exit code: the hook failed.
 *
 * When its stdin ends a worker should end. Whatever else it wants to say belongs on stderr.
 */
export type WorkerReply =
  /** The answer in the terms of a process: exit code and what it printed. */
  | {
      readonly kind: 'answer';
      readonly id: number;
      readonly code: 0 | 1 | 2;
      readonly stdout: string;
      readonly stderr: string;
    }
  /** An answer to that request, but none that can be understood. */
  | { readonly kind: 'malformed'; readonly id: number; readonly why: string }
  /** No answer at all. */
  | { readonly kind: 'noise' };

/** @param input the payload as one line of JSON, with or without its newline */
export function encodeRequest(id: number, event: string, input: string): string {
  return `{"id":${id},"event":${JSON.stringify(event)},"payload":${input.trimEnd()}}\n`;
}

export function parseReply(line: string): WorkerReply {
  const reply = parseObject(line);
  const id = reply?.id;
  if (reply === undefined || typeof id !== 'number') return { kind: 'noise' };
  const said = ['output', 'block', 'error'].filter((key) => reply[key] !== undefined);
  if (said.length > 1) return { kind: 'malformed', id, why: `it holds both ${said.join(' and ')}` };
  const { output, block, error } = reply;
  if (block !== undefined) {
    if (typeof block !== 'string') return { kind: 'malformed', id, why: 'its block is not a text' };
    return { kind: 'answer', id, code: 2, stdout: '', stderr: block };
  }
  if (error !== undefined) {
    if (typeof error !== 'string') return { kind: 'malformed', id, why: 'its error is not a text' };
    return { kind: 'answer', id, code: 1, stdout: '', stderr: error };
  }
  if (output === undefined) return { kind: 'answer', id, code: 0, stdout: '', stderr: '' };
  if (typeof output === 'string') return { kind: 'answer', id, code: 0, stdout: output, stderr: '' };
  if (!isObject(output)) return { kind: 'malformed', id, why: 'its output is neither an object nor a text' };
  return { kind: 'answer', id, code: 0, stdout: JSON.stringify(output), stderr: '' };
}

function parseObject(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
