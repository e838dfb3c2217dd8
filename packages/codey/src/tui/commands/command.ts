// What a command is: a name, a summary, and one function that does it with what the screen gives it.
import type { Completion } from '../composer/completion.ts';
import type { PickItem } from '../panels/pick.ts';
import type { SessionHost, TabSession } from '../ports.ts';
import type { SetupEnd } from '../../setup/open-wizard.ts';
import type { Tone } from '../state/block.ts';
import type { Tab } from '../state/tab.ts';
import type { LiveList } from './live-list.ts';

export interface Command {
  readonly name: string;
  /** One line for lists. */
  readonly summary: string;
  /** How its argument is written in help, such as `[name]`. */
  readonly argument?: string;
  /** It acts on the screen or on what ends with the program: print mode refuses it. */
  readonly onScreen?: true;
  /** What the argument could be. */
  complete?(context: CommandContext): Promise<readonly Completion[]> | readonly Completion[];
  run(context: CommandContext, argument: string): void | Promise<void>;
}

/** The same for the full screen and for the plain lines of a dumb terminal. */
export interface CommandContext {
  /** The tab it was typed in, as it is now; undefined once it was closed. */
  tab(): Tab | undefined;
  /** Undefined while the tab has no open session. */
  readonly session: TabSession | undefined;
  readonly host: Pick<SessionHost, 'sessions'>;
  readonly commands: readonly Command[];
  /** Keys and what they do, for help; empty where there are none. */
  readonly keys: readonly (readonly [key: string, does: string])[];
  say(tone: Tone, text: string): void;
  /** A longer answer, as Markdown. */
  reply(title: string, markdown: string): void;
  choose(title: string, items: readonly PickItem[], empty: string): Promise<string | undefined>;
  showHooks(): void | Promise<void>;
  showAgents(): void;
  /** Keeps it up to date while it is looked at, or says it once. */
  showList(list: LiveList): Promise<void>;
  /** Runs the setup wizard in place of the screen. */
  setUp(): Promise<SetupEnd>;
  /** What the session is has changed. */
  refresh(): void;
  openTab(): void;
  /** The program with the last one. */
  closeTab(): void | Promise<void>;
  /** Ends the session of the tab and begins an empty one in its place. */
  clearTab(): void;
  /** Goes on with an earlier session in the place of the tab's own. */
  resumeSession(id: string): void;
  togglePause(): void;
  copy(text: string): void;
  quit(): void | Promise<void>;
}
