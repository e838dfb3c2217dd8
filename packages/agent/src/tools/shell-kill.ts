// Ends a background command.
import * as v from 'valibot';
import { textField } from './fields.ts';
import { failed, ok } from './result.ts';
import description from './shell-kill.md';
import { unknownCommand } from './shell-output.ts';
import { defineTool } from './tool.ts';
import { withoutEscapes } from './without-escapes.ts';

export const shellKill = defineTool({
  name: 'shell_kill',
  description,
  input: v.strictObject({ id: textField('The command, such as shell-1.') }),
  access: 'free',
  subject: () => ({ kind: 'none' }),
  async run({ id }, { background }) {
    if (!(await background.kill(id))) return failed(unknownCommand(id, background));
    const report = background.read(id);
    const output = withoutEscapes(report?.output ?? '').replace(/\n$/, '');
    return ok(
      `[${id} has ended: ${report?.ended ?? 'unknown'}]\n${output === '' ? '[no new output]' : output}`,
    );
  },
});
