// The names of all tools there are without a server: what a definition may list.
import { builtInTools } from '../tools/built-in.ts';

/** Tools that act in one agent's name and are made for each. */
const agentTools = [
  'spawn_agent',
  'agent_result',
  'enter_worktree',
  'exit_worktree',
  'team_create',
  'team_spawn',
  'team_shutdown',
  'send_message',
  'task_create',
  'task_list',
  'task_update',
];

export const knownTools: readonly string[] = [
  ...builtInTools.map(({ name }) => name),
  'get_skill',
  ...agentTools,
];
