// The tools a hook could be meant for: what matchers and conditions are tried on.
import { builtInTools } from '@codey/agent';

/** Tools that only some sessions have. */
const others = [
  'get_skill',
  'spawn_agent',
  'agent_result',
  'send_message',
  'enter_worktree',
  'exit_worktree',
];

/** Built-in tools, and one made-up tool of each configured MCP server, since theirs are known only when it runs. */
export function knownTools(servers: readonly string[]): readonly string[] {
  return [
    ...builtInTools.map(({ name }) => name),
    ...others,
    ...servers.map((server) => `mcp__${server}__tool`),
  ];
}
