// What a question about an event came to: plain data, printed for people or as JSON.
import type { OutcomeKind } from '@codey/hooks';

export interface Tested {
  readonly event: string;
  readonly tool?: string;
  /** Real path. */
  readonly root: string;
  /** What a hook reads on stdin. */
  readonly payload: Readonly<Record<string, unknown>>;
  readonly dryRun: boolean;
  /** Every hook of the event in config order, those that did not run with the reason. */
  readonly hooks: readonly TestedHook[];
  readonly verdict: 'none' | 'allow' | 'ask' | 'deny' | 'continue' | 'halt' | 'cancelled';
  readonly reasons: readonly Said[];
  /** Text for the model. */
  readonly contexts: readonly Said[];
  /** Text for the user. */
  readonly messages: readonly Said[];
  /** The input the tool would get; absent where the event has none. */
  readonly input?: Readonly<Record<string, unknown>>;
  readonly rewrittenBy: readonly string[];
  /** Names of the variables that env files set for the session. */
  readonly variables: readonly string[];
  /** What a session would do now, in sentences. */
  readonly consequences: readonly string[];
  readonly ms: number;
}

export interface Said {
  /** `guard.sh, settings.json:12`. */
  readonly hook: string;
  readonly text: string;
}

export interface TestedHook {
  readonly id: string;
  /** The shortest name people recognise, such as `guard.sh`. */
  readonly name: string;
  readonly type: string;
  readonly runs: string;
  readonly scope: string;
  readonly file: string;
  readonly line: number;
  readonly matcher?: string;
  readonly if?: string;
  readonly outcome: OutcomeKind | 'would-run';
  /** The word beside the outcome, such as `matcher` or `missing`. */
  readonly why?: string;
  /** Why it did not run or how it failed, in a sentence. */
  readonly explanation?: string;
  readonly verdict?: 'allow' | 'ask' | 'deny' | 'continue';
  readonly note?: string;
  /** Several where it was asked again about a changed input. */
  readonly asked: readonly HookRun[];
}

/** One start of a hook. */
export interface HookRun {
  /** What it read on stdin. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly directory: string;
  /** Names of the variables it gets beside those codey was started with. */
  readonly given: readonly string[];
  /** Names of the variables it does not get. */
  readonly withheld: readonly string[];
  readonly stdout: string;
  readonly stderr: string;
  readonly exit?: number;
  readonly ms: number;
}
