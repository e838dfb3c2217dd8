// Gemini's streamGenerateContent as server-sent events.
import type { WireTurn } from './story.ts';
import { checkSchema, event, isBlank, isJson, type Json, listOf, pieces, type WireFormat } from './wire.ts';

export const googleWire: WireFormat = {
  events(turn, answer) {
    const parts = partsOf(turn, answer);
    const usageMetadata = {
      promptTokenCount: turn.usage?.input ?? 10,
      candidatesTokenCount: turn.usage?.output ?? 5,
      totalTokenCount: (turn.usage?.input ?? 10) + (turn.usage?.output ?? 5),
    };
    const chunk = (part: Json, finishReason?: string) =>
      event({
        candidates: [
          { index: 0, content: { role: 'model', parts: [part] }, ...(finishReason ? { finishReason } : {}) },
        ],
        ...(finishReason ? { usageMetadata } : {}),
        responseId: `response_${answer}`,
      });
    return [
      ...parts.map((part) => chunk(part)),
      chunk({ text: '' }, turn.ends === 'length' ? 'MAX_TOKENS' : 'STOP'),
    ];
  },
  errorBody: (status, type, message) => ({ error: errorOf(status, type, message) }),
  errorEvent: (type, message) => event({ error: errorOf(503, type, message) }),
  check({ path, headers, body }) {
    const contents = listOf(body.contents);
    return [
      ...(/^\/v1beta\/models\/[^/:]+:streamGenerateContent\?alt=sse$/.test(path)
        ? []
        : [`${path} streams no content`]),
      ...(isBlank(headers['x-goog-api-key']) ? ['x-goog-api-key is missing'] : []),
      ...listOf(body.tools)
        .flatMap((tool) => listOf(tool.functionDeclarations))
        .flatMap((declared) =>
          declared.parameters === undefined ? [] : checkSchema(declared.name, declared.parameters),
        ),
      ...checkRoles(contents),
      ...contents.flatMap((content, index) => checkContent(content, contents[index + 1])),
      ...(contents.at(-1)?.role === 'user' ? [] : ['the last content is not the user’s']),
    ];
  },
};

function partsOf(turn: WireTurn, answer: number): Json[] {
  const thoughts = pieces(turn.reasoning ?? '').map((text) => ({ text, thought: true }));
  const texts = pieces(turn.text ?? '').map((text) => ({ text }));
  const calls = (turn.calls ?? []).map((call, index) => {
    if (call.rawInput !== undefined)
      throw new Error('Gemini sends arguments as JSON values: a story cannot break them');
    return {
      functionCall: { id: call.id ?? `call_${answer}_${index}`, name: call.tool, args: call.input ?? {} },
      // As Gemini does it: the first call of an answer is signed.
      ...(index === 0 && turn.reasoning !== undefined ? { thoughtSignature: signatureOf(call.tool) } : {}),
    };
  });
  return [...thoughts, ...texts, ...calls];
}

/** Stands for a signature: it fits calls of one tool only. */
function signatureOf(tool: string): string {
  return Buffer.from(`signed:${tool}`).toString('base64');
}

function errorOf(status: number, type: string | undefined, message: string): Json {
  return { code: status, message, status: type ?? usualStatus(status) };
}

function usualStatus(status: number): string {
  const names: Record<number, string> = {
    400: 'INVALID_ARGUMENT',
    401: 'UNAUTHENTICATED',
    403: 'PERMISSION_DENIED',
    404: 'NOT_FOUND',
    429: 'RESOURCE_EXHAUSTED',
    503: 'UNAVAILABLE',
  };
  return names[status] ?? 'INTERNAL';
}

/** Two of the user's in a row are fine here: results of calls, then words. */
function checkRoles(contents: readonly Json[]): string[] {
  const problems = contents.flatMap((content, index) =>
    content.role === 'model' && contents[index - 1]?.role !== 'user'
      ? [`contents.${index} follows no user turn`]
      : [],
  );
  return contents[0]?.role === 'user'
    ? problems
    : [...problems, 'the conversation does not begin with the user'];
}

/** Clients put it where a call has no signature because another model made it. */
const noSignature = 'skip_thought_signature_validator';

function checkContent(content: Json, next: Json | undefined): string[] {
  const parts = listOf(content.parts);
  const problems: string[] = [];
  if (parts.length === 0) problems.push('a content has no parts');
  if (parts.some((part) => 'text' in part && isBlank(part.text))) problems.push('a part has an empty text');
  for (const part of parts) {
    const called = isJson(part.functionCall) ? String(part.functionCall.name) : undefined;
    const valid = [undefined, noSignature, signatureOf(called ?? '')];
    if (called !== undefined && !valid.includes(part.thoughtSignature as string | undefined)) {
      problems.push('Thought signature is not valid');
    }
  }
  if (content.role === 'model') {
    const calls = parts.filter((part) => isJson(part.functionCall)).length;
    const results = listOf(next?.parts).filter((part) => isJson(part.functionResponse)).length;
    if (calls !== results) {
      problems.push('the number of function response parts is not equal to that of function call parts');
    }
  }
  return problems;
}
