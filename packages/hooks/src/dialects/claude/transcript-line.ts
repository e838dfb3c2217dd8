// One step of the conversation as a line of the transcript that hooks of this format read.
import { createHash } from 'node:crypto';
import { toolNameFor } from './names.ts';
import type { Fields } from '../reading.ts';
import { encodeInput } from './tool-input.ts';

/** A step of the conversation, as a host's log knows it. Further keys are passed over. */
export type TranscriptEntry = {
  /** ISO 8601, UTC. */
  readonly time: string;
  /** `main`, or a name unique in the session. */
  readonly agent: string;
} & (
  | { readonly kind: 'prompt'; readonly text: string; readonly from: { readonly kind: string } }
  | { readonly kind: 'context'; readonly text: string }
  | {
      readonly kind: 'answer';
      readonly text: string;
      readonly calls: readonly { readonly id: string; readonly tool: string; readonly input: Fields }[];
      readonly usage: { readonly input: number; readonly output: number };
      readonly from: { readonly kind: string; readonly model?: string };
    }
  | {
      readonly kind: 'result';
      readonly callId: string;
      readonly output: string;
      readonly failed: boolean;
    }
  | { readonly kind: 'compacted'; readonly summary: string }
);

/** Where the line stands. */
export interface LinePlace {
  readonly session: string;
  readonly cwd: string;
  /** From 0 in the transcript of its agent. */
  readonly index: number;
}

/** One line of JSON with its newline. The same entry at the same place is the same line. */
export function transcriptLine(entry: TranscriptEntry, place: LinePlace): string {
  const { agent, time } = entry;
  const id = (index: number): string => lineId(`${place.session} ${agent} ${index}`);
  const line = {
    parentUuid: place.index === 0 ? null : id(place.index - 1),
    isSidechain: agent !== 'main',
    userType: 'external',
    cwd: place.cwd,
    sessionId: place.session,
    ...(agent !== 'main' && { agentId: agent }),
    ...messageOf(entry, place.cwd, id(place.index)),
    uuid: id(place.index),
    timestamp: time,
  };
  return `${JSON.stringify(line)}\n`;
}

/**
 * Scripts look here for what the person typed, and some lift their checks for it: what hooks and the program put into
 * the conversation is marked, so that it cannot pass for that.
 */
function messageOf(entry: TranscriptEntry, cwd: string, id: string): Fields {
  switch (entry.kind) {
    case 'prompt': {
      const typed = entry.from.kind === 'user';
      const message = { role: 'user', content: entry.text };
      return { type: 'user', message, ...(typed ? { origin: { kind: 'human' } } : { isMeta: true }) };
    }
    case 'context':
      return { type: 'user', message: { role: 'user', content: entry.text }, isMeta: true };
    case 'compacted':
      return { type: 'user', message: { role: 'user', content: entry.summary }, isCompactSummary: true };
    case 'result': {
      const { callId, output, failed } = entry;
      const content = [{ type: 'tool_result', tool_use_id: callId, content: output, is_error: failed }];
      return { type: 'user', message: { role: 'user', content }, toolUseResult: output };
    }
    case 'answer': {
      const { text, calls, usage, from } = entry;
      const content = [
        ...(text === '' ? [] : [{ type: 'text', text }]),
        ...calls.map((call) => ({
          type: 'tool_use',
          id: call.id,
          name: toolNameFor(call.tool),
          input: encodeInput(call.tool, call.input, cwd),
        })),
      ];
      const message = {
        id,
        type: 'message',
        role: 'assistant',
        model: from.model ?? '',
        content,
        stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn',
        usage: { input_tokens: usage.input, output_tokens: usage.output },
      };
      return { type: 'assistant', message };
    }
  }
}

function lineId(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
