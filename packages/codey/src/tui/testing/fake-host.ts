// Sessions without a model or a disk: a test says what they tell, and what is asked of the user it asks itself.
import type { ApprovalAnswer, Question, RunOutcome, SessionEvent } from '@codey/agent';
import type { PermissionMode } from '@codey/hooks';
import { createFakeAgents, type FakeAgents } from './fake-agents.ts';
import { fakeSurroundings } from './fake-surroundings.ts';
import type { ListedHook, OpenWhat, SessionHost, TabPorts, TabSession } from '../ports.ts';
import { tellAgents } from '../session/tell-agents.ts';
import type { TabEvent } from '../state/tab.ts';

export interface FakeSession {
  readonly what: OpenWhat;
  /** What reached the session, in order. */
  readonly calls: string[];
  tell(event: TabEvent): void;
  say(event: SessionEvent): void;
  /** Ends the run under way. */
  endRun(outcome?: Partial<RunOutcome>): void;
  approve(command: string, pattern?: string, agent?: string): Promise<ApprovalAnswer>;
  ask(questions: readonly Question[]): Promise<readonly string[]>;
  readonly agents: FakeAgents;
  readonly forms: TabPorts['forms'];
  readonly decide: TabPorts['decide'];
  /** Takes back what is asked, as an interrupt does. */
  withdraw(): void;
}

export interface FakeHost extends SessionHost {
  readonly sessionsOpened: readonly FakeSession[];
  /** The next session does not open. */
  refuseNext(error: Error): void;
  readonly hooks: ListedHook[];
  /** What comes of trying one. */
  readonly tried: string[];
}

export function createFakeHost(cwd = '/work/shop'): FakeHost {
  const opened: FakeSession[] = [];
  const entries: string[] = [];
  const hooks: ListedHook[] = [];
  const tried = ['passed · 3 ms'];
  let refusal: Error | undefined;
  return {
    sessionsOpened: opened,
    hooks,
    tried,
    refuseNext(error) {
      refusal = error;
    },
    history: { entries, add: (text) => void entries.push(text) },
    sessions: async () => [
      {
        id: 'earlier',
        begun: true,
        firstPrompt: 'fix the bill',
        cwd,
        time: '2026-01-15T09:30:00.000Z',
        live: false,
      },
    ],
    async open(what, tab) {
      const error = refusal;
      refusal = undefined;
      if (error !== undefined) throw error;
      const { fake, session } = createSession(what, tab, cwd, opened.length + 1, { hooks, tried });
      opened.push(fake);
      return { kind: 'open', session };
    },
  };
}

function createSession(
  what: OpenWhat,
  tab: TabPorts,
  cwd: string,
  number: number,
  { hooks, tried }: Pick<FakeHost, 'hooks' | 'tried'>,
): { readonly fake: FakeSession; readonly session: TabSession } {
  const calls: string[] = [];
  const facts = { name: '', model: 'test/model', mode: 'default' as PermissionMode };
  const agent = { name: 'main', type: 'main' };
  const agents = createFakeAgents(calls);
  tellAgents(agents, tab);
  let signals = new AbortController();
  let end: (outcome: RunOutcome) => void = () => {};
  const fake: FakeSession = {
    what,
    calls,
    agents,
    tell: tab.tell,
    say: (event) => tab.tell({ kind: 'session', event }),
    endRun: (outcome = {}) => end({ ...completed, ...outcome }),
    forms: tab.forms,
    decide: tab.decide,
    approve: (command, pattern, name = 'main') =>
      tab.human.approve(
        {
          agent: { name, type: name },
          call: { id: 'c1', tool: 'run_shell', input: { command } },
          message: `bash: ${command}`,
          reason: 'mode default',
          ...(pattern !== undefined && { pattern }),
        },
        signals.signal,
      ),
    ask: (questions) => tab.human.answer(questions, agent, signals.signal),
    withdraw() {
      signals.abort(new Error('interrupted'));
      signals = new AbortController();
    },
  };
  const session: TabSession = {
    facts: () => ({
      id: `session-${number}`,
      model: facts.model,
      root: cwd,
      cwd,
      mode: facts.mode,
      ...(facts.name !== '' && { name: facts.name }),
    }),
    messages: () => (what.kind === 'new' ? [] : [{ role: 'user', text: 'an earlier prompt' }]),
    tokens: () => ({ input: 0, output: 0 }),
    prompt(text) {
      calls.push(`prompt ${text}`);
      return new Promise((resolve) => {
        end = resolve;
      });
    },
    interrupt() {
      calls.push('interrupt');
      fake.withdraw();
      end({ ...completed, stop: 'interrupted', error: 'interrupted' });
    },
    pause: () => void calls.push('pause'),
    resume: () => void calls.push('resume'),
    rename(name) {
      facts.name = name;
    },
    async useModel(id) {
      facts.model = id;
      return id.startsWith('no/') ? 'there is no such model' : undefined;
    },
    models: () => ['test/model', 'test/other'],
    useMode(mode) {
      facts.mode = mode;
    },
    async shell({ line, onOutput }) {
      calls.push(`shell ${line}`);
      onOutput('printed\n');
      return { problem: null };
    },
    agents,
    surroundings: fakeSurroundings(calls),
    skills: [
      {
        name: 'review',
        description: 'Reads a change line by line.',
        file: `${cwd}/.codey/skills/review/SKILL.md`,
        directory: `${cwd}/.codey/skills/review`,
        fromRepository: true,
        hooks: { policy: [], lifecycle: [] },
      },
    ],
    plugins: [],
    hooks: {
      list: async () => hooks,
      async switchTo(id, on) {
        const at = hooks.findIndex((hook) => hook.id === id);
        const hook = hooks[at];
        if (hook !== undefined) hooks[at] = { ...hook, state: on ? 'active' : 'disabled' };
        return undefined;
      },
      review: async () => 'Nothing waits.',
      tryOut: async () => [...tried],
    },
    async close({ reason }) {
      calls.push(`close ${reason}`);
      fake.withdraw();
      end({ ...completed, stop: 'interrupted', error: 'interrupted' });
    },
  };
  return { fake, session };
}

const completed: RunOutcome = {
  stop: 'completed',
  text: '',
  error: '',
  turns: 1,
  usage: { input: 0, output: 0 },
};
