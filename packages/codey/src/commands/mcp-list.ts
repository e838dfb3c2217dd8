// `codey mcp list`: every server that would be started here, whether it works and how much it offers.
import type { NamedCommandLine } from '../cli/command-line.ts';
import { exitCodes } from '../start/exit.ts';
import type { World } from '../start/world.ts';
import { sanitise } from '../terminal/sanitise.ts';
import { lookAt, sayStatus, serversHere } from './mcp-servers.ts';
import { openHere } from './open-here.ts';
import { writeJson } from './write-json.ts';

/** Exit code 1 where one of them does not work. */
export async function mcpList(
  { flags }: Extract<NamedCommandLine, { command: 'mcp list' }>,
  world: World,
): Promise<number> {
  const project = await openHere(flags, world, 'mcp list');
  const seen = await lookAt(serversHere(project, world), project, world);
  if (flags.json) writeJson(seen, world);
  else if (seen.length === 0)
    world.stdout.write('No MCP servers here. Add one: codey mcp add <name> -- <command>\n');
  else {
    for (const server of seen) {
      const { name, place, tools, resources, prompts } = server;
      const offers = [many(tools, 'tool'), many(resources, 'resource'), many(prompts, 'prompt')].join(', ');
      const line = [name, sayStatus(server), ...(server.status.kind === 'ready' ? [offers] : []), place];
      const clean = line.filter(Boolean).map((part) => sanitise(part, { oneLine: true }));
      world.stdout.write(`${clean.join('  ')}\n`);
    }
  }
  const working = seen.every(({ status }) => status.kind === 'ready' || status.kind === 'disabled');
  return working ? exitCodes.done : exitCodes.failed;
}

function many(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}
