// What goes on in a tab beside the run of its main agent: other agents, lines of the user's own shell.
import type { Block } from './block.ts';
import type { Tab } from './tab.ts';

export type ShellBlock = Extract<Block, { kind: 'shell' }>;

/** Names of the agents beside the main one that work now; teammates that wait for something to do are none. */
export function agentsAtWork({ agents }: Pick<Tab, 'agents'>): readonly string[] {
  return agents.filter(({ state }) => state === 'working').map(({ name }) => name);
}

/** So many are named; of the others it is enough that there are some. */
const named = 3;

/** `1 agent (ann)`, `5 agents (ann, bob, cid …)`. */
export function nameAgents(names: readonly string[]): string {
  const more = names.length > named ? ' …' : '';
  return `${countAgents(names.length)} (${names.slice(0, named).join(', ')}${more})`;
}

/** `1 agent works`; undefined where none does. */
export function sayAgentsAtWork(tab: Pick<Tab, 'agents'>): string | undefined {
  const count = agentsAtWork(tab).length;
  return count === 0 ? undefined : `${countAgents(count)} ${count === 1 ? 'works' : 'work'}`;
}

/** What is said when they ended with the program. */
export function sayEnded(names: readonly string[]): string {
  return `${nameAgents(names)} at work ended with the program`;
}

function countAgents(count: number): string {
  return count === 1 ? '1 agent' : `${count} agents`;
}

/** The line of the shell that runs longest. */
export function runningShell({ transcript }: Pick<Tab, 'transcript'>): ShellBlock | undefined {
  return transcript.blocks.find(
    (block): block is ShellBlock => block.kind === 'shell' && block.ended === undefined,
  );
}
