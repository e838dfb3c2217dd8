// `codey plugin list`: the installed plugins and those that settings name, with whether they are on here.
import type { NamedCommandLine } from '../cli/command-line.ts';
import { exitCodes } from '../start/exit.ts';
import type { World } from '../start/world.ts';
import { sanitise } from '../terminal/sanitise.ts';
import { openHere } from './open-here.ts';
import { requireStore } from './plugin-store.ts';
import { writeJson } from './write-json.ts';

export async function pluginList(
  { flags }: Extract<NamedCommandLine, { command: 'plugin list' }>,
  world: World,
): Promise<number> {
  const { plugins: on } = await openHere(flags, world, 'plugin list');
  const { plugins: installed, problem } = await requireStore(world).list();
  if (problem !== undefined) world.notices.warn(problem);
  const listed = [
    ...installed.map((plugin) => ({ ...plugin, enabled: on.some(({ root }) => root === plugin.root) })),
    ...on
      .filter(({ root }) => installed.every((plugin) => plugin.root !== root))
      .map(({ name, version, root }) => ({ name, version, root, source: root, enabled: true })),
  ];
  if (flags.json) writeJson(listed, world);
  else if (listed.length === 0)
    world.stdout.write('No plugins. Get one: codey plugin install <path, git address or package>\n');
  else {
    for (const { name, version, enabled, source } of listed) {
      const clean = [name, version, enabled ? 'on' : 'off', source].map((part) =>
        sanitise(part, { oneLine: true }),
      );
      world.stdout.write(`${clean.join('  ')}\n`);
    }
  }
  return exitCodes.done;
}
