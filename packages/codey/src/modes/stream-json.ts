// One session event as one line of --output-format stream-json.
import type { SessionEvent } from '@codey/agent';
import { printableJson } from '../terminal/printable-json.ts';

/** Undefined for events that are drawn but not part of the format. */
export function streamLine(event: SessionEvent): string | undefined {
  const object = streamObject(event);
  return object === undefined ? undefined : `${printableJson(object)}\n`;
}

function streamObject(event: SessionEvent): object | undefined {
  switch (event.kind) {
    case 'turn':
      return { type: 'turn', agent: event.agent, turn: event.turn };
    case 'text':
      return { type: 'text', agent: event.agent, text: event.text };
    case 'answer':
      return {
        type: 'answer',
        agent: event.agent,
        text: event.text,
        usage: { input_tokens: event.usage.input, output_tokens: event.usage.output },
      };
    case 'call':
      return { type: 'tool_call', agent: event.agent, id: event.id, tool: event.tool, input: event.input };
    case 'denied':
      return {
        type: 'tool_denied',
        agent: event.agent,
        id: event.id,
        tool: event.tool,
        reason: event.reason,
      };
    case 'invalid':
      return {
        type: 'tool_invalid',
        agent: event.agent,
        id: event.id,
        tool: event.tool,
        input: event.input,
        message: event.message,
      };
    case 'result':
      return {
        type: 'tool_result',
        agent: event.agent,
        id: event.id,
        tool: event.tool,
        output: event.output,
        is_error: event.failed,
      };
    case 'retry':
      return {
        type: 'retry',
        agent: event.agent,
        attempt: event.attempt,
        delay_ms: event.delayMs,
        message: event.message,
      };
    case 'overflow':
      return { type: 'overflow', agent: event.agent, message: event.message };
    case 'gate':
    case 'reasoning':
    case 'progress':
    case 'notice':
      return undefined;
  }
}
