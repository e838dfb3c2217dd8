// Turns what a provider's client streams into the events of the model port.
import type { LanguageModelV3FinishReason, LanguageModelV3StreamPart } from '@ai-sdk/provider';
import { createAnswerDraft, type DraftContext } from './answer-draft.ts';
import { ModelError, type ModelEvent } from './model.ts';

export interface StreamContext extends DraftContext {
  /** The provider as people call it. */
  readonly label: string;
}

/**
 * The events of one answer, `finish` last. Throws what the client reported, or ModelError `network` when the answer
 * stopped short: an answer cut in half must not pass for a whole one.
 */
export async function* readStream(
  parts: AsyncIterable<LanguageModelV3StreamPart>,
  context: StreamContext,
): AsyncGenerator<ModelEvent> {
  const answer = createAnswerDraft(context);
  for await (const part of parts) {
    switch (part.type) {
      case 'text-start':
      case 'text-end':
        answer.noteText(part.id, part.providerMetadata);
        break;
      case 'text-delta': {
        const text = answer.addText(part.id, part.delta, part.providerMetadata);
        if (text !== '') yield { kind: 'text', text };
        break;
      }
      case 'reasoning-start':
      case 'reasoning-end':
        answer.addReasoning(part.id, '', part.providerMetadata);
        break;
      case 'reasoning-delta':
        answer.addReasoning(part.id, part.delta, part.providerMetadata);
        if (part.delta !== '') yield { kind: 'reasoning', text: part.delta };
        break;
      case 'tool-call':
        // What the provider runs on its own side is not ours to gate or to answer.
        if (part.providerExecuted !== true) {
          yield { kind: 'call', call: answer.addCall(part) };
        }
        break;
      case 'error':
        throw isCutShort(part.error) ? cutShort(context.label) : part.error;
      case 'finish': {
        const carry = answer.carry();
        yield {
          kind: 'finish',
          reason: finishReason(part.finishReason, answer.callCount(), context.label),
          usage: { input: part.usage.inputTokens.total ?? 0, output: part.usage.outputTokens.total ?? 0 },
          ...(carry === undefined ? {} : { carry }),
        };
        return;
      }
      case 'stream-start':
      case 'response-metadata':
      case 'tool-input-start':
      case 'tool-input-delta':
      case 'tool-input-end':
      case 'tool-approval-request':
      case 'tool-result':
      case 'file':
      case 'source':
      case 'raw':
        break;
    }
  }
  throw cutShort(context.label);
}

function finishReason(
  { unified, raw }: LanguageModelV3FinishReason,
  calls: number,
  label: string,
): Extract<ModelEvent, { kind: 'finish' }>['reason'] {
  // The client ends its stream in good order also when the connection just closed; then the provider gave no reason.
  if (raw === undefined && unified === 'other') throw cutShort(label);
  switch (unified) {
    case 'stop':
    case 'tool-calls':
      return calls > 0 ? 'calls' : 'stop';
    case 'length':
      return 'length';
    case 'error':
      throw new ModelError(
        'server',
        `${label}: the answer ended with an error${raw === undefined ? '' : ` (${raw})`}`,
      );
    case 'content-filter':
    case 'other':
      return calls > 0 ? 'calls' : 'other';
  }
}

/** The client for compatible servers finds it out itself, as an error among those about unreadable answers. */
function isCutShort(error: unknown): boolean {
  return error instanceof Error && /ended without a finish reason/.test(error.message);
}

function cutShort(label: string): ModelError {
  return new ModelError('network', `${label}: the connection was closed before the answer was complete`);
}
