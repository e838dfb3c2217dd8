import type { AgentStatus } from '@codey/agent';
import { expect, it } from 'vitest';
import type { TabEvent } from '../state/tab.ts';
import { tellAgents } from './tell-agents.ts';

it('says once what came of an agent, and of an idle teammate only that it failed', () => {
  const told: TabEvent[] = [];
  let change: (status: AgentStatus) => void = () => {};
  tellAgents(
    {
      watch(watcher) {
        change = watcher;
        return () => {};
      },
    },
    { tell: (event) => void told.push(event) },
  );
  const agent = { name: 'ann', type: 'general', parent: 'main', task: 'look', outcome: '' } as const;
  const mate = { ...agent, name: 'bob', team: 'shop' };
  for (const status of [
    { ...agent, state: 'working' },
    { ...agent, state: 'done', outcome: 'found it' },
    { ...agent, state: 'done', outcome: 'found it' },
    { ...mate, state: 'idle', outcome: 'wrote it' },
    { ...mate, state: 'working' },
    { ...mate, state: 'idle', outcome: 'bob failed: no money', failed: true },
  ] as const) {
    change(status);
  }
  expect(told.filter(({ kind }) => kind === 'agent')).toHaveLength(6);
  expect(told.filter(({ kind }) => kind !== 'agent')).toEqual([
    { kind: 'said', tone: 'plain', text: 'ann (general) · done · look' },
    { kind: 'said', tone: 'warning', text: 'bob (general, team shop) · idle · bob failed: no money' },
  ]);
});
