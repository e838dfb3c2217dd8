// What became of one hook in one dispatch.
import type { HookDefinition } from '../config/hook.ts';
import type { Answer } from './decision.ts';
import type { Outcome } from './outcome.ts';

/** One hook of one dispatch: what it said, how it ended, how long it took. */
export interface HookReport {
  readonly hook: HookDefinition;
  readonly outcome: Outcome;
  /** What counts of what it said; `silent` for a hook that was skipped. */
  readonly answer: Answer;
  /** 0 for a hook that did not run. */
  readonly durationMs: number;
  readonly exit?: number;
  /** A fixed phrase on what the engine did with the answer; journaled, so never content. */
  readonly note?: string;
  /** What it printed, for the output store and the user's view. */
  readonly printed?: { readonly stdout: string; readonly stderr: string };
  /** The session env file it was given. */
  readonly envFile?: string;
}
