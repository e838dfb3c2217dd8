// `codey plugin remove`: takes an installed plugin away; a session that uses it keeps its files until it ends.
import { writeSetting } from '@codey/hooks';
import type { NamedCommandLine } from '../cli/command-line.ts';
import { exitCodes, StartError } from '../start/exit.ts';
import type { World } from '../start/world.ts';
import { findRoot } from '../start/find-root.ts';
import { refuseToAgents } from '../start/refuse-to-agents.ts';
import { requireStore } from './plugin-store.ts';

export async function pluginRemove(
  { arguments: { name }, flags }: Extract<NamedCommandLine, { command: 'plugin remove' }>,
  world: World,
): Promise<number> {
  refuseToAgents('codey plugin remove');
  const store = requireStore(world);
  if (!(await store.remove(name))) throw new StartError(`there is no plugin ${name} to remove`);
  await store.sweep();
  // Left on it would be named as missing at every start.
  const written = await writeSetting({
    scope: 'user',
    projectRoot: await findRoot(flags.cwd, world),
    ...(world.home !== undefined && { home: world.home }),
    path: ['plugins', name],
    value: undefined,
  });
  if (written.kind === 'refused') world.notices.warn(written.message);
  world.stdout.write(`${name} was removed.\n`);
  return exitCodes.done;
}
