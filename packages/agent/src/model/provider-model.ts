// A provider as a model: asks its client, reads the stream, asks again where that can help.
import type { LanguageModelV3, LanguageModelV3FunctionTool } from '@ai-sdk/provider';
import { usedCallIds } from './call-ids.ts';
import { readFailure } from './failure.ts';
import type { Model, ModelEvent, ModelRequest, ToolDeclaration } from './model.ts';
import type { Connection, Provider } from './providers/provider.ts';
import { refusingPages } from './refuse-pages.ts';
import { withRetry } from './retry.ts';
import { readStream } from './stream.ts';
import { toPrompt } from './to-prompt.ts';
import type { Wait } from './wait.ts';

export interface ProviderModelParts {
  readonly id: string;
  /** Name of the model at its provider. */
  readonly model: string;
  readonly provider: Provider;
  readonly connection: Connection;
  /** What to do about a refused key. */
  readonly keyHint: string;
  readonly world: ModelWorld;
}

/** What the models use of the outside world. */
export interface ModelWorld {
  readonly wait: Wait;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The client package is imported at the first call, or earlier by `preload`. */
export function createProviderModel({
  id,
  model,
  provider,
  connection,
  keyHint,
  world,
}: ProviderModelParts): Model {
  let client: Promise<LanguageModelV3> | undefined;
  const openClient = () => {
    client ??= provider
      .load()
      .then((open) => open({ ...connection, fetch: refusingPages(connection.fetch, provider.label) }, model));
    return client;
  };
  const contextWindow = provider.contextWindow(model);
  const failureContext = {
    label: provider.label,
    overflow: provider.overflow,
    keyHint,
    secrets: connection.apiKey === undefined ? [] : [connection.apiKey],
    now: world.now,
  };
  return {
    id,
    ...(contextWindow === undefined ? {} : { contextWindow }),
    stream: (request) =>
      withRetry(
        async function* () {
          yield* ask(await openClient(), request, id, model, provider);
        },
        {
          signal: request.signal,
          readFailure: (thrown) => readFailure(thrown, failureContext),
          wait: world.wait,
          random: world.random,
        },
      ),
  };
}

async function* ask(
  client: LanguageModelV3,
  request: ModelRequest,
  id: string,
  model: string,
  { label, request: style }: Provider,
): AsyncGenerator<ModelEvent> {
  const maxOutputTokens = style.maxOutputTokens?.(model);
  const { stream } = await client.doStream({
    prompt: toPrompt(request, {
      model: id,
      ownCallIds: style.ownCallIds,
      ...(style.cacheMark === undefined ? {} : { cacheMark: style.cacheMark }),
      ...(style.partOptions === undefined ? {} : { partOptions: style.partOptions }),
    }),
    abortSignal: request.signal,
    ...(request.tools.length === 0
      ? {}
      : { tools: request.tools.map((tool) => functionTool(tool, style.strictTools)) }),
    ...(style.options === undefined ? {} : { providerOptions: style.options }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
  });
  yield* readStream(stream, {
    model: id,
    label,
    takenIds: usedCallIds(request.messages),
    carryPlainReasoning: style.carryPlainReasoning,
  });
}

function functionTool(tool: ToolDeclaration, strict: boolean | undefined): LanguageModelV3FunctionTool {
  return {
    type: 'function',
    name: tool.name,
    description: tool.description,
    inputSchema: tool.inputSchema,
    ...(strict === undefined ? {} : { strict }),
  };
}
