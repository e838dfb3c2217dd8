// `codey plugin enable` and `disable`: writes into a settings file whether a plugin counts.
import type { NamedCommandLine } from '../cli/command-line.ts';
import { exitCodes, StartError } from '../start/exit.ts';
import type { World } from '../start/world.ts';
import { findRoot } from '../start/find-root.ts';
import { refuseToAgents } from '../start/refuse-to-agents.ts';
import { changeSetting } from './change-settings.ts';
import { requireStore } from './plugin-store.ts';

/** A plugin that is not installed can be turned off, so that a project's settings can be answered. */
export async function pluginSwitch(
  {
    command,
    arguments: { name },
    flags,
  }: Extract<NamedCommandLine, { command: 'plugin enable' | 'plugin disable' }>,
  world: World,
): Promise<number> {
  refuseToAgents(`codey ${command}`);
  const on = command === 'plugin enable';
  const { plugins } = await requireStore(world).list();
  if (on && plugins.every((plugin) => plugin.name !== name))
    throw new StartError(
      `there is no plugin ${name}; there are ${plugins.map((plugin) => plugin.name).join(', ') || 'none'} (codey plugin install gets one)`,
    );
  const scope = flags.scope ?? 'user';
  const { file } = await changeSetting(
    { scope, path: ['plugins', name], value: on },
    await findRoot(flags.cwd, world),
    world,
  );
  world.stdout.write(`${name} is ${on ? 'on' : 'off'} in ${file}, for sessions that start from now on.\n`);
  if (on && scope !== 'user')
    world.notices.note('what a project’s settings turn on is reviewed first: codey hooks trust');
  return exitCodes.done;
}
