// The model port: one streamed answer to one request. Providers and the scripted model stand behind it.

export interface ToolCall {
  readonly id: string;
  readonly tool: string;
  /** Parsed JSON as the model gave it; not yet validated. A call whose JSON does not parse has `invalid` set. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly invalid?: string;
}

/** The conversation as a model sees it. */
export type Message =
  | { readonly role: 'user'; readonly text: string }
  /** Text from hooks and the host: never in the user's own words, and marked as such to the model. */
  | { readonly role: 'context'; readonly text: string; readonly source: string }
  | {
      readonly role: 'assistant';
      readonly text: string;
      readonly calls: readonly ToolCall[];
      /** Provider data that must be sent back unchanged with this message (signed reasoning and the like). */
      readonly carry?: unknown;
    }
  | {
      readonly role: 'tool';
      readonly callId: string;
      readonly tool: string;
      readonly output: string;
      readonly failed: boolean;
    };

export interface ToolDeclaration {
  readonly name: string;
  readonly description: string;
  /** JSON Schema (draft 7) of the input object. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** Tokens of one model call; `input` includes what came from the provider's cache. 0 where the provider does not say. */
export interface Usage {
  readonly input: number;
  readonly output: number;
}

export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDeclaration[];
  /** Which agent asks: `main`, or its type and name (the scripted model keeps a script per agent). */
  readonly agent: { readonly type: string; readonly name: string };
  readonly signal: AbortSignal;
}

export type ModelEvent =
  | { readonly kind: 'text'; readonly text: string }
  /** Thinking the provider lets through; shown dimly, never stored as the answer. */
  | { readonly kind: 'reasoning'; readonly text: string }
  | { readonly kind: 'call'; readonly call: ToolCall }
  /**
   * The provider failed and will be asked again after `delayMs`; anything streamed before it is void. `attempt` counts
   * the failures of this call so far, from 1. Sent before the wait, so that a screen can show it.
   */
  | { readonly kind: 'retry'; readonly attempt: number; readonly delayMs: number; readonly message: string }
  /** Always the last event of a stream that did not throw. */
  | {
      readonly kind: 'finish';
      readonly reason: 'stop' | 'calls' | 'length' | 'other';
      readonly usage: Usage;
      readonly carry?: unknown;
    };

export interface Model {
  /** As written on the command line: `anthropic/claude-…`, `script:file`. */
  readonly id: string;
  /** Tokens the model's window holds, where known. */
  readonly contextWindow?: number;
  /** Throws ModelError, or the signal's reason when aborted. */
  stream(request: ModelRequest): AsyncIterable<ModelEvent>;
}

export type ModelErrorKind =
  | 'authentication'
  | 'rate-limit'
  | 'overloaded'
  | 'server'
  | 'context-overflow'
  | 'invalid-request'
  | 'network'
  | 'malformed'
  | 'script';

/** The provider's or host's own sentence on why there is no answer; never conversation text. */
export class ModelError extends Error {
  readonly kind: ModelErrorKind;
  /** What the provider asked us to wait. */
  readonly retryAfterMs: number | undefined;

  constructor(
    kind: ModelErrorKind,
    message: string,
    options: { retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'ModelError';
    this.kind = kind;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** The provider takes no conversation of this length. */
export function isOverflow(error: unknown): error is ModelError {
  return error instanceof ModelError && error.kind === 'context-overflow';
}
