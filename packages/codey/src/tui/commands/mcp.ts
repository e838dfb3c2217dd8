// `/mcp`: the servers of this session, whether they work and what they offer; one can be connected anew.
import type { ListedServer } from '@codey/agent';
import type { Command } from './command.ts';
import { table } from './table.ts';

export const mcp: Command = {
  name: 'mcp',
  summary: 'MCP servers and what they offer; connect one anew',
  argument: '[reconnect <name>]',
  complete: ({ session }) =>
    (session?.surroundings.mcp.servers() ?? []).map(({ name, status }) => ({
      value: `reconnect ${name}`,
      label: `reconnect ${name}`,
      detail: status.kind,
    })),
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
    if (argument !== '') return say('plain', 'Write /mcp or /mcp reconnect <name>.');
    if (list.length === 0)
      return say('plain', 'No MCP servers here. Add one: codey mcp add <name> -- <command>');
    reply('MCP servers', table(list.map((server) => [server.name, sayServer(server)])));
  },
};

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
