// A project with agents for tests: each agent answers from a script of its own, and everything that is told is kept.
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { JournalEntry, LifecycleEvent } from '@codey/hooks';
import type { LiveSession } from '../src/live-session.ts';
import type { Message, ModelRequest } from '../src/model/model.ts';
import { loadDefinitions } from '../src/subagents/load-definitions.ts';
import { type Answer, type AnswerCall, modelOf, openWholeSession } from './whole-session.ts';

/** By name or type of the agent; the last answer is given again and again. */
export type Scripts = Readonly<Record<string, readonly (Answer | AnswerCall)[]>>;

export interface OpenWorld {
  readonly session: LiveSession;
  readonly journal: readonly JournalEntry[];
  readonly notices: readonly string[];
  /** Lifecycle events, as `event agent turn tool reason error`. */
  readonly told: string[];
  readonly events: LifecycleEvent[];
  /** The requests of one agent, each with the messages as they were then. */
  requests(agent: string): readonly ModelRequest[];
}

export interface AgentsWorld {
  readonly project: string;
  readonly home: string;
  /** Below the project, or with `~/` below the home. */
  write(file: string, text: string): void;
  read(file: string): string;
  has(file: string): boolean;
  git(...args: string[]): string;
  /** A repository with one commit of what is there. */
  repository(): void;
  settings(value: object): void;
  /** A hook of every policy event that appends its payload to `~/asked.jsonl`. */
  askAll(events: readonly string[]): Readonly<Record<string, unknown>>;
  asked(): readonly Readonly<Record<string, unknown>>[];
  open(scripts: Scripts, more?: Partial<Parameters<typeof openWholeSession>[0]>): Promise<OpenWorld>;
  close(): Promise<void>;
}

export function createAgentsWorld(): AgentsWorld {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'agents-')));
  const project = join(root, 'project');
  const home = join(root, 'home');
  mkdirSync(project);
  mkdirSync(home);
  const sessions: LiveSession[] = [];
  const place = (file: string): string =>
    file.startsWith('~/') ? join(home, file.slice(2)) : join(project, file);

  const world: AgentsWorld = {
    project,
    home,
    write(file, text) {
      mkdirSync(dirname(place(file)), { recursive: true });
      writeFileSync(place(file), text, { mode: 0o755 });
    },
    read: (file) => readFileSync(place(file), 'utf8'),
    has: (file) => existsSync(place(file)),
    git: (...args) => execFileSync('git', args, { cwd: project, encoding: 'utf8' }).trim(),
    repository() {
      world.git('init', '--quiet');
      world.write('.gitignore', '.codey/events.jsonl*\n');
      world.git('add', '.');
      world.git('commit', '--quiet', '--allow-empty', '-m', 'first');
    },
    settings: (value) => world.write('~/.codey/settings.json', JSON.stringify(value)),
    askAll: (events) =>
      Object.fromEntries(
        events.map((event) => [
          event,
          [{ hooks: [{ type: 'command', command: 'cat >> "$HOME/asked.jsonl"' }] }],
        ]),
      ),
    asked: () =>
      (world.has('~/asked.jsonl') ? world.read('~/asked.jsonl') : '')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line)),
    async open(scripts, more = {}) {
      const { definitions, notices: said } = await loadDefinitions({
        projectRoot: project,
        home,
        mayChooseModel: true,
      });
      const requests = new Map<string, ModelRequest[]>();
      const model = modelOf((request) => {
        const { name, type } = request.agent;
        const seen = [...(requests.get(name) ?? []), { ...request, messages: [...request.messages] }];
        requests.set(name, seen);
        const script = scripts[name] ?? scripts[type] ?? [];
        const answer = script[seen.length - 1] ?? script.at(-1) ?? { text: `${name} has nothing to say` };
        return typeof answer === 'function' ? answer(request) : answer;
      });
      const { started, journal, notices } = await openWholeSession({
        projectRoot: project,
        home,
        model,
        agents: definitions,
        teamsFolder: join(home, '.codey/teams'),
        ...more,
      });
      if (started.kind === 'blocked') throw new Error(started.reason);
      const { session } = started;
      sessions.push(session);
      const told: string[] = [];
      const events: LifecycleEvent[] = [];
      session.bus.watch((event) => {
        events.push(event);
        told.push(
          [event.event, event.agent, event.turn, event.tool, event.reason, event.error].join(' ').trim(),
        );
      });
      return {
        session,
        journal,
        get notices() {
          return [...said, ...notices];
        },
        told,
        events,
        requests: (agent) => requests.get(agent) ?? [],
      };
    },
    async close() {
      for (const session of sessions) await leave(session);
      rmSync(root, { recursive: true, force: true });
    },
  };
  return world;
}

export const leave = (session: LiveSession): Promise<void> =>
  session.close({ reason: 'exit', hurry: new AbortController().signal });

export const call = (tool: string, input: Readonly<Record<string, unknown>> = {}): Answer => ({
  calls: [{ tool, input }],
});
export const spawn = (input: Readonly<Record<string, unknown>>): Answer =>
  call('spawn_agent', { prompt: 'look', ...input });
export const result = (name: string): Answer => call('agent_result', { name });

/** What the tool of a conversation's last call said. */
export function lastOutput(request: ModelRequest | undefined): string {
  return request?.messages.findLast((message) => message.role === 'tool')?.output ?? '';
}

export function outputs(messages: readonly Message[]): readonly string[] {
  return messages.flatMap((message) => (message.role === 'tool' ? [message.output] : []));
}

export function contexts(messages: readonly Message[]): readonly string[] {
  return messages.flatMap((message) =>
    message.role === 'context' ? [`${message.source}: ${message.text}`] : [],
  );
}

/** Something that happens later, when the test says so. */
export function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
