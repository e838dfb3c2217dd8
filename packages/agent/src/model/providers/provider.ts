// What a provider is to us: how it is reached, how its client is loaded, and in what it differs from the others.
import type { LanguageModelV3, SharedV3ProviderMetadata, SharedV3ProviderOptions } from '@ai-sdk/provider';
import type { VersionRule } from '../base-url.ts';

export interface Connection {
  readonly apiKey: string | undefined;
  /** Complete: what the client appends its paths to. */
  readonly baseUrl: string;
  readonly fetch: typeof fetch;
}

export interface Provider {
  /** As people call it; sentences about its failures start with it. */
  readonly label: string;
  /** Environment variables that may hold the key, in the order in which they are tried. */
  readonly keyVariables: readonly string[];
  readonly needsKey: boolean;
  /** Of the API; absent where only the user can know it. */
  readonly address?: string;
  /** Environment variables that may hold another address, in the order in which they are tried. */
  readonly baseUrlVariables: readonly string[];
  readonly version: VersionRule;
  /** Imports the client package; nothing else does. */
  load(): Promise<(connection: Connection, model: string) => LanguageModelV3>;
  readonly request: RequestStyle;
  /** Tokens the window of a known model holds. */
  contextWindow(model: string): number | undefined;
  /** Sentences that say the conversation is too long. */
  readonly overflow: RegExp;
}

export interface RequestStyle {
  readonly options?: SharedV3ProviderOptions;
  /** Where the client would guess too low a limit for a model it does not know. */
  maxOutputTokens?(model: string): number | undefined;
  /** Sent as `strict` with each tool where leaving it out means something else. */
  readonly strictTools?: boolean;
  readonly cacheMark?: SharedV3ProviderOptions;
  readonly ownCallIds: boolean;
  readonly carryPlainReasoning: boolean;
  readonly partOptions?: (metadata: SharedV3ProviderMetadata) => SharedV3ProviderOptions;
}

/** The first row whose pattern the model's name matches. */
export function windowFrom(rows: readonly (readonly [RegExp, number])[], model: string): number | undefined {
  return rows.find(([pattern]) => pattern.test(model))?.[1];
}
