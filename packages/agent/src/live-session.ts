// What a session is started with, and what whoever holds it can do.
import type {
  ForkServer,
  HookNotice,
  HookObserver,
  HookSnapshot,
  Journal,
  LifecycleBus,
  TrustPort,
} from '@codey/hooks';
import type { Human } from './gate/human.ts';
import type { PermissionState } from './gate/permissions/state.ts';
import type { RunOutcome } from './loop/outcome.ts';
import type { SessionEvent } from './loop/scope.ts';
import type { Model } from './model/model.ts';
import type { Session } from './session/session.ts';
import type { SessionState } from './session/state.ts';
import type { Skill } from './skills/skill.ts';
import type { AgentDefinition } from './subagents/definition.ts';
import type { SessionAgents } from './subagents/session-agents.ts';
import type { SessionSurroundings, SurroundingsOptions } from './surroundings.ts';
import type { UserLine, UserLineEnd } from './tools/user-line.ts';

export interface StartOptions extends SurroundingsOptions {
  /** The session's log and files, open and locked. */
  readonly stored: Session;
  readonly source: 'startup' | 'resume' | 'clear';
  /** Absolute, real. */
  readonly projectRoot: string;
  readonly cwd: string;
  readonly model: Model;
  /** Opens the model a prompt or agent hook names; without it such hooks are answered by the session's model only. */
  readonly openModel?: (id: string) => Promise<Model>;
  readonly snapshot: HookSnapshot;
  readonly skills: readonly Skill[];
  /** Kinds of agents by name, as `loadDefinitions` gives them; the built-in one if left out. */
  readonly agents?: ReadonlyMap<string, AgentDefinition>;
  /** `--agent`: the kind that answers every prompt. */
  readonly agent?: string;
  /** Where teams keep mail and tasks, `~/.codey/teams`; without it there are none. */
  readonly teamsFolder?: string;
  /** Where pipes for the output of commands wait from one program to the next; without it each makes its own. */
  readonly sparePipes?: string;
  readonly permissions: () => PermissionState;
  readonly trust: TrustPort;
  readonly journal: Journal;
  /** What the program was started with, and what settings add to it for tools. */
  readonly environment: Readonly<Record<string, string>>;
  readonly toolEnvironment: Readonly<Record<string, string>>;
  readonly human?: Human;
  readonly extraDirs: readonly string[];
  readonly maxTurns?: number;
  /** How many hooks this program runs inside. */
  readonly depth: number;
  /** Onboarding steps that are missing; with one or more the Setup hooks are told. */
  readonly missingSteps: readonly string[];
  /** How the program tells its sessions that it is being left, from the first moment on. */
  readonly signals?: LeaveSignals;
  readonly onEvent: (event: SessionEvent) => void;
  readonly onHookNotice: (notice: HookNotice) => void;
  readonly observer?: HookObserver;
  /** Starts hooks; sessions of one program share it. One of the session's own if not given. */
  readonly forks?: ForkServer;
  readonly date?: () => Date;
}

export interface LiveSession {
  readonly id: string;
  readonly bus: LifecycleBus;
  /** Agents beside the main one. */
  readonly agents: SessionAgents;
  readonly journal: Journal;
  /** One prompt at a time; never rejects. */
  prompt(text: string): Promise<RunOutcome>;
  /** Ends the current run, its tools and its hooks. */
  interrupt(): void;
  pause(): void;
  resume(): void;
  /** Folded up to now: the conversation, its name, the tokens it took. */
  state(): SessionState;
  /** What the user calls it; kept with the session. */
  rename(name: string): void;
  /** For model calls that begin from now on. */
  useModel(model: Model): void;
  /** Every hook there is, switched-off ones included. */
  readonly hooks: HookSnapshot;
  /** For dispatches that begin from now on; a call under way is judged to its end by the hooks it began with. */
  useHooks(snapshot: HookSnapshot): void;
  /** Runs a line of the user's own shell: nobody is asked, and the model sees it with the next prompt. Never rejects. */
  shell(line: UserLine): Promise<UserLineEnd>;
  /** Compaction, the working directory, saved settings, MCP servers. */
  readonly surroundings: SessionSurroundings;
  /** SessionEnd, then `session_end`, then everything the session holds is let go. Safe to call twice. */
  close(leaving: Leaving): Promise<void>;
}

export interface LeaveSignals {
  /** What is being opened need not be: a signal came. A run that has begun is ended with `interrupt`. */
  readonly interrupted: AbortSignal;
  /** No time is left: hooks that still run are cut. */
  readonly cut: AbortSignal;
}

export interface Leaving {
  readonly reason: 'exit' | 'closed' | 'clear' | 'resume' | 'signal' | 'error';
  readonly error?: string;
  /** Aborts when the budget for leaving is spent: hooks that still run are cut, and `settleMs` later all is over. */
  readonly hurry: AbortSignal;
}

export type Started =
  | { readonly kind: 'open'; readonly session: LiveSession }
  /** A SessionStart hook said no: nothing was opened and nothing will be closed. `id` is what the hooks were told. */
  | { readonly kind: 'blocked'; readonly id: string; readonly reason: string };
