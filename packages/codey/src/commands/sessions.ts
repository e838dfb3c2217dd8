// `codey sessions`: the conversations of this project, newest first.
import { openSessionStore } from '@codey/agent';
import type { NamedCommandLine } from '../cli/command-line.ts';
import { exitCodes } from '../start/exit.ts';
import type { World } from '../start/world.ts';
import { sanitise } from '../terminal/sanitise.ts';
import { findRoot } from '../start/find-root.ts';
import { writeJson } from './write-json.ts';

export async function sessions(
  { flags }: Extract<NamedCommandLine, { command: 'sessions' }>,
  world: World,
): Promise<number> {
  const store = openSessionStore({
    projectRoot: await findRoot(flags.cwd, world),
    pid: world.pid,
    now: Date.now,
    onNotice: world.notices.warn,
    ...(world.home !== undefined && { home: world.home }),
  });
  // One in which nothing was said is nothing to go on with, such as that of `codey -p /help`.
  const all = (await store.list()).filter(({ begun, live }) => begun || live);
  if (flags.json) writeJson(all, world);
  else if (all.length === 0) world.stdout.write('No sessions in this project yet.\n');
  else {
    for (const { id, time, name, firstPrompt, live } of all) {
      const words = sanitise(name ?? firstPrompt ?? '(no prompt yet)', { oneLine: true });
      world.stdout.write(`${id}  ${time.slice(0, 16).replace('T', ' ')}${live ? '  open' : ''}  ${words}\n`);
    }
  }
  return exitCodes.done;
}
