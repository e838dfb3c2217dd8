// One line on what a call would do: for prompts, for `blocked` and for herdr.
import type { GateCall } from '../loop/scope.ts';

/** `bash: rm -rf build` for the shell, else the tool with the file, address or nothing. */
export function callMessage(call: GateCall): string {
  const { subject } = call.view;
  // The first of several subjects stands for the call.
  const shown = subject.kind === 'guessed' ? (subject.subjects[0] ?? { kind: 'none' as const }) : subject;
  switch (shown.kind) {
    case 'command':
      return `${call.tool.name === 'run_shell' ? 'bash' : call.tool.name}: ${shown.line}`;
    case 'path':
      return `${call.tool.name}: ${shown.forms[0] ?? ''}`;
    case 'url':
      return `${call.tool.name}: ${shown.url}`;
    case 'none':
      return call.tool.name;
  }
}
