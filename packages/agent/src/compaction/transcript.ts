// A conversation as text that a model can be asked to summarise.
import type { Message } from '../model/model.ts';
import { capOutput } from '../tools/output.ts';

/** Of one tool's output: a summary needs what came of a call, not its log. */
const outputCap = 2_000;
const textCap = 12_000;
const inputCap = 1_000;

/** @param cap characters of the whole; beyond it the middle is left out */
export function renderTranscript(messages: readonly Message[], cap: number): string {
  return capOutput(messages.map(render).join('\n\n'), cap);
}

function render(message: Message): string {
  switch (message.role) {
    case 'user':
      return `User:\n${capOutput(message.text, textCap)}`;
    case 'context':
      return `Context (${message.source}):\n${capOutput(message.text, textCap)}`;
    case 'assistant': {
      const calls = message.calls.map(
        ({ tool, input }) => `Called ${tool} with ${capOutput(JSON.stringify(input), inputCap)}`,
      );
      return ['Assistant:', capOutput(message.text, textCap), ...calls].filter(Boolean).join('\n');
    }
    case 'tool':
      return `Result of ${message.tool}${message.failed ? ' (failed)' : ''}:\n${capOutput(message.output, outputCap)}`;
  }
}
