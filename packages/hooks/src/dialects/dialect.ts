// A dialect is one notation for hooks: how an event is written for them and how their answer is read.
// Everything outside a dialect's folder speaks the engine's own words.
import type { PolicyEventName } from '../policy/catalogue.ts';
import type { Answer } from '../policy/decision.ts';

/** What a hook's stdout says, before exit code and deadline are weighed. */
export type Decoded =
  /** A JSON object that was understood; keys that mean nothing here are passed over. */
  | { readonly kind: 'answer'; readonly answer: Answer; readonly note?: string }
  /** Not meant as an answer: nothing, or text. */
  | { readonly kind: 'text'; readonly text: string; readonly note?: string }
  /**
   * Meant as an answer and broken: half JSON, or a known key with a value outside its set. `message` says which.
   * What could be read of it still counts where it tightens.
   */
  | { readonly kind: 'broken'; readonly message: string; readonly answer: Answer };

export interface Dialect {
  readonly name: string;
  /** The payload as this dialect's hooks read it; undefined where the dialect has no such event. */
  encode(
    event: PolicyEventName,
    payload: Readonly<Record<string, unknown>>,
  ): Readonly<Record<string, unknown>> | undefined;
  /** Reads stdout. Total: any bytes give a value. */
  decode(event: PolicyEventName, stdout: string): Decoded;
  /** Exit codes other than 0 and 2 count their answer in full instead of only where it tightens. */
  readonly answersOnEveryExit: boolean;
  /** What exit 2 means on this event: a block, back to work, or no more than any other code. */
  exitTwo(event: PolicyEventName): 'deny' | 'continue' | 'failure';
  /** What matchers are tested on where the event has no match value of its own; null where this dialect has none either. */
  matchValue(event: PolicyEventName, payload: Readonly<Record<string, unknown>>): string | null;
  /** `updatedInput` in the engine's own words; `before` is the input the hook was asked about. */
  decodeInput(given: ToolInput, before: AskedCall): ToolInput;
  /** Variables its hooks expect beside the promised ones. One without a value is taken away if it was inherited. */
  environment(place: HookPlace): Readonly<Record<string, string | undefined>>;
  /** Whether `transcript_path` names the session log or a file that the host writes for this dialect. */
  readonly transcript: 'session-log' | 'own';
}

export type ToolInput = Readonly<Record<string, unknown>>;

export interface AskedCall {
  readonly tool: string;
  readonly input: ToolInput;
  /** The session's directory, where relative paths start. */
  readonly cwd: string;
}

/** What is known about a hook that is about to start. */
export interface HookPlace {
  readonly session: string;
  readonly projectRoot: string;
  /** Root of the plugin or skill it comes from. */
  readonly root?: string;
  /** Its own env file, on events that have one. */
  readonly envFile?: string;
}
