// Tells the tab of each agent beside the main one: what it is doing, and once, in words, what came of it.
import type { AgentStatus, SessionAgents } from '@codey/agent';
import { isThere, sayAgent } from '../commands/agents.ts';
import type { TabPorts } from '../ports.ts';

export function tellAgents({ watch }: Pick<SessionAgents, 'watch'>, { tell }: Pick<TabPorts, 'tell'>): void {
  const told = new Map<string, AgentStatus['state']>();
  watch((status) => {
    tell({ kind: 'agent', status });
    const before = told.get(status.name);
    told.set(status.name, status.state);
    if (before === status.state) return;
    const failed = status.failed === true;
    // Another idle teammate was told of by what it said.
    if (isThere(status) && !failed) return;
    const tone = failed || status.state === 'failed' || status.state === 'withheld' ? 'warning' : 'plain';
    // Its answer stands above in its own words.
    const shown = status.state === 'done' ? { ...status, outcome: '' } : status;
    tell({ kind: 'said', tone, text: sayAgent(shown) });
  });
}
