// `codey plugin validate`: every problem of a plugin's folder, for whoever writes one.
import { resolve } from 'node:path';
import { realpath } from 'node:fs/promises';
import { loadPlugin, loadSkills, parseDefinition } from '@codey/agent';
import type { NamedCommandLine } from '../cli/command-line.ts';
import { exitCodes, StartError } from '../start/exit.ts';
import type { World } from '../start/world.ts';
import { anyEnvironment } from './any-environment.ts';
import { sanitise } from '../terminal/sanitise.ts';
import { describePlugin } from './describe-plugin.ts';

/** Exit code 2 if there is one. */
export async function pluginValidate(
  { arguments: { folder }, flags }: Extract<NamedCommandLine, { command: 'plugin validate' }>,
  world: World,
): Promise<number> {
  const wanted = resolve(world.cwd, flags.cwd ?? '.', folder ?? '.');
  const root = await realpath(wanted).catch(() => undefined);
  if (root === undefined) throw new StartError(`${wanted} does not exist`);
  const loaded = await loadPlugin({ root, fromRepository: false, projectRoot: root });
  if (loaded.kind === 'problem')
    throw new StartError(loaded.problems.map((each) => sanitise(each)).join('\n'));
  const { plugin, warnings } = loaded;
  const servers = Object.entries(plugin.servers.servers).flatMap(([name, value]) => {
    const parsed = parseDefinition(name, value, {
      place: '',
      fromRepository: false,
      environment: anyEnvironment,
    });
    return parsed.kind === 'problem' ? [`the MCP server ${name}: ${parsed.message}`] : [];
  });
  const { problems } = await loadSkills({
    projectRoot: root,
    also: plugin.skillFolders.map((folder) => ({ folder, within: root })),
  });
  const all = [...warnings, ...servers, ...problems.map(({ file, message }) => `${file}: ${message}`)];
  world.stdout.write(`${describePlugin(plugin)}\n`);
  for (const problem of all) world.notices.fail(problem);
  return all.length === 0 ? exitCodes.done : exitCodes.usage;
}
