// `codey mcp get`: one server with what it offers, as it is called, typed and mentioned.
import type { NamedCommandLine } from '../cli/command-line.ts';
import { exitCodes, StartError } from '../start/exit.ts';
import type { World } from '../start/world.ts';
import { sanitise } from '../terminal/sanitise.ts';
import { lookAt, sayStatus, serversHere } from './mcp-servers.ts';
import { openHere } from './open-here.ts';
import { writeJson } from './write-json.ts';

/** Exit code 1 where it does not work. */
export async function mcpGet(
  { arguments: { name }, flags }: Extract<NamedCommandLine, { command: 'mcp get' }>,
  world: World,
): Promise<number> {
  const project = await openHere(flags, world, 'mcp get');
  const definitions = serversHere(project, world);
  const wanted = definitions.filter((parsed) => nameOf(parsed) === name);
  const [seen] = await lookAt(wanted, project, world);
  if (seen === undefined)
    throw new StartError(
      `there is no MCP server ${name} here; there are ${definitions.map(nameOf).join(', ') || 'none'}`,
    );
  if (flags.json) writeJson(seen, world);
  else {
    const lines = [
      `${name}  ${sayStatus(seen)}${seen.place === '' ? '' : `  (${seen.place})`}`,
      ...seen.toolNames.map((tool) => `  ${tool}`),
      ...(seen.tools > seen.toolNames.length
        ? [`  and ${seen.tools - seen.toolNames.length} more, which a model is not given`]
        : []),
      ...[...seen.commands, ...seen.mentions].map((offered) => `  ${offered}`),
    ];
    world.stdout.write(`${lines.map((line) => sanitise(line)).join('\n')}\n`);
  }
  return seen.status.kind === 'ready' ? exitCodes.done : exitCodes.failed;
}

function nameOf(parsed: ReturnType<typeof serversHere>[number]): string {
  return parsed.kind === 'server' ? parsed.server.name : parsed.name;
}
