// One line on what a call would do: for prompts, for `blocked` and for herdr.
import type { GateCall } from '../loop/scope.ts';

/** `bash: rm -rf build` for the shell, else the tool with the file, address or nothing. */
export function callMessage(call: GateCall): string {
  const { subject } = call.view;
  switch (subject.kind) {
    case 'command':
      return `${call.tool.name === 'run_shell' ? 'bash' : call.tool.name}: ${subject.line}`;
    case 'path':
      return `${call.tool.name}: ${subject.forms[0] ?? ''}`;
    case 'url':
      return `${call.tool.name}: ${subject.url}`;
    case 'none':
      return call.tool.name;
  }
}
