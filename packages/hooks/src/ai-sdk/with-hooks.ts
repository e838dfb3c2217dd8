// Puts the tools of the Vercel AI SDK behind a gate. Written against its shapes: the SDK itself is not imported.
import type { GatedResult, ToolGate, ToolInput } from '../embed/tool-gate.ts';
import { lastValue } from './last-value.ts';
import { createModelOutput } from './model-output.ts';
import { refuseInput } from './refuse-input.ts';

/** What the SDK gives a tool beside its input. */
interface ExecutionOptions {
  readonly toolCallId: string;
  readonly abortSignal?: AbortSignal | undefined;
}

/** The members of an SDK tool that matter here; everything else is carried along. */
export interface AiSdkTool {
  readonly inputSchema?: unknown;
  // The SDK's own signatures differ from tool to tool; they are put back by the type of the whole set.
  readonly execute?: unknown;
  readonly toModelOutput?: unknown;
}

/** What the SDK cannot tell the gate. */
export interface WithHooksOptions {
  /** Names of tools whose calls run elsewhere (the client, the provider) and are left as they are. */
  readonly elsewhere?: readonly string[];
  /** A hook said `continue: false`: abort the generation; the text is for the user. */
  readonly onHalt?: (stopReason: string) => void;
}

/** The call did not run. The SDK hands the message to the model as the error of the tool. */
export class ToolRefused extends Error {
  override readonly name = 'ToolRefused';
}

/**
 * The same set of tools, each of which asks the gate before it runs and tells it afterwards. The program gets what the
 * tool returned; what the model gets also holds what hooks replaced or remarked. A tool that streams gives its last
 * value only, since hooks judge a result as a whole. Throws a `TypeError` for a tool without `execute` that `elsewhere`
 * does not name: its calls would pass by the gate.
 */
export function withHooks<Tools extends Readonly<Record<string, AiSdkTool>>>(
  tools: Tools,
  gate: ToolGate,
  options: WithHooksOptions = {},
): Tools {
  const { elsewhere = [] } = options;
  const guarded = Object.entries(tools).map(([name, tool]) => {
    if (elsewhere.includes(name)) return [name, tool];
    if (typeof tool.execute !== 'function') {
      throw new TypeError(
        `the tool ${name} has no execute, so its calls cannot be held back; leave it out or name it in elsewhere`,
      );
    }
    return [name, guard(name, tool, tool.execute as Execute, gate, options)];
  });
  return Object.fromEntries(guarded) as Tools;
}

type Execute = (input: unknown, options: ExecutionOptions) => unknown;

function guard(
  tool: string,
  definition: AiSdkTool,
  run: Execute,
  gate: ToolGate,
  { onHalt }: WithHooksOptions,
): AiSdkTool {
  const modelOutput = createModelOutput(definition);
  return {
    ...definition,
    async execute(input: unknown, options: ExecutionOptions) {
      const result = await gate.call(
        {
          tool,
          input: asInput(input),
          id: options.toolCallId,
          refuse: (changed) => refuseInput(definition.inputSchema, changed),
          ...(options.abortSignal !== undefined && { signal: options.abortSignal }),
        },
        async (agreed) => lastValue(await run(agreed, options)),
      );
      if (result.halt !== undefined) onHalt?.(result.halt);
      if (result.kind === 'ran') modelOutput.remember(options.toolCallId, result);
      return outputOf(result);
    },
    toModelOutput: modelOutput.convert,
  };
}

function outputOf(result: GatedResult<unknown>): unknown {
  switch (result.kind) {
    case 'ran':
      return result.output;
    case 'refused':
      throw new ToolRefused(result.reason);
    case 'failed':
      if (result.remarks.length === 0) throw result.error;
      throw new Error([sayError(result.error), ...result.remarks].join('\n'), { cause: result.error });
  }
}

/** The SDK has checked the input with the tool's schema; hooks speak about objects. */
function asInput(input: unknown): ToolInput {
  return typeof input === 'object' && input !== null && !Array.isArray(input)
    ? (input as ToolInput)
    : { input };
}

function sayError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
