// What must go back to a provider unchanged with an answer it gave: signed reasoning, item ids, the order of the parts.
import type { SharedV3ProviderMetadata } from '@ai-sdk/provider';
import type { Message, ToolCall } from './model.ts';
import { isObject } from '@codey/hooks';

/** Text and calls stand in the message; a part only says which of them it is, so that nothing is kept twice. */
export type CarryPart =
  | { readonly kind: 'reasoning'; readonly text: string; readonly metadata?: SharedV3ProviderMetadata }
  | {
      readonly kind: 'text';
      /** Range in the message's text. */
      readonly from: number;
      readonly to: number;
      readonly metadata?: SharedV3ProviderMetadata;
    }
  | { readonly kind: 'call'; readonly id: string; readonly metadata?: SharedV3ProviderMetadata };

export interface Carry {
  /** Id of the model that gave the answer; signatures mean nothing to another one. */
  readonly model: string;
  readonly parts: readonly CarryPart[];
}

type AssistantMessage = Extract<Message, { role: 'assistant' }>;

/** A part of an answer with its content, in the provider's order. */
export type AnswerPart =
  | { readonly kind: 'reasoning'; readonly text: string; readonly metadata?: SharedV3ProviderMetadata }
  | { readonly kind: 'text'; readonly text: string; readonly metadata?: SharedV3ProviderMetadata }
  | { readonly kind: 'call'; readonly call: ToolCall; readonly metadata?: SharedV3ProviderMetadata };

/**
 * The parts of an answer as `model` gave it. An answer of another model, or one that was changed since (a log edited
 * by hand, a text cut by compaction), comes back as plain text and calls: a provider refuses a signature over
 * something else.
 */
export function answerParts(message: AssistantMessage, model: string): readonly AnswerPart[] {
  const carry = readCarry(message.carry);
  const carried = carry?.model === model ? restore(message, carry.parts) : undefined;
  return carried ?? plainParts(message);
}

function plainParts({ text, calls }: AssistantMessage): AnswerPart[] {
  return [{ kind: 'text', text }, ...calls.map((call): AnswerPart => ({ kind: 'call', call }))];
}

function restore(message: AssistantMessage, parts: readonly CarryPart[]): AnswerPart[] | undefined {
  const restored: AnswerPart[] = [];
  const calls = new Map(message.calls.map((call) => [call.id, call]));
  let end = 0;
  for (const part of parts) {
    const metadata = part.metadata === undefined ? {} : { metadata: part.metadata };
    switch (part.kind) {
      case 'reasoning':
        restored.push({ kind: 'reasoning', text: part.text, ...metadata });
        break;
      case 'text':
        restored.push({ kind: 'text', text: message.text.slice(part.from, part.to), ...metadata });
        end = part.to;
        break;
      case 'call': {
        const call = calls.get(part.id);
        if (call === undefined) return undefined;
        calls.delete(part.id);
        restored.push({ kind: 'call', call, ...metadata });
        break;
      }
    }
  }
  return end === message.text.length && calls.size === 0 ? restored : undefined;
}

/** It comes back from a log, so its shape is checked and not believed. */
function readCarry(value: unknown): Carry | undefined {
  if (!isObject(value) || typeof value.model !== 'string' || !Array.isArray(value.parts)) return undefined;
  return value.parts.every(isPart) ? { model: value.model, parts: value.parts } : undefined;
}

function isPart(value: unknown): value is CarryPart {
  if (!isObject(value) || (value.metadata !== undefined && !isObject(value.metadata))) return false;
  switch (value.kind) {
    case 'reasoning':
      return typeof value.text === 'string';
    case 'text':
      return Number.isInteger(value.from) && Number.isInteger(value.to);
    case 'call':
      return typeof value.id === 'string';
    default:
      return false;
  }
}
