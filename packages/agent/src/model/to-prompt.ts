// The conversation as the providers' clients take it, in an order no provider refuses.
import type {
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  SharedV3ProviderOptions,
} from '@ai-sdk/provider';
import { portableCallId } from './call-ids.ts';
import { type AnswerPart, answerParts } from './carry.ts';
import { contextTagNote, wrapContext } from './context-tag.ts';
import type { Message, ModelRequest, ToolCall } from './model.ts';

/** What differs between providers. */
export interface PromptDialect {
  /** Id of the model asked; only its own answers get their carried parts back. */
  readonly model: string;
  /** Keep call ids as the server wrote them; some servers read meaning out of them. */
  readonly ownCallIds: boolean;
  /** Put on the system prompt and on the last message, where the provider caches up to such a mark. */
  readonly cacheMark?: SharedV3ProviderOptions;
  /** Option names under which carried metadata of a part goes back. */
  readonly partOptions?: (metadata: SharedV3ProviderOptions) => SharedV3ProviderOptions;
}

type AssistantMessage = Extract<Message, { role: 'assistant' }>;
type ToolMessage = Extract<Message, { role: 'tool' }>;
type AssistantPart = Extract<LanguageModelV3Message, { role: 'assistant' }>['content'][number];
type ToolPart = Extract<LanguageModelV3Message, { role: 'tool' }>['content'][number];

/**
 * Rules every provider accepts: the user speaks first and last, roles alternate, results stand right behind the answer
 * that called for them and in its order, every call has exactly one result, and nothing is empty. A call without a
 * result (the turn was interrupted) gets one that says so; a result without its call (its answer was compacted away)
 * becomes marked context.
 */
export function toPrompt(
  { system, messages }: Pick<ModelRequest, 'system' | 'messages'>,
  dialect: PromptDialect,
): LanguageModelV3Prompt {
  const conversation = alternate(arrange(messages), dialect);
  const prompt = system === '' ? conversation : [systemMessage(system), ...conversation];
  return dialect.cacheMark === undefined ? prompt : markForCache(prompt, dialect.cacheMark);
}

/** The note is there from the first turn on: a system prompt that changes later costs the provider's cache. */
function systemMessage(system: string): LanguageModelV3Message {
  return { role: 'system', content: `${system}\n\n${contextTagNote}` };
}

/** An answer with the results of its calls, or text of the user's side. */
type Block =
  | { readonly kind: 'answer'; readonly message: AssistantMessage; readonly results: readonly ToolMessage[] }
  | { readonly kind: 'words'; readonly text: string };

/** Pairs results with calls: a result belongs to the answer before it, whatever stands between. */
function arrange(messages: readonly Message[]): Block[] {
  const blocks: Block[] = [];
  let open: { readonly calls: Set<string>; readonly results: ToolMessage[] } | undefined;
  for (const message of messages) {
    switch (message.role) {
      case 'user':
        blocks.push({ kind: 'words', text: message.text });
        break;
      case 'context':
        blocks.push({ kind: 'words', text: wrapContext(message.text, message.source) });
        break;
      case 'assistant': {
        const results: ToolMessage[] = [];
        open = { calls: new Set(message.calls.map((call) => call.id)), results };
        blocks.push({ kind: 'answer', message, results });
        break;
      }
      case 'tool':
        if (open?.calls.delete(message.callId) === true) open.results.push(message);
        else
          blocks.push({
            kind: 'words',
            text: wrapContext(message.output, `result of an earlier ${message.tool} call`),
          });
        break;
    }
  }
  return blocks;
}

/** Something to answer where the conversation has nothing from the user's side. */
const opening = wrapContext('The conversation continues from an earlier point.', 'codey');
const goOn = wrapContext('Continue.', 'codey');

function alternate(blocks: readonly Block[], dialect: PromptDialect): LanguageModelV3Prompt {
  const prompt: LanguageModelV3Prompt = [];
  for (const block of blocks) {
    switch (block.kind) {
      case 'words':
        addWords(prompt, block.text);
        break;
      case 'answer': {
        const parts = answerParts(block.message, dialect.model).flatMap((part) =>
          assistantPart(part, dialect),
        );
        if (parts.length === 0) break;
        if (prompt.length === 0) addWords(prompt, opening);
        addAnswer(prompt, parts);
        const results = block.message.calls.map((call) => resultPart(call, block.results, dialect));
        if (results.length > 0) prompt.push({ role: 'tool', content: results });
        break;
      }
    }
  }
  const last = prompt.at(-1);
  if (last === undefined || last.role === 'assistant') addWords(prompt, last === undefined ? opening : goOn);
  return prompt;
}

/** One text part a message: some servers take no other form. */
function addWords(prompt: LanguageModelV3Prompt, text: string): void {
  if (text.trim() === '') return;
  const last = prompt.at(-1);
  const before = last?.role === 'user' ? last.content[0] : undefined;
  if (before?.type === 'text') before.text += `\n\n${text}`;
  else prompt.push({ role: 'user', content: [{ type: 'text', text }] });
}

function addAnswer(prompt: LanguageModelV3Prompt, parts: AssistantPart[]): void {
  const last = prompt.at(-1);
  if (last?.role === 'assistant') last.content.push(...parts);
  else prompt.push({ role: 'assistant', content: parts });
}

function assistantPart(part: AnswerPart, dialect: PromptDialect): AssistantPart[] {
  const providerOptions =
    part.metadata === undefined
      ? {}
      : { providerOptions: dialect.partOptions?.(part.metadata) ?? part.metadata };
  switch (part.kind) {
    case 'reasoning':
      return [{ type: 'reasoning', text: part.text, ...providerOptions }];
    case 'text':
      // Providers refuse text that is only space.
      return part.text.trim() === '' ? [] : [{ type: 'text', text: part.text, ...providerOptions }];
    case 'call':
      return [
        {
          type: 'tool-call',
          toolCallId: callId(part.call.id, dialect),
          toolName: part.call.tool,
          input: part.call.input,
          ...providerOptions,
        },
      ];
  }
}

const interrupted = 'There is no result: the call was interrupted before it ended. It may have run in part.';

function resultPart(call: ToolCall, results: readonly ToolMessage[], dialect: PromptDialect): ToolPart {
  const result = results.find((candidate) => candidate.callId === call.id);
  const head = { type: 'tool-result', toolCallId: callId(call.id, dialect), toolName: call.tool } as const;
  if (result === undefined) return { ...head, output: { type: 'error-text', value: interrupted } };
  const value = result.output.trim() === '' ? '(no output)' : result.output;
  return { ...head, output: { type: result.failed ? 'error-text' : 'text', value } };
}

function callId(id: string, dialect: PromptDialect): string {
  return dialect.ownCallIds ? id : portableCallId(id);
}

function markForCache(prompt: LanguageModelV3Prompt, mark: SharedV3ProviderOptions): LanguageModelV3Prompt {
  return prompt.map((message, index) =>
    message.role === 'system' || index === prompt.length - 1
      ? { ...message, providerOptions: mark }
      : message,
  );
}
