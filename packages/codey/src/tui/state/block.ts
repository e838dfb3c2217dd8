// The pieces a transcript is made of. Their texts are as they came: whoever draws them cleans them.
import type { JournaledHook } from '@codey/hooks';

/** One hook of one dispatch, as it is shown beside what it judged. */
export interface HookLine {
  readonly event: string;
  readonly hook: JournaledHook;
}

export type CallEnd =
  /** It stands at the gate: hooks, rules and perhaps a person are asked about it. */
  | { readonly kind: 'held' }
  | { readonly kind: 'running' }
  | {
      readonly kind: 'done';
      readonly output: string;
      readonly failed: boolean;
      /** Of the tool itself, without hooks. */
      readonly ms: number;
      /** It gave back what an agent said, which stands above in that agent's own words. */
      readonly saidAbove?: true;
    }
  /** It never ran. */
  | { readonly kind: 'denied'; readonly reason: string };

export interface CallBlock {
  readonly kind: 'call';
  readonly key: number;
  readonly agent: string;
  readonly id: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** What the file held before, where the call writes one and it could be read. */
  readonly before?: string;
  readonly startedAt: number;
  /** The last lines of what it prints while it runs. */
  readonly tail: readonly string[];
  readonly end: CallEnd;
  readonly hooks: readonly HookLine[];
}

export type Tone = 'plain' | 'warning' | 'error';

export type Block =
  | { readonly kind: 'prompt'; readonly key: number; readonly text: string }
  /** What an agent writes. `done` once nothing is added any more. */
  | {
      readonly kind: 'answer';
      readonly key: number;
      readonly agent: string;
      readonly text: string;
      readonly done: boolean;
    }
  | {
      readonly kind: 'reasoning';
      readonly key: number;
      readonly agent: string;
      readonly text: string;
      readonly done: boolean;
    }
  | CallBlock
  | { readonly kind: 'hook'; readonly key: number; readonly line: HookLine }
  | { readonly kind: 'notice'; readonly key: number; readonly tone: Tone; readonly text: string }
  /** A line of the user's own shell. */
  | {
      readonly kind: 'shell';
      readonly key: number;
      readonly line: string;
      readonly startedAt: number;
      readonly output: string;
      /** Undefined while it runs; empty when it ended well. */
      readonly ended?: string;
    }
  /** What a command of the screen answers. */
  | { readonly kind: 'reply'; readonly key: number; readonly title: string; readonly text: string };
