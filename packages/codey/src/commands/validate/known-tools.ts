// The tools a hook could be meant for: what matchers and conditions are tried on.
import { knownTools as toolsWithoutServer } from '@codey/agent';

/** One made-up tool stands for each configured MCP server, since theirs are known only when it runs. */
export function knownTools(servers: readonly string[]): readonly string[] {
  return [...toolsWithoutServer, ...servers.map((server) => `mcp__${server}__tool`)];
}
