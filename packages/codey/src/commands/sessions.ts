// `codey sessions`: the conversations of this project, newest first.
import { openSessionStore } from '@codey/agent';
import type { NamedCommandLine } from '../cli/command-line.ts';
import { exitCodes } from '../start/exit.ts';
import { openProject } from '../start/project.ts';
import type { World } from '../start/world.ts';
import { sanitise } from '../terminal/sanitise.ts';

export async function sessions(
  { flags }: Extract<NamedCommandLine, { command: 'sessions' }>,
  world: World,
): Promise<number> {
  const project = await openProject(
    {
      bare: false,
      noHooks: true,
      noProjectHooks: false,
      trustProjectHooks: false,
      allowedTools: [],
      ...flags,
    },
    world,
  );
  const store = openSessionStore({
    projectRoot: project.root,
    pid: world.pid,
    now: Date.now,
    onNotice: world.notices.warn,
    ...(world.home !== undefined && { home: world.home }),
  });
  const all = await store.list();
  if (flags.json) world.stdout.write(`${JSON.stringify(all, null, 2)}\n`);
  else if (all.length === 0) world.stdout.write('No sessions in this project yet.\n');
  else {
    for (const { id, time, name, firstPrompt, live } of all) {
      const words = sanitise(name ?? firstPrompt ?? '(no prompt)', { oneLine: true });
      world.stdout.write(`${id}  ${time.slice(0, 16).replace('T', ' ')}${live ? '  open' : ''}  ${words}\n`);
    }
  }
  return exitCodes.done;
}
