// How a run ended.
import type { Usage } from '../model/model.ts';

export type StopReason =
  | 'completed'
  | 'interrupted'
  /** The provider or the host failed. */
  | 'error'
  /** `--max-turns`. */
  | 'max_turns'
  /** A hook blocked the prompt: no run began. */
  | 'prompt_blocked'
  /** A Stop hook blocked. */
  | 'stop_blocked'
  /** Stop hooks sent the agent back to work too often. */
  | 'stop_hook_limit'
  /** A hook said `continue: false`. */
  | 'halted';

export interface RunOutcome {
  readonly stop: StopReason;
  /** The final answer; empty where there is none. */
  readonly text: string;
  /** For the user: what went wrong, a hook's reason included. Empty for a completed run. */
  readonly error: string;
  readonly turns: number;
  readonly usage: Usage;
}
