// `/agents`: what works beside the main agent, live; one of them or all can be ended by name.
import type { AgentStatus } from '@codey/agent';
import type { Command } from './command.ts';

export const agents: Command = {
  name: 'agents',
  summary: 'agents beside the main one, live; end one or all',
  argument: '[cancel <name>|all]',
  complete: ({ session }) =>
    (session?.agents.list() ?? [])
      .filter(isThere)
      .map(({ name, task }) => ({ value: `cancel ${name}`, label: `cancel ${name}`, detail: task }))
      .concat([{ value: 'cancel all', label: 'cancel all', detail: 'ends all of them' }]),
  run({ session, say, showAgents }, argument) {
    if (session === undefined) return say('plain', 'The session is not open.');
    if (argument === '') return showAgents();
    const name = /^cancel\s+(\S+)$/.exec(argument)?.[1];
    if (name === undefined)
      return say('error', 'Write /agents, /agents cancel <name> or /agents cancel all.');
    if (name === 'all') return session.agents.cancelAll();
    if (!session.agents.cancel(name))
      say('error', `No agent ${name} is at work. /agents lists those there are.`);
  },
};

/** It can still be ended. */
export function isThere({ state }: AgentStatus): boolean {
  return state === 'working' || state === 'idle';
}

/** One line for lists and notices, such as `reviewer (general) · working · read the tests`. */
export function sayAgent({ name, type, team, state, task, outcome, worktree }: AgentStatus): string {
  const kind = team === undefined ? type : `${type}, team ${team}`;
  const about = outcome === '' ? task : outcome;
  return [`${name} (${kind})`, state, about, ...(worktree === undefined ? [] : [`in ${worktree}`])].join(
    ' · ',
  );
}
