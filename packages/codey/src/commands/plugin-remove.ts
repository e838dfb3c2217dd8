// `codey plugin remove`: takes an installed plugin away; a session that uses it keeps its files until it ends.
import type { NamedCommandLine } from '../cli/command-line.ts';
import { exitCodes, StartError } from '../start/exit.ts';
import type { World } from '../start/world.ts';
import { findRoot } from '../start/find-root.ts';
import { refuseToAgents } from '../start/refuse-to-agents.ts';
import { tryToChange } from './change-settings.ts';
import { requireStore } from './plugin-store.ts';

export async function pluginRemove(
  { arguments: { name }, flags }: Extract<NamedCommandLine, { command: 'plugin remove' }>,
  world: World,
): Promise<number> {
  refuseToAgents('codey plugin remove');
  const store = requireStore(world);
  const { plugins, problem } = await store.list();
  if (problem !== undefined) throw new StartError(problem, exitCodes.failed);
  if (plugins.every((plugin) => plugin.name !== name))
    throw new StartError(`there is no plugin ${name} to remove`);
  // Left on it would be named as missing at every start.
  const changed = await tryToChange(
    { scope: 'user', path: ['plugins', name], value: undefined },
    await findRoot(flags.cwd, world),
    world,
  );
  if (changed.kind === 'blocked')
    throw new StartError(`${name} was not removed: ${changed.message}`, changed.exitCode);
  if (changed.kind === 'refused') world.notices.warn(changed.message);
  await store.remove(name);
  await store.sweep();
  world.stdout.write(`${name} was removed.\n`);
  return exitCodes.done;
}
