// Reads what a background command printed.
import * as v from 'valibot';
import type { BackgroundCommands } from './background.ts';
import { numberField, textField } from './fields.ts';
import { cancelled, failed, ok } from './result.ts';
import description from './shell-output.md';
import { defineTool } from './tool.ts';
import { withoutEscapes } from './without-escapes.ts';

export const shellOutput = defineTool({
  name: 'shell_output',
  description,
  input: v.strictObject({
    id: textField('The command, such as shell-1.'),
    wait: v.optional(numberField(0, 600, 'Seconds to wait for its end.')),
  }),
  access: 'free',
  subject: () => ({ kind: 'none' }),
  async run({ id, wait = 0 }, { background, signal }) {
    if (wait > 0) await background.wait(id, wait * 1_000, signal);
    if (signal.aborted) return cancelled(`Waiting for ${id} was cancelled; it goes on running.`);
    const report = background.read(id);
    if (report === null) return failed(unknownCommand(id, background));
    const state = report.ended === null ? 'is running' : `has ended: ${report.ended}`;
    const output = withoutEscapes(report.output).replace(/\n$/, '');
    return ok(`[${id} ${state}]\n${output === '' ? '[no new output]' : output}`);
  },
});

export function unknownCommand(id: string, background: BackgroundCommands): string {
  const ids = background.ids();
  const known = ids.length === 0 ? 'None was started.' : `There are: ${ids.join(', ')}.`;
  return `There is no background command ${id}. ${known}`;
}
