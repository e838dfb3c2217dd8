// The names of all tools there are without a server: what a definition may list.
import { builtInTools } from '../tools/built-in.ts';

/** Tools that act in one agent's name and are made for each. */
export const agentToolNames = ['spawn_agent', 'agent_result', 'enter_worktree', 'exit_worktree'] as const;

export const knownTools: readonly string[] = [
  ...builtInTools.map(({ name }) => name),
  'get_skill',
  ...agentToolNames,
];
