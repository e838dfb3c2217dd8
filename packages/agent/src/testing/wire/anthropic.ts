// Anthropic's Messages API as a stream.
import type { WireTurn } from './story.ts';
import { checkSchema, event, isBlank, type Json, listOf, pieces, type WireFormat } from './wire.ts';

export const anthropicWire: WireFormat = {
  events(turn, answer) {
    const blocks = blocksOf(turn, answer).map((block, index) => blockEvents(block, index));
    const stop = turn.ends === 'length' ? 'max_tokens' : turn.calls?.length ? 'tool_use' : 'end_turn';
    return [
      named({
        type: 'message_start',
        message: {
          id: `msg_${answer}`,
          type: 'message',
          role: 'assistant',
          model: 'claude-wire',
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: turn.usage?.input ?? 10, output_tokens: 1 },
        },
      }),
      named({ type: 'ping' }),
      ...blocks.flat(),
      named({
        type: 'message_delta',
        delta: { stop_reason: stop, stop_sequence: null },
        usage: { output_tokens: turn.usage?.output ?? 5 },
      }),
      named({ type: 'message_stop' }),
    ];
  },
  errorBody: (status, type, message) => ({
    type: 'error',
    error: { type: type ?? usualType(status), message },
  }),
  errorEvent: (type, message) => named({ type: 'error', error: { type, message } }),
  check({ path, headers, body }) {
    const messages = listOf(body.messages);
    return [
      ...(path === '/v1/messages' ? [] : [`${path} is not /v1/messages`]),
      ...(isBlank(headers['x-api-key']) ? ['x-api-key is missing'] : []),
      ...(isBlank(headers['anthropic-version']) ? ['anthropic-version is missing'] : []),
      ...(typeof body.max_tokens === 'number' && body.max_tokens > 0 ? [] : ['max_tokens is missing']),
      ...(body.stream === true ? [] : ['stream is not true']),
      ...listOf(body.tools).flatMap((tool) => checkSchema(tool.name, tool.input_schema)),
      ...checkRoles(messages),
      ...messages.flatMap((message, index) => checkContent(message, messages[index + 1])),
    ];
  },
};

function named(data: { readonly type: string; readonly [key: string]: unknown }): string {
  return event(data, data.type);
}

interface Block {
  readonly start: Json;
  readonly deltas: readonly Json[];
}

function blocksOf(turn: WireTurn, answer: number): Block[] {
  const blocks: Block[] = [];
  if (turn.reasoning !== undefined) {
    blocks.push({
      start: { type: 'thinking', thinking: '', signature: '' },
      deltas: [
        ...pieces(turn.reasoning).map((thinking) => ({ type: 'thinking_delta', thinking })),
        { type: 'signature_delta', signature: signatureOf(turn.reasoning) },
      ],
    });
  }
  if (turn.text !== undefined) {
    blocks.push({
      start: { type: 'text', text: '' },
      deltas: pieces(turn.text).map((text) => ({ type: 'text_delta', text })),
    });
  }
  for (const [index, call] of (turn.calls ?? []).entries()) {
    const json = call.rawInput ?? JSON.stringify(call.input ?? {});
    blocks.push({
      start: { type: 'tool_use', id: call.id ?? `toolu_${answer}_${index}`, name: call.tool, input: {} },
      deltas: pieces(json).map((partial) => ({ type: 'input_json_delta', partial_json: partial })),
    });
  }
  return blocks;
}

function blockEvents(block: Block, index: number): string[] {
  return [
    named({ type: 'content_block_start', index, content_block: block.start }),
    ...block.deltas.map((delta) => named({ type: 'content_block_delta', index, delta })),
    named({ type: 'content_block_stop', index }),
  ];
}

/** Stands for a signature: it fits one reasoning text only. */
function signatureOf(reasoning: string): string {
  return `signed:${reasoning}`;
}

function usualType(status: number): string {
  const types: Record<number, string> = {
    400: 'invalid_request_error',
    401: 'authentication_error',
    403: 'permission_error',
    404: 'not_found_error',
    413: 'request_too_large',
    429: 'rate_limit_error',
    529: 'overloaded_error',
  };
  return types[status] ?? 'api_error';
}

function checkRoles(messages: readonly Json[]): string[] {
  const problems = messages.flatMap((message, index) =>
    message.role === (index % 2 === 0 ? 'user' : 'assistant')
      ? []
      : [`messages.${index} has the role ${String(message.role)}`],
  );
  if (messages.at(-1)?.role !== 'user') problems.push('the last message is not the user’s');
  return problems;
}

function checkContent(message: Json, next: Json | undefined): string[] {
  const content = listOf(message.content);
  const problems: string[] = [];
  if (content.length === 0) problems.push('a message has no content');
  for (const block of content) {
    if (block.type === 'text' && isBlank(block.text)) problems.push('text content blocks must be non-empty');
    if (block.type === 'thinking' && block.signature !== signatureOf(String(block.thinking))) {
      problems.push('the signature of a thinking block is not valid');
    }
  }
  const calls = content.filter((block) => block.type === 'tool_use').map((block) => String(block.id));
  for (const id of calls)
    if (!/^[a-zA-Z0-9_-]+$/.test(id)) problems.push(`tool_use id ${id} has other characters`);
  if (message.role === 'assistant') {
    const results = listOf(next?.content).slice(0, calls.length);
    const answered = results
      .filter((block) => block.type === 'tool_result')
      .map((block) => String(block.tool_use_id));
    if (calls.toSorted().join() !== answered.toSorted().join()) {
      problems.push('tool_use ids were found without tool_result blocks immediately after');
    }
    const further = listOf(next?.content).slice(calls.length);
    if (further.some((block) => block.type === 'tool_result')) problems.push('a tool_result has no tool_use');
  }
  return problems;
}
