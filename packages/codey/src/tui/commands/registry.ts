// All commands, in the order in which help shows them.
import { clear } from './clear.ts';
import { close } from './close.ts';
import type { Command } from './command.ts';
import { context } from './context.ts';
import { copy } from './copy.ts';
import { diff } from './diff.ts';
import { exportCommand } from './export.ts';
import { files } from './files.ts';
import { help } from './help.ts';
import { hooks } from './hooks.ts';
import { model } from './model.ts';
import { newCommand } from './new.ts';
import { pause } from './pause.ts';
import { permissions } from './permissions.ts';
import { quit } from './quit.ts';
import { rename } from './rename.ts';
import { resume } from './resume.ts';
import { status } from './status.ts';
import { usage } from './usage.ts';

export const commands: readonly Command[] = [
  help,
  hooks,
  status,
  model,
  permissions,
  newCommand,
  close,
  rename,
  resume,
  clear,
  pause,
  diff,
  files,
  context,
  usage,
  copy,
  exportCommand,
  quit,
];

export type ReadCommand =
  | { readonly kind: 'command'; readonly command: Command; readonly argument: string }
  /** Begins like a command but is none; the sentence says what could be meant. */
  | { readonly kind: 'unknown'; readonly message: string }
  | { readonly kind: 'prompt' };

/** `/name argument`. A path such as `/etc/hosts is …` is no command. */
export function readCommand(text: string, known: readonly Command[] = commands): ReadCommand {
  const match = /^\/([\w-]+)(?:\s+(.*))?$/s.exec(text.trim());
  const [, name = '', argument = ''] = match ?? [];
  if (match === null) return { kind: 'prompt' };
  const command = known.find((each) => each.name === name) ?? onlyBeginning(name, known);
  if (command !== undefined) return { kind: 'command', command, argument: argument.trim() };
  return { kind: 'unknown', message: `There is no command /${name}. /help lists them all.` };
}

function onlyBeginning(name: string, known: readonly Command[]): Command | undefined {
  const [first, second] = known.filter((each) => each.name.startsWith(name));
  return second === undefined ? first : undefined;
}
