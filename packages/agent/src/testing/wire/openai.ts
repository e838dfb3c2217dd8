// OpenAI's Responses API as a stream.
import type { WireCall, WireTurn } from './story.ts';
import { checkSchema, event, isBlank, type Json, listOf, pieces, type WireFormat } from './wire.ts';

export const openaiWire: WireFormat = {
  events(turn, answer) {
    let number = 0;
    const named = (data: Json) => event({ ...data, sequence_number: number++ }, String(data.type));
    const response = {
      id: `resp_${answer}`,
      object: 'response',
      created_at: 1_700_000_000,
      model: 'gpt-wire',
    };
    const short = turn.ends === 'length';
    return [
      { type: 'response.created', response: { ...response, status: 'in_progress' } },
      ...itemEvents(turn, answer),
      {
        type: short ? 'response.incomplete' : 'response.completed',
        response: {
          ...response,
          status: short ? 'incomplete' : 'completed',
          incomplete_details: short ? { reason: 'max_output_tokens' } : null,
          usage: {
            input_tokens: turn.usage?.input ?? 10,
            input_tokens_details: { cached_tokens: 0 },
            output_tokens: turn.usage?.output ?? 5,
            output_tokens_details: { reasoning_tokens: 0 },
          },
        },
      },
    ].map(named);
  },
  errorBody: (status, type, message) => ({
    error: {
      message,
      type: status >= 500 ? 'server_error' : 'invalid_request_error',
      param: null,
      code: type ?? usualCode(status),
    },
  }),
  errorEvent: (type, message) =>
    event({ type: 'error', sequence_number: 99, error: { type, code: type, message, param: null } }, 'error'),
  check({ path, headers, body }) {
    const input = listOf(body.input);
    return [
      ...(path === '/v1/responses' ? [] : [`${path} is not /v1/responses`]),
      ...(/^Bearer \S+/.test(String(headers.authorization)) ? [] : ['the Authorization header is missing']),
      ...(body.stream === true ? [] : ['stream is not true']),
      ...(body.store === false ? [] : ['store is not false']),
      ...listOf(body.tools).flatMap((tool) => checkSchema(tool.name, tool.parameters)),
      ...checkPairs(input),
      ...input.flatMap(checkItem),
      ...(input.at(-1)?.role === 'user' || input.at(-1)?.type === 'function_call_output'
        ? []
        : ['the last item is not the user’s']),
    ];
  },
};

function itemEvents(turn: WireTurn, answer: number): Json[] {
  const events: Json[] = [];
  let index = 0;
  if (turn.reasoning !== undefined) events.push(...reasoningEvents(turn.reasoning, `rs_${answer}`, index++));
  if (turn.text !== undefined) events.push(...messageEvents(turn.text, `msg_${answer}`, index++));
  for (const call of turn.calls ?? []) {
    events.push(...callEvents(call, `${answer}_${index}`, index));
    index++;
  }
  return events;
}

function reasoningEvents(text: string, id: string, index: number): Json[] {
  const at = { item_id: id, output_index: index, summary_index: 0 };
  const item = { type: 'reasoning', id };
  const summary = [{ type: 'summary_text', text }];
  return [
    {
      type: 'response.output_item.added',
      output_index: index,
      item: { ...item, summary: [], encrypted_content: null },
    },
    { type: 'response.reasoning_summary_part.added', ...at, part: { type: 'summary_text', text: '' } },
    ...pieces(text).map((delta) => ({ type: 'response.reasoning_summary_text.delta', ...at, delta })),
    { type: 'response.reasoning_summary_part.done', ...at, part: summary[0] },
    {
      type: 'response.output_item.done',
      output_index: index,
      item: { ...item, summary, encrypted_content: sealOf(id) },
    },
  ];
}

/** Stands for encrypted reasoning: it fits one item only. */
function sealOf(id: string): string {
  return `sealed:${id}`;
}

function messageEvents(text: string, id: string, index: number): Json[] {
  const at = { item_id: id, output_index: index, content_index: 0 };
  const item = { type: 'message', id, role: 'assistant' };
  return [
    {
      type: 'response.output_item.added',
      output_index: index,
      item: { ...item, status: 'in_progress', content: [] },
    },
    { type: 'response.content_part.added', ...at, part: { type: 'output_text', text: '', annotations: [] } },
    ...pieces(text).map((delta) => ({ type: 'response.output_text.delta', ...at, delta })),
    { type: 'response.output_text.done', ...at, text },
    {
      type: 'response.output_item.done',
      output_index: index,
      item: { ...item, status: 'completed', content: [{ type: 'output_text', text, annotations: [] }] },
    },
  ];
}

function callEvents(call: WireCall, suffix: string, index: number): Json[] {
  const json = call.rawInput ?? JSON.stringify(call.input ?? {});
  const item = {
    type: 'function_call',
    id: `fc_${suffix}`,
    call_id: call.id ?? `call_${suffix}`,
    name: call.tool,
  };
  const at = { item_id: item.id, output_index: index };
  return [
    {
      type: 'response.output_item.added',
      output_index: index,
      item: { ...item, arguments: '', status: 'in_progress' },
    },
    ...pieces(json).map((delta) => ({ type: 'response.function_call_arguments.delta', ...at, delta })),
    { type: 'response.function_call_arguments.done', ...at, arguments: json },
    {
      type: 'response.output_item.done',
      output_index: index,
      item: { ...item, arguments: json, status: 'completed' },
    },
  ];
}

function usualCode(status: number): string | null {
  const codes: Record<number, string> = {
    401: 'invalid_api_key',
    404: 'model_not_found',
    429: 'rate_limit_exceeded',
  };
  return codes[status] ?? null;
}

function checkPairs(input: readonly Json[]): string[] {
  const problems: string[] = [];
  const open = new Set<unknown>();
  for (const item of input) {
    if (item.type === 'function_call') open.add(item.call_id);
    if (item.type === 'function_call_output' && !open.delete(item.call_id)) {
      problems.push(`No tool call found for function call output with call_id ${String(item.call_id)}.`);
    }
  }
  for (const id of open) problems.push(`No tool output found for function call ${String(id)}.`);
  return problems;
}

function checkItem(item: Json): string[] {
  if (item.type === 'item_reference') return ['an item is referred to that was not stored'];
  if (item.type === 'reasoning' && item.encrypted_content !== sealOf(String(item.id))) {
    return ['the encrypted content of a reasoning item could not be verified'];
  }
  const blank = listOf(item.content).some((part) => isBlank(part.text));
  return item.role !== undefined && blank ? ['a message has an empty text'] : [];
}
