// Agents and teams without a model: what is asked of them is noted, and they answer at once.
import type { AgentStatus, MainTeams, SessionAgents } from '@codey/agent';

export interface FakeAgents extends SessionAgents {
  /** Something about an agent has changed. */
  change(status: AgentStatus): void;
}

/** `calls` gets what reached them, in order. */
export function createFakeAgents(calls: string[]): FakeAgents {
  const list = new Map<string, AgentStatus>();
  const watchers = new Set<(status: AgentStatus) => void>();
  return {
    definitions: new Map(),
    teams: fakeTeams(calls),
    list: () => [...list.values()],
    watch(told) {
      watchers.add(told);
      return () => watchers.delete(told);
    },
    async spawn({ type, prompt }) {
      calls.push(`spawn ${type} ${prompt}`);
      return { kind: 'started', name: type };
    },
    async fork({ prompt, context }) {
      calls.push(`fork ${context} ${prompt}`);
      return prompt === ''
        ? { kind: 'refused', reason: 'nothing to do' }
        : { kind: 'started', name: 'fork-1' };
    },
    cancel(name) {
      calls.push(`cancel ${name}`);
      return list.has(name);
    },
    cancelAll: () => void calls.push('cancel all'),
    settled: async () => {},
    takeResults: () => [],
    change(status) {
      list.set(status.name, status);
      for (const told of watchers) told(status);
    },
  };
}

function fakeTeams(calls: string[]): MainTeams {
  const task = {
    id: '1',
    subject: 'the bill',
    description: '',
    status: 'pending',
    owner: null,
    session: null,
    after: [],
  } as const;
  const note = <Value>(call: string, value: Value) => {
    calls.push(call);
    return Promise.resolve({ kind: 'done', value } as const);
  };
  return {
    open: () => ['shop'],
    create: (team) => note(`create ${team}`, 'main-2'),
    async spawn({ name, type, prompt }) {
      calls.push(`member ${name} ${type} ${prompt}`);
      return { kind: 'started', name };
    },
    send: ({ to, text }) => note(`send ${to} ${text}`, [to]),
    inbox: () => note('inbox', []),
    history: () =>
      note('history', [{ id: 'm', from: 'ann', to: 'main', text: 'done', time: '2026-01-15T09:30:00.000Z' }]),
    members: () =>
      note('members', [
        { name: 'ann', role: 'member', alive: true, unread: 2 },
        { name: 'main-2', role: 'self', alive: true, unread: 0 },
      ]),
    tasks: () => note('tasks', [task]),
    createTask: ({ subject }) => note(`create task ${subject}`, { ...task, subject }),
    orderTask: (id, after) => note(`order ${id} ${after.join(' ')}`, { ...task, after }),
    claimTask: (id = 'any') => note(`claim ${id}`, task),
    releaseTask: (id) => note(`release ${id}`, task),
    completeTask: (id) => note(`complete ${id}`, task),
    shutdown: (member = 'all') => note(`shutdown ${member}`, ['ann']),
    cleanup: (team) => note(`cleanup ${team ?? 'in use'}`, team ?? 'shop'),
  };
}
