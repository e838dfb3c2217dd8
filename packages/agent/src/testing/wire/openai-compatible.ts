// OpenAI's Chat Completions as a stream, as many other servers speak it.
import type { WireTurn } from './story.ts';
import { checkSchema, event, isBlank, type Json, listOf, pieces, type WireFormat } from './wire.ts';

export const compatibleWire: WireFormat = {
  events(turn, answer) {
    const head = {
      id: `chatcmpl-${answer}`,
      object: 'chat.completion.chunk',
      created: 1_700_000_000,
      model: 'wire',
    };
    const chunk = (delta: Json, finish: string | null = null) =>
      event({ ...head, choices: [{ index: 0, delta, finish_reason: finish }] });
    const reason = turn.ends === 'length' ? 'length' : turn.calls?.length ? 'tool_calls' : 'stop';
    return [
      chunk({ role: 'assistant', content: '' }),
      ...pieces(turn.reasoning ?? '').map((text) => chunk({ reasoning_content: text })),
      ...pieces(turn.text ?? '').map((content) => chunk({ content })),
      ...callDeltas(turn, answer).map((call) => chunk({ tool_calls: [call] })),
      chunk({}, reason),
      event({
        ...head,
        choices: [],
        usage: {
          prompt_tokens: turn.usage?.input ?? 10,
          completion_tokens: turn.usage?.output ?? 5,
          total_tokens: (turn.usage?.input ?? 10) + (turn.usage?.output ?? 5),
        },
      }),
      event('[DONE]'),
    ];
  },
  errorBody: (status, type, message) => ({
    error: { message, type: type ?? null, param: null, code: status },
  }),
  errorEvent: (type, message) => event({ error: { message, type, code: null } }),
  check({ path, headers, body }) {
    const messages = listOf(body.messages);
    return [
      ...(path === '/v1/chat/completions' ? [] : [`${path} is not /v1/chat/completions`]),
      ...(headers.authorization === undefined || /^Bearer \S+/.test(String(headers.authorization))
        ? []
        : ['the Authorization header is malformed']),
      ...(body.stream === true ? [] : ['stream is not true']),
      ...listOf(body.tools).flatMap((tool) => {
        const declared = tool.function as Json;
        return checkSchema(declared.name, declared.parameters);
      }),
      ...checkRoles(messages),
      ...checkPairs(messages),
      ...messages.flatMap(checkContent),
    ];
  },
};

function callDeltas(turn: WireTurn, answer: number): Json[] {
  return (turn.calls ?? []).flatMap((call, index) => {
    const json = call.rawInput ?? JSON.stringify(call.input ?? {});
    const id = call.id ?? `call_${answer}_${index}`;
    return [
      { index, id, type: 'function', function: { name: call.tool, arguments: '' } },
      ...pieces(json).map((text) => ({ index, function: { arguments: text } })),
    ];
  });
}

/** Chat templates of local models refuse two of a kind in a row, and a system message that is not first. */
function checkRoles(messages: readonly Json[]): string[] {
  const problems: string[] = [];
  messages.forEach((message, index) => {
    const before = messages[index - 1];
    if (message.role === 'system' && index > 0) problems.push('the system message is not first');
    if (message.role !== 'tool' && message.role === before?.role)
      problems.push('conversation roles must alternate');
    if (message.role === 'assistant' && (before === undefined || before.role === 'system')) {
      problems.push('the conversation does not begin with the user');
    }
  });
  if (messages.at(-1)?.role === 'assistant') problems.push('the last message is the assistant’s');
  return problems;
}

function checkPairs(messages: readonly Json[]): string[] {
  const problems: string[] = [];
  let open = new Set<unknown>();
  for (const message of [...messages, { role: 'end' }] as Json[]) {
    if (message.role === 'tool') {
      if (!open.delete(message.tool_call_id))
        problems.push(`tool message ${String(message.tool_call_id)} answers no call`);
      continue;
    }
    for (const id of open) problems.push(`tool_calls must be followed by tool messages: ${String(id)}`);
    open = new Set(listOf(message.tool_calls).map((call) => call.id));
  }
  return problems;
}

function checkContent(message: Json): string[] {
  const mayBeEmpty = listOf(message.tool_calls).length > 0;
  return isBlank(message.content) && !mayBeEmpty ? [`a ${String(message.role)} message has no text`] : [];
}
