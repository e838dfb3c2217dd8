// `codey mcp remove`: takes one server out of a settings file.
import { loadSettings } from '@codey/hooks';
import type { NamedCommandLine } from '../cli/command-line.ts';
import { exitCodes, StartError } from '../start/exit.ts';
import type { World } from '../start/world.ts';
import { findRoot } from '../start/find-root.ts';
import { refuseToAgents } from '../start/refuse-to-agents.ts';
import { changeSetting } from './change-settings.ts';

/** From the file that `--scope` names, else from the only one that has it. */
export async function mcpRemove(
  { arguments: { name }, flags }: Extract<NamedCommandLine, { command: 'mcp remove' }>,
  world: World,
): Promise<number> {
  refuseToAgents('codey mcp remove');
  const place = {
    projectRoot: await findRoot(flags.cwd, world),
    ...(world.home !== undefined && { home: world.home }),
  };
  const { files } = await loadSettings(place);
  const having = files.filter(({ values }) => Object.hasOwn(values.mcpServers ?? {}, name));
  const scopes = [...new Set(having.map(({ scope }) => scope))].filter(
    (scope) => scope === 'user' || scope === 'project' || scope === 'local',
  );
  const [scope, ...more] = flags.scope === undefined ? scopes : [flags.scope];
  if (scope === undefined || (flags.scope !== undefined && !scopes.includes(flags.scope)))
    throw new StartError(
      `there is no MCP server ${name} to remove${scope === undefined ? '' : ` in the ${scope} settings`}`,
    );
  if (more.length > 0)
    throw new StartError(`${name} stands in the ${scopes.join(' and ')} settings; say which with --scope`);
  const { file } = await changeSetting(
    { scope, path: ['mcpServers', name], value: undefined },
    place.projectRoot,
    world,
  );
  world.stdout.write(`${name} was taken out of ${file}.\n`);
  return exitCodes.done;
}
