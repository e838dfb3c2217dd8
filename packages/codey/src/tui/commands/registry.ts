// All commands, in the order in which help shows them.
import { didYouMean } from '../../cli/suggest.ts';
import { agents } from './agents.ts';
import { brief } from './brief.ts';
import { cd } from './cd.ts';
import { clear } from './clear.ts';
import { close } from './close.ts';
import type { Command } from './command.ts';
import { compact } from './compact.ts';
import { context } from './context.ts';
import { copy } from './copy.ts';
import { diff } from './diff.ts';
import { exportCommand } from './export.ts';
import { files } from './files.ts';
import { fork } from './fork.ts';
import { help } from './help.ts';
import { hooks } from './hooks.ts';
import { mcp } from './mcp.ts';
import { model } from './model.ts';
import { newCommand } from './new.ts';
import { pause } from './pause.ts';
import { peers } from './peers.ts';
import { permissions } from './permissions.ts';
import { plugin } from './plugin.ts';
import { quit } from './quit.ts';
import { rename } from './rename.ts';
import { resume } from './resume.ts';
import { setup } from './setup.ts';
import { skills } from './skills.ts';
import { status } from './status.ts';
import { tasks } from './tasks.ts';
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
  agents,
  fork,
  peers,
  tasks,
  compact,
  cd,
  brief,
  skills,
  mcp,
  plugin,
  setup,
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

/**
 * `/name argument`. A path such as `/etc/hosts is …` is no command, and neither is one of the names that mean something
 * to the session, such as those of skills: it gets them as they were typed.
 */
export function readCommand(
  text: string,
  known: readonly Command[] = commands,
  ofSession: readonly string[] = [],
): ReadCommand {
  const match = /^\/([\w-]+)(?:\s+(.*))?$/s.exec(text.trim());
  const [, name = '', argument = ''] = match ?? [];
  if (match === null) return { kind: 'prompt' };
  const exact = known.find((each) => each.name === name);
  if (exact === undefined && ofSession.includes(name)) return { kind: 'prompt' };
  const command = exact ?? onlyBeginning(name, known);
  if (command !== undefined) return { kind: 'command', command, argument: argument.trim() };
  const names = [...known.map((each) => each.name), ...ofSession];
  const likely = didYouMean(name, names, (found) => `/${found}`) || '.';
  return { kind: 'unknown', message: `There is no command /${name}${likely} /help lists them all.` };
}

function onlyBeginning(name: string, known: readonly Command[]): Command | undefined {
  const [first, second] = known.filter((each) => each.name.startsWith(name));
  return second === undefined ? first : undefined;
}
