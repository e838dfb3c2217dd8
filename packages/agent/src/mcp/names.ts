// The names by which a model calls the tools of servers, and the people who write rules and matchers too.
import { createHash } from 'node:crypto';

/** What every provider accepts. */
const longest = 64;

/** `mcp__<server>__<tool>`. Characters that providers refuse become `_`; what is too long ends in a digest of itself. */
export function toolName(server: string, tool: string): string {
  const name = `mcp__${clean(server)}__${clean(tool)}`;
  return name.length <= longest ? name : withDigest(name, `${server}\n${tool}`);
}

/** Whether a name is that of a server's tool: no other begins like that. */
export function isServerTool(name: string): boolean {
  return name.startsWith('mcp__');
}

/** For the second of two tools that would be called the same. */
export function withDigest(name: string, whole: string): string {
  const digest = createHash('sha256').update(whole).digest('hex').slice(0, 8);
  return `${name.slice(0, longest - digest.length - 1)}_${digest}`;
}

function clean(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, '_');
}
