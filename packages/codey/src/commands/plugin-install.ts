// `codey plugin install`: fetches a plugin and shows what it would run; turning it on is another step.
import { installPlugin } from '@codey/agent';
import { createProcessHost } from '@codey/hooks';
import { resolve } from 'node:path';
import type { NamedCommandLine } from '../cli/command-line.ts';
import { exitCodes, StartError } from '../start/exit.ts';
import type { World } from '../start/world.ts';
import { describePlugin } from './describe-plugin.ts';
import { refuseToAgents } from '../start/refuse-to-agents.ts';
import { requireStore } from './plugin-store.ts';

export async function pluginInstall(
  { arguments: { source }, flags }: Extract<NamedCommandLine, { command: 'plugin install' }>,
  world: World,
): Promise<number> {
  refuseToAgents('codey plugin install');
  const processes = createProcessHost();
  const installed = await installPlugin({
    source,
    cwd: resolve(world.cwd, flags.cwd ?? '.'),
    ...(world.home !== undefined && { home: world.home }),
    store: requireStore(world),
    world: { processes, environment: world.environment, signal: new AbortController().signal },
  });
  await processes.settle(3_000);
  if (installed.kind === 'refused')
    throw new StartError(`${source} was not installed: ${installed.message}`, exitCodes.failed);
  const { plugin, before, warnings } = installed;
  for (const warning of warnings) world.notices.warn(warning);
  world.stdout.write(`${describePlugin(plugin)}\n`);
  const { name, version } = plugin;
  world.stdout.write(
    before === undefined
      ? `Installed. Nothing of it runs yet; to turn it on: codey plugin enable ${name}\n`
      : `Installed in the place of ${before}${before === version ? '' : `, now ${version}`}. Sessions that run keep what they began with.\n`,
  );
  return exitCodes.done;
}
