// Resources that a prompt mentions, `@server:address`, brought into the conversation behind it.
import type { SessionEntry } from '../session/entry.ts';
import type { Mcp } from './mcp.ts';

export interface Mention {
  readonly server: string;
  readonly uri: string;
}

/** In their order, each once. What stands for no server that is there is left alone: it may be somebody's name. */
export function findMentions(text: string, servers: readonly string[]): readonly Mention[] {
  if (servers.length === 0) return [];
  const found = new Map<string, Mention>();
  for (const [, name = '', address = ''] of text.matchAll(/(?:^|[\s(])@([^\s:@]+):(\S+)/g)) {
    // The end of a sentence is no part of an address.
    const uri = address.replace(/[.,;:!?)\]}'"]+$/, '');
    if (servers.includes(name) && uri !== '') found.set(`${name} ${uri}`, { server: name, uri });
  }
  return [...found.values()];
}

/** One context a mention: the resource, or why there is none, which the user is told as well. Never rejects. */
export async function readMentions(
  mentions: readonly Mention[],
  mcp: Pick<Mcp, 'readResource'>,
  signal: AbortSignal,
  notice: (text: string) => void,
): Promise<readonly Extract<SessionEntry, { kind: 'context' }>[]> {
  return Promise.all(
    mentions.map(async ({ server, uri }) => {
      const read = await mcp.readResource(server, uri, signal);
      if (read.kind === 'problem' && !signal.aborted)
        notice(`@${server}:${uri} could not be read: ${read.message}`);
      return {
        kind: 'context' as const,
        agent: 'main',
        text: read.kind === 'text' ? read.text : `It could not be read: ${read.message}`,
        source: `resource ${uri} of the MCP server ${server}`,
        from: { kind: 'host' as const },
      };
    }),
  );
}
