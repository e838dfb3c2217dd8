// The tools a hook could be meant for: what matchers and conditions are tried on, and what a wrong name was meant to be.
import { knownTools as toolsWithoutServer } from '@codey/agent';
import { ownNamesOfTool, suggest } from '@codey/hooks';

/** One made-up tool stands for each configured MCP server, since theirs are known only when it runs. */
export function knownTools(servers: readonly string[]): readonly string[] {
  return [...toolsWithoutServer, ...servers.map((server) => `mcp__${server}__tool`)];
}

/** A server that is not configured here may be on another machine. */
export function mayNameServer(text: string): boolean {
  return text.includes('mcp');
}

/** In the place of names that no tool has. */
export function suggestTools(names: readonly string[], tools: readonly string[]): string {
  const meant = names.flatMap((name) => {
    const plain = name.replace(/[\^$]/g, '');
    const own = ownNamesOfTool(plain);
    const near = suggest(plain, tools);
    return own.length > 0 ? own : near === undefined ? [] : [near];
  });
  return meant.length > 0
    ? `did you mean "${[...new Set(meant)].join('|')}"?`
    : `there are ${tools.join(', ')}`;
}
