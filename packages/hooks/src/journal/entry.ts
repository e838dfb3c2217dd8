// The lines of `.codey/events.jsonl`. No prompt, model text, tool output or environment value is ever in one.
import type { Scope } from '../config/hook.ts';
import type { LifecycleEvent } from '../lifecycle/catalogue.ts';
import type { FailureCause, OutcomeKind, SkipReason } from '../policy/outcome.ts';

/** What became of one hook in one dispatch. */
export interface JournaledHook {
  readonly id: string;
  readonly scope: Scope;
  /** `file:line`. */
  readonly source: string;
  readonly outcome: OutcomeKind;
  readonly why?: SkipReason | FailureCause | 'interrupt';
  /** The verdict it gave, where it gave one. */
  readonly verdict?: 'allow' | 'ask' | 'deny' | 'continue';
  readonly ms?: number;
  readonly exit?: number;
  /** Name of a 0600 file in the session's folder with what it printed. */
  readonly output?: string;
  /** A fixed phrase on what the engine did with the answer, such as `allow ignored: covers 1 of 2 commands`. */
  readonly note?: string;
}

/** What a writer hands in; the journal adds `time`, `session`, `pid` and `n`. */
export type JournalEntry =
  | ({ readonly kind: 'lifecycle' } & Omit<LifecycleEvent, 'time' | 'session'>)
  | {
      readonly kind: 'dispatch';
      readonly dispatch: string;
      readonly event: string;
      readonly agent: string;
      readonly turn: string;
      readonly tool?: string;
      readonly call?: string;
      readonly verdict: 'none' | 'allow' | 'ask' | 'deny' | 'continue' | 'halt' | 'cancelled';
      readonly revision?: number;
      readonly ms: number;
      readonly hooks: readonly JournaledHook[];
    }
  | {
      readonly kind: 'hook_error';
      readonly event: string;
      readonly hook: string;
      readonly source: string;
      readonly cause: FailureCause | 'timed-out' | 'herdr';
      readonly exit?: number;
      /** Only of lifecycle hooks and herdr, which never see content: what was printed, 500 characters. */
      readonly detail?: string;
    }
  /** How a call came to run or not: rule, mode, hook, human. */
  | {
      readonly kind: 'gate';
      readonly agent: string;
      readonly tool: string;
      readonly call: string;
      readonly decision: 'allowed' | 'denied';
      readonly by: string;
    }
  | { readonly kind: 'notice'; readonly what: string };

/** A line of the journal as it is read back. */
export type JournalLine = {
  /** ISO 8601 with milliseconds, UTC. Always the first key of the line. */
  readonly time: string;
  readonly session: string;
  /** The process that wrote it. */
  readonly pid: number;
  /** Counts the entries of one writer from 1: a gap is a loss. */
  readonly n: number;
} & JournalEntry;

/** Where entries go. Appending never throws and never blocks on the disk; `flush` waits for what was appended. */
export interface Journal {
  append(entry: JournalEntry): void;
  flush(): Promise<void>;
}
