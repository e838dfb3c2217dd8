// What the screen needs from outside: somebody who opens sessions. Tests bring one without a model or a disk.
import type {
  FormPort,
  Human,
  Leaving,
  Message,
  Plugin,
  RunOutcome,
  SessionAgents,
  SessionSummary,
  SessionSurroundings,
  Skill,
  UserLine,
  UserLineEnd,
} from '@codey/agent';
import type { PermissionMode } from '@codey/hooks';
import type { ListedHook as CommandListedHook } from '../commands/hooks-list.ts';
import type { DecisionRequest } from './prompts/decision-state.ts';
import type { SessionFacts, TabEvent, TokenCount } from './state/tab.ts';

/** Which session a tab opens. */
export type OpenWhat =
  /** `cleared`: it takes the place of a conversation that was cleared away. */
  | { readonly kind: 'new'; readonly cleared?: boolean }
  | { readonly kind: 'latest'; readonly fork: boolean }
  | { readonly kind: 'session'; readonly id: string; readonly fork: boolean };

export interface SessionHost {
  /** Rejects with StartError for what keeps the session from opening. */
  open(what: OpenWhat, tab: TabPorts): Promise<OpenedTab>;
  /** Newest first; empty where there is none. */
  sessions(): Promise<readonly SessionSummary[]>;
  /** What was typed before in this project, oldest first. */
  readonly history: PromptHistory;
}

/** What a session tells its tab and asks the user through it. */
export interface TabPorts {
  readonly tell: (event: TabEvent) => void;
  readonly human: Human;
  /** Who fills in the forms of MCP servers. */
  readonly forms: FormPort;
  /** A question of the program itself: a review of hooks, changed settings. Rejects only when the signal aborts. */
  readonly decide: (request: DecisionRequest, signal: AbortSignal) => Promise<string>;
}

export type OpenedTab =
  | { readonly kind: 'open'; readonly session: TabSession }
  /** A hook said no to the session. */
  | { readonly kind: 'blocked'; readonly reason: string };

export interface TabSession {
  facts(): SessionFacts;
  /** The conversation so far, as the model sees it. */
  messages(): readonly Message[];
  /** All that it took so far. */
  tokens(): Pick<TokenCount, 'input' | 'output'>;
  /** One at a time; never rejects. */
  prompt(text: string): Promise<RunOutcome>;
  interrupt(): void;
  pause(): void;
  resume(): void;
  rename(name: string): void;
  /** Resolves with a sentence on why the model cannot be used; undefined when it is in use. */
  useModel(id: string): Promise<string | undefined>;
  /** Models by id that could be named. */
  models(): readonly string[];
  useMode(mode: PermissionMode): void;
  /** A line of the user's own shell. Never rejects. */
  shell(line: UserLine): Promise<UserLineEnd>;
  readonly hooks: HookControl;
  /** Agents beside the main one. */
  readonly agents: SessionAgents;
  /** Compaction, the working directory, servers. */
  readonly surroundings: SessionSurroundings;
  readonly skills: readonly Skill[];
  /** Those that are on. */
  readonly plugins: readonly Plugin[];
  /** Safe to call twice. */
  close(leaving: Leaving): Promise<void>;
}

/** One hook as the panel lists it. */
export interface ListedHook extends CommandListedHook {
  /** The user may switch it off and on: it is not managed, and no flag or other setting holds it off. */
  readonly switchable: boolean;
}

export interface HookControl {
  list(): Promise<readonly ListedHook[]>;
  /** Through `disabledHooks` of the user's settings; resolves with a sentence on why it was not done. */
  switchTo(id: string, on: boolean): Promise<string | undefined>;
  /** Puts what the repository supplies before the user; resolves with a sentence on what became of it. */
  review(): Promise<string>;
  /** Runs one hook on the sample of its event; resolves with what came of it, a line each. */
  tryOut(id: string): Promise<readonly string[]>;
}

export interface PromptHistory {
  readonly entries: readonly string[];
  add(text: string): void;
}
