// What a session is: the fold of its entries. Pure, linear, and the same for a live session and a reopened one.
import type { Message, Usage } from '../model/model.ts';
import {
  addEntry,
  type Conversation,
  type ConversationEntry,
  type Counted,
  createConversation,
  settleCalls,
} from './conversation.ts';
import type { LoggedEntry } from './entry.ts';

export interface SessionState {
  /** Empty when the log has lost its first line. */
  readonly id: string;
  readonly projectRoot: string;
  readonly cwd: string;
  readonly forkedFrom?: string;
  readonly name?: string;
  readonly model?: string;
  /** The first words a person wrote. */
  readonly firstPrompt?: string;
  /** By agent, as the model sees them; every call is followed by its result before anything else comes. */
  readonly messages: ReadonlyMap<string, readonly Message[]>;
  /** By agent: where its messages stand in the log, and what the provider counted of them. */
  readonly sizes: ReadonlyMap<string, ConversationSize>;
  /** Tokens of the main agent's last request; 0 before the first one and after a compaction. */
  readonly lastInput: number;
  /** Names of all agents there ever were beside the main one. */
  readonly agents: ReadonlySet<string>;
  /** Teams that were open, by name, each with who the main agent is in it; the one in use comes last. */
  readonly teams: ReadonlyMap<string, string>;
  /** Identities of `once` hooks that are spent. */
  readonly once: ReadonlySet<string>;
  /** Variables that env files brought in. */
  readonly env: ReadonlyMap<string, string>;
  /** Runs of the main agent so far. */
  readonly runs: number;
  /** Agents whose run has not ended. */
  readonly openRuns: ReadonlySet<string>;
  /** Of all agents and model calls together. */
  readonly usage: Usage;
  /** Absent while the session is open. */
  readonly closed?: string;
}

export interface ConversationSize {
  /** The `n` of the entry each message came from. */
  readonly origins: readonly number[];
  readonly counted: Counted;
}

export interface SessionFold {
  add(entry: LoggedEntry): void;
  /** The state up to here. Its collections go on growing with the session. */
  state(): SessionState;
}

/**
 * Starts from what a log already holds: calls that were under way when it ended get a result that says so, and nothing
 * is run again.
 */
export function createSessionFold(entries: Iterable<LoggedEntry> = []): SessionFold {
  const conversations = new Map<string, Conversation>();
  const messages = new Map<string, readonly Message[]>();
  const sizes = new Map<string, ConversationSize>();
  const agents = new Set<string>();
  const teams = new Map<string, string>();
  const once = new Set<string>();
  const env = new Map<string, string>();
  const openRuns = new Set<string>();
  const facts: Writable<Facts> = {
    id: '',
    projectRoot: '',
    cwd: '',
    runs: 0,
    usage: { input: 0, output: 0 },
    lastInput: 0,
  };

  function conversation(agent: string): Conversation {
    const found = conversations.get(agent) ?? createConversation();
    conversations.set(agent, found);
    return found;
  }

  function converse(entry: ConversationEntry): void {
    const grown = conversation(entry.agent);
    addEntry(grown, entry);
    const { origins, counted } = grown;
    messages.set(entry.agent, grown.messages);
    sizes.set(entry.agent, { origins, counted });
  }

  function letGo(agent: string): void {
    conversations.delete(agent);
    messages.delete(agent);
    sizes.delete(agent);
  }

  function settle(): void {
    for (const each of conversations.values()) settleCalls(each);
  }

  function add(entry: LoggedEntry): void {
    switch (entry.kind) {
      case 'session':
        facts.id = entry.id;
        facts.projectRoot = entry.projectRoot;
        facts.cwd = entry.cwd;
        if (entry.forkedFrom !== undefined) facts.forkedFrom = entry.forkedFrom;
        break;
      case 'opened':
        settle();
        openRuns.clear();
        facts.cwd = entry.cwd;
        facts.model = entry.model;
        delete facts.closed;
        break;
      case 'prompt':
        if (entry.from.kind === 'user') facts.firstPrompt ??= entry.text;
        converse(entry);
        break;
      case 'answer':
        facts.usage = sum(facts.usage, entry.usage);
        if (entry.agent === 'main') facts.lastInput = entry.usage.input;
        converse(entry);
        break;
      case 'compacted':
        if (entry.agent === 'main') facts.lastInput = 0;
        if (entry.usage !== undefined) facts.usage = sum(facts.usage, entry.usage);
        converse(entry);
        break;
      case 'context':
      case 'result':
        converse(entry);
        break;
      case 'run':
        if (entry.state === 'start') openRuns.add(entry.agent);
        else openRuns.delete(entry.agent);
        if (entry.state === 'start' && entry.agent === 'main') facts.runs += 1;
        settleCalls(conversation(entry.agent));
        break;
      case 'agent':
        agents.add(entry.agent);
        if (entry.state === 'gone') letGo(entry.agent);
        break;
      case 'team':
        teams.delete(entry.team);
        if (entry.state === 'opened') teams.set(entry.team, entry.lead);
        break;
      case 'once':
        once.add(entry.identity);
        break;
      case 'env':
        setVariables(env, entry.values);
        break;
      case 'cwd':
        facts.cwd = entry.cwd;
        break;
      case 'name':
        facts.name = entry.name;
        break;
      case 'closed':
        settle();
        facts.closed = entry.reason;
        break;
    }
  }

  for (const entry of entries) add(entry);
  settle();
  return {
    add,
    // Asked for a dozen times a turn.
    state: () => ({ ...facts, messages, sizes, agents, teams, once, env, openRuns }),
  };
}

export function foldSession(entries: Iterable<LoggedEntry>): SessionState {
  return createSessionFold(entries).state();
}

type Facts = Omit<SessionState, 'messages' | 'sizes' | 'agents' | 'teams' | 'once' | 'env' | 'openRuns'>;
type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

function setVariables(env: Map<string, string>, values: Readonly<Record<string, string | null>>): void {
  for (const [name, value] of Object.entries(values)) {
    if (value === null) env.delete(name);
    else env.set(name, value);
  }
}

function sum(one: Usage, other: Usage): Usage {
  return { input: one.input + other.input, output: one.output + other.output };
}
