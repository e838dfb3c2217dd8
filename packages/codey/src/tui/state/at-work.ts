// What goes on in a tab beside the run of its main agent: other agents, lines of the user's own shell.
import type { Block } from './block.ts';
import type { Tab } from './tab.ts';

export type ShellBlock = Extract<Block, { kind: 'shell' }>;

/** Agents beside the main one that work now; teammates that wait for something to do are none. */
export function agentsAtWork({ agents }: Pick<Tab, 'agents'>): number {
  return agents.filter(({ state }) => state === 'working').length;
}

/** `1 agent`, `3 agents`. */
export function countAgents(count: number): string {
  return count === 1 ? '1 agent' : `${count} agents`;
}

/** `1 agent works`; undefined where none does. */
export function sayAgentsAtWork(tab: Pick<Tab, 'agents'>): string | undefined {
  const count = agentsAtWork(tab);
  return count === 0 ? undefined : `${countAgents(count)} ${count === 1 ? 'works' : 'work'}`;
}

/** The line of the shell that runs longest. */
export function runningShell({ transcript }: Pick<Tab, 'transcript'>): ShellBlock | undefined {
  return transcript.blocks.find(
    (block): block is ShellBlock => block.kind === 'shell' && block.ended === undefined,
  );
}
