// An answer while it is streamed: its calls made usable, and its parts in the shape in which they may have to go back.
import type { LanguageModelV3ToolCall, SharedV3ProviderMetadata } from '@ai-sdk/provider';
import { unusedCallId } from './call-ids.ts';
import type { Carry, CarryPart } from './carry.ts';
import type { ToolCall } from './model.ts';

export interface DraftContext {
  /** Id of the model, kept with what it wants back. */
  readonly model: string;
  /** Call ids the conversation already uses. */
  readonly takenIds: ReadonlySet<string>;
  /** Send unsigned reasoning back too: servers without signatures expect it as text. */
  readonly carryPlainReasoning: boolean;
}

export interface AnswerDraft {
  noteText(id: string, metadata: SharedV3ProviderMetadata | undefined): void;
  /** The text to show: with an empty line before it when another block of text came before this one. */
  addText(id: string, delta: string, metadata: SharedV3ProviderMetadata | undefined): string;
  addReasoning(id: string, delta: string, metadata: SharedV3ProviderMetadata | undefined): void;
  addCall(
    part: Pick<LanguageModelV3ToolCall, 'toolCallId' | 'toolName' | 'input' | 'providerMetadata'>,
  ): ToolCall;
  callCount(): number;
  /** Absent when text and calls say everything. */
  carry(): Carry | undefined;
}

interface Block {
  readonly kind: 'text' | 'reasoning';
  readonly id: string;
  /** Where it begins in the whole text; for reasoning without meaning. */
  from: number;
  text: string;
  metadata: SharedV3ProviderMetadata | undefined;
}

interface Call {
  readonly kind: 'call';
  readonly id: string;
  readonly metadata: SharedV3ProviderMetadata | undefined;
}

export function createAnswerDraft(context: DraftContext): AnswerDraft {
  const parts: (Block | Call)[] = [];
  const taken = new Set(context.takenIds);
  let whole = '';
  let calls = 0;

  /** Clients use a block's id again once something else came between. */
  function block(kind: Block['kind'], id: string, metadata: SharedV3ProviderMetadata | undefined): Block {
    const last = parts.findLast((part) => part.kind !== 'call' && part.kind === kind && part.id === id);
    const known = last !== undefined && last.kind !== 'call' && !closed(last) ? last : undefined;
    const current: Block = known ?? { kind, id, from: whole.length, text: '', metadata: undefined };
    if (known === undefined) parts.push(current);
    current.metadata = mergeMetadata(current.metadata, metadata);
    return current;
  }

  /** Text that other text followed cannot grow: its range in the whole is fixed. */
  function closed(part: Block): boolean {
    return part.kind === 'text' && part.text !== '' && part.from + part.text.length !== whole.length;
  }

  return {
    noteText(id, metadata) {
      block('text', id, metadata);
    },
    addText(id, delta, metadata) {
      const current = block('text', id, metadata);
      if (delta === '') return '';
      const gap = current.text === '' && whole !== '' && !/\s$/.test(whole) ? '\n\n' : '';
      if (current.text === '') current.from = whole.length + gap.length;
      current.text += delta;
      whole += gap + delta;
      return gap + delta;
    },
    addReasoning(id, delta, metadata) {
      block('reasoning', id, metadata).text += delta;
    },
    addCall({ toolCallId, toolName, input, providerMetadata }) {
      const id = unusedCallId(toolCallId, taken);
      taken.add(id);
      calls++;
      parts.push({ kind: 'call', id, metadata: providerMetadata });
      return { id, tool: toolName, ...parseInput(input) };
    },
    callCount: () => calls,
    carry() {
      const kept = parts.flatMap((part) => carryPart(part, context.carryPlainReasoning));
      const needed = kept.some((part) => part.metadata !== undefined || part.kind === 'reasoning');
      return needed ? { model: context.model, parts: kept } : undefined;
    },
  };
}

/** A signature comes with a block's start, its end or an empty piece between, depending on the provider. */
function mergeMetadata(
  before: SharedV3ProviderMetadata | undefined,
  added: SharedV3ProviderMetadata | undefined,
): SharedV3ProviderMetadata | undefined {
  if (before === undefined || added === undefined) return added ?? before;
  const merged = { ...before };
  for (const [provider, values] of Object.entries(added))
    merged[provider] = { ...before[provider], ...values };
  return merged;
}

function carryPart(part: Block | Call, carryPlainReasoning: boolean): CarryPart[] {
  const metadata = part.metadata === undefined ? {} : { metadata: part.metadata };
  switch (part.kind) {
    case 'call':
      return [{ kind: 'call', id: part.id, ...metadata }];
    case 'text':
      return part.text === ''
        ? []
        : [{ kind: 'text', from: part.from, to: part.from + part.text.length, ...metadata }];
    case 'reasoning': {
      const plain = part.metadata === undefined;
      const useful = plain ? carryPlainReasoning && part.text !== '' : true;
      return useful ? [{ kind: 'reasoning', text: part.text, ...metadata }] : [];
    }
  }
}

/** A call is never lost to bad JSON: the gate refuses it, and the model learns why and can repeat it. */
function parseInput(json: string): Pick<ToolCall, 'input' | 'invalid'> {
  if (json.trim() === '') return { input: {} };
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return {
      input: {},
      invalid: 'the arguments are not complete JSON; send the call again with a valid JSON object',
    };
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return { input: value as ToolCall['input'] };
  const got = Array.isArray(value) ? 'a list' : value === null ? 'null' : `a ${typeof value}`;
  return { input: {}, invalid: `the arguments must be a JSON object, not ${got}; send the call again` };
}
