// What the model sees of a tool's result: the tool's own conversion, with what hooks replaced and remarked.
import type { AiSdkTool } from './with-hooks.ts';

/** The forms of a result that the SDK takes, as far as they are made here. */
type ModelOutput =
  | { readonly type: 'text'; readonly value: string }
  | { readonly type: 'json'; readonly value: unknown }
  | { readonly type: 'content'; readonly value: readonly unknown[] };

interface SaidByHooks {
  readonly replacement?: string;
  readonly remarks: readonly string[];
}

interface Conversion {
  readonly toolCallId: string;
  readonly input: unknown;
  readonly output: unknown;
}

export interface ModelOutputOfTool {
  remember(toolCallId: string, said: SaidByHooks): void;
  convert(conversion: Conversion): Promise<unknown>;
}

export function createModelOutput({ toModelOutput }: AiSdkTool): ModelOutputOfTool {
  const said = new Map<string, SaidByHooks>();
  const own = async (conversion: Conversion): Promise<ModelOutput> =>
    typeof toModelOutput === 'function' ? toModelOutput(conversion) : plain(conversion.output);
  return {
    remember(toolCallId, { remarks, replacement }) {
      if (remarks.length === 0 && replacement === undefined) return;
      said.set(toolCallId, { remarks, ...(replacement !== undefined && { replacement }) });
    },
    // The SDK converts a call's result again with every request that carries it, so nothing is forgotten here.
    async convert(conversion) {
      const { replacement, remarks = [] } = said.get(conversion.toolCallId) ?? {};
      const output: ModelOutput =
        replacement === undefined ? await own(conversion) : { type: 'text', value: replacement };
      return remarks.length === 0 ? output : beside(output, remarks);
    },
  };
}

/** As the SDK does it where a tool says nothing. */
function plain(output: unknown): ModelOutput {
  return typeof output === 'string'
    ? { type: 'text', value: output }
    : { type: 'json', value: output === undefined ? null : output };
}

function beside(output: ModelOutput, remarks: readonly string[]): ModelOutput {
  const more = remarks.map((text) => ({ type: 'text', text }));
  switch (output.type) {
    case 'text':
      return { type: 'text', value: [output.value, ...remarks].join('\n') };
    case 'json':
      return { type: 'content', value: [{ type: 'text', text: JSON.stringify(output.value) }, ...more] };
    case 'content':
      return { type: 'content', value: [...output.value, ...more] };
  }
}
