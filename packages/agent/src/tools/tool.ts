// What a tool is: a name, a description, a schema, what it touches, and one function.
import type { CallSubject, ProcessHost } from '@codey/hooks';
import type * as v from 'valibot';
import type { AgentScope, SessionScope } from '../loop/scope.ts';
import type { AskUser } from './ask-user.ts';
import type { BackgroundCommands } from './background.ts';
import type { TodoList } from './todo-list.ts';

/**
 * What a call may do, as the permission modes see it: `read` looks at files, `edit` changes them, `execute` runs
 * programs, `network` talks to other machines, `free` touches nothing outside the conversation.
 */
export type Access = 'read' | 'edit' | 'execute' | 'network' | 'free';

export type ToolResult =
  | { readonly kind: 'ok'; readonly output: string }
  | {
      readonly kind: 'failed';
      readonly error: 'failed' | 'timed-out' | 'cancelled';
      readonly output: string;
    };

/** An agent that calls, and the session as it may use it. */
export interface Caller {
  readonly agent: AgentScope;
  readonly session: SessionScope;
}

/** What a running call comes upon that was not in its input. */
export type Further =
  | { readonly kind: 'url'; readonly url: string }
  /** A file under its absolute names. */
  | { readonly kind: 'path'; readonly names: readonly string[] };

/** The world a call runs in. */
export interface ToolContext {
  /** Root of the agent's workspace: the project root, or the worktree of an isolated agent. Absolute, real. */
  readonly workspace: string;
  /** The session's current directory; relative paths resolve against it. */
  readonly cwd: string;
  /** Further directories that count as inside (`--add-dir`). */
  readonly extraDirs: readonly string[];
  readonly signal: AbortSignal;
  readonly processes: ProcessHost;
  /** Environment for programs the tool starts: the program's own plus the session's variables. */
  readonly environment: Readonly<Record<string, string>>;
  /** A piece of progress for the screen, such as a line a command just printed. */
  readonly report: (text: string) => void;
  /** Commands that go on between calls: one registry a session, shared by its agents. */
  readonly background: BackgroundCommands;
  /** The agent's own list of work. */
  readonly todos: TodoList;
  /** Puts questions to the person; absent where nobody can answer, as in print mode. */
  readonly askUser?: AskUser;
  /** Whose call it is, for what has to be asked in that agent's name while it runs. Absent outside a session. */
  readonly caller?: Caller;
  /** Why rules keep this call from something it comes upon while it runs, as half a sentence; undefined where none does. */
  readonly refusal: (further: Further) => string | undefined;
  /** Whether this call may reach loopback, private and link-local addresses: somebody agreed to that. */
  readonly privateNetwork: boolean;
}

export interface Tool<Schema extends v.GenericSchema = v.GenericSchema> {
  readonly name: string;
  readonly description: string;
  readonly input: Schema;
  /** What the model is shown where the schema comes from elsewhere (MCP) and `input` only asks for an object. */
  readonly inputSchema?: Readonly<Record<string, unknown>>;
  readonly access: Access;
  /** The one argument that rules and `if` conditions test. */
  subject(input: v.InferOutput<Schema>): CallSubject;
  /** Never rejects for a failure of what it does; the text of a failed result is for the model. */
  run(input: v.InferOutput<Schema>, context: ToolContext): Promise<ToolResult>;
}

/** Fixes a tool's schema type. */
export function defineTool<const Schema extends v.GenericSchema>(tool: Tool<Schema>): Tool<Schema> {
  return tool;
}
