// Waits for what an agent that was started has to say.
import * as v from 'valibot';
import description from './agent-result.md';
import { numberField, pathField } from './fields.ts';
import { cancelled, failed, ok } from './result.ts';
import { defineTool, type Tool } from './tool.ts';

export interface ResultPort {
  /** Never rejects. */
  readonly wait: (
    name: string,
    withinMs: number,
    signal: AbortSignal,
  ) => Promise<
    | {
        readonly kind: 'returned';
        readonly returned: { readonly text: string; readonly failed: boolean };
      }
    | { readonly kind: 'given' | 'working' }
    | { readonly kind: 'unknown'; readonly known: readonly string[] }
  >;
}

const defaultTimeout = 600;
const longestTimeout = 3_600;

export function createAgentResult({ wait }: ResultPort): Tool {
  return defineTool({
    name: 'agent_result',
    description,
    input: v.strictObject({
      name: pathField('The agent, as spawn_agent called it.'),
      timeout: v.optional(numberField(1, longestTimeout, 'Seconds to wait at most.')),
    }),
    access: 'free',
    subject: () => ({ kind: 'none' }),
    async run({ name, timeout = defaultTimeout }, { signal }) {
      const waited = await wait(name, timeout * 1_000, signal);
      if (signal.aborted) return cancelled(`The wait for ${name} was interrupted; it works on.`);
      switch (waited.kind) {
        case 'returned':
          return waited.returned.failed ? failed(waited.returned.text) : ok(waited.returned.text);
        case 'given':
          return ok(`You were given the result of ${name} before; there is nothing new from it.`);
        case 'working':
          return ok(
            `${name} still works after ${timeout} seconds. Go on with something else, or wait again.`,
          );
        case 'unknown':
          return failed(`You have started no agent ${name}. ${sayKnown(waited.known)}`);
      }
    },
  });
}

function sayKnown(names: readonly string[]): string {
  return names.length === 0
    ? 'There is none of yours; spawn_agent starts one.'
    : `Yours are ${names.join(', ')}.`;
}
