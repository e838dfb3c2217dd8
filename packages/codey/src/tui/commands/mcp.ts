// `/mcp`: the servers of this session, whether they work and what they offer; one can be connected anew.
import { type ListedServer, usageOf } from '@codey/agent';
import type { TabSession } from '../ports.ts';
import type { Command } from './command.ts';
import { table } from './table.ts';

export const mcp: Command = {
  name: 'mcp',
  summary: 'MCP servers; what one offers; connect one anew',
  argument: '[<name> | reconnect <name>]',
  complete: ({ session }) =>
    (session?.surroundings.mcp.servers() ?? []).flatMap(({ name, status }) =>
      [name, `reconnect ${name}`].map((value) => ({ value, label: value, detail: status.kind })),
    ),
  run({ session, say, reply }, argument) {
    if (session === undefined) return say('plain', 'The session is not open.');
    const { servers, reconnect } = session.surroundings.mcp;

    const list = servers();
    const name = /^reconnect\s+(\S+)$/.exec(argument)?.[1];
    if (name !== undefined && list.every((server) => server.name !== name))
      return say('error', `There is no server ${name}. /mcp lists those there are.`);
    if (name !== undefined) {
      reconnect(name);
      return say('plain', `${name} is being connected anew; /mcp shows what becomes of it.`);
    }
    if (list.some((server) => server.name === argument))
      return reply(`MCP server ${argument}`, sayOffer(argument, session.surroundings.mcp));
    if (argument !== '') return say('error', 'Write /mcp, /mcp <name> or /mcp reconnect <name>.');
    if (list.length === 0)
      return say('plain', 'No MCP servers here. Add one: codey mcp add <name> -- <command>');
    reply('MCP servers', table(list.map((server) => [server.name, sayServer(server)])));
  },
};

/** As each is typed or called. */
function sayOffer(server: string, mcp: TabSession['surroundings']['mcp']): string {
  const prompts = mcp.prompts().filter((each) => each.server === server);
  const resources = mcp.resources().filter((each) => each.server === server);
  const rows: readonly (readonly [string, string])[] = [
    ...mcp.toolNames(server).map((name) => [name, 'tool'] as const),
    ...prompts.map(
      (each) => [`/${server}:${each.name} ${usageOf(each)}`.trimEnd(), each.description] as const,
    ),
    ...resources.map(({ uri, name }) => [`@${server}:${uri}`, name] as const),
  ];
  return rows.length === 0 ? 'It offers nothing now.' : table(rows);
}

function sayServer({ status, tools, resources, prompts, place }: ListedServer): string {
  switch (status.kind) {
    case 'ready':
      return `ready · tools ${tools}, resources ${resources}, prompts ${prompts} · ${place}`;
    case 'failed':
    case 'reconnecting':
    case 'invalid':
      return `${status.kind}: ${status.why}${place === '' ? '' : ` · ${place}`}`;
    case 'connecting':
    case 'closed':
    case 'disabled':
      return status.kind;
  }
}
