// What the engine needs from the program it is embedded in. Everything has an owner outside the engine.
import type { CallSubject } from '../condition/call.ts';
import type { HookDefinition, LifecycleHook } from '../config/hook.ts';
import type { Journal } from '../journal/entry.ts';
import type { Runner } from '../runners/runner.ts';
import type { TrustPort } from '../trust/trust.ts';
import type { OncePort } from './once.ts';
import type { Outcome } from './outcome.ts';

/** Something a person should know now. The host shows it; the engine has journaled it. */
export type HookNotice =
  /** A hook broke; the sentence says which, where and how. */
  | { readonly kind: 'failure'; readonly sentence: string }
  /** A hook's `systemMessage`. */
  | { readonly kind: 'message'; readonly hook: string; readonly text: string }
  /** A hook was held back at its event, for instance because its script changed. */
  | { readonly kind: 'held-back'; readonly sentence: string };

/** Told when a hook starts and ends, so that a slow one can be named while it runs. Must not throw. */
export interface HookObserver {
  started(run: {
    readonly runId: string;
    readonly hook: HookDefinition | LifecycleHook;
    readonly label: string;
  }): void;
  ended(run: { readonly runId: string; readonly outcome: Outcome }): void;
}

/** Session env files: made for a hook before it starts, read when it ended. */
export interface EnvFilePort {
  /** Path of a new empty 0600 file. */
  create(): Promise<string>;
  /** Reads the files of one dispatch in config order into the session's variables; returns sentences on what was refused. */
  absorb(
    files: readonly { readonly hook: HookDefinition; readonly file: string }[],
  ): Promise<readonly string[]>;
}

/** What an engine needs from its host; none of it may throw unless it says so. */
export interface EnginePorts {
  /** A handler without a runner is a failed hook that says so. */
  readonly runners: Readonly<Partial<Record<HookDefinition['handler']['type'], Runner>>>;
  /** What hooks inherit. */
  readonly environment: Readonly<Record<string, string>>;
  readonly journal: Journal;
  readonly trust: TrustPort;
  readonly once: OncePort;
  /** What of a call's input conditions look at; the host knows its tools. */
  readonly subjectOf: (tool: string, input: Readonly<Record<string, unknown>>) => CallSubject;
  readonly notify: (notice: HookNotice) => void;
  readonly observer?: HookObserver;
  readonly envFiles?: EnvFilePort;
  /** Aborts when the host has no time left: hooks that run, async ones too, are ended and come to `cancelled: exit`. */
  readonly cut?: AbortSignal;
  /**
   * Brings a dialect's own transcript up to date and gives its path, by the dialect's name; undefined where none is
   * kept. Must not reject.
   */
  readonly transcripts?: Readonly<Record<string, () => Promise<string | undefined>>>;
  /** Keeps what a hook printed in a 0600 file of the session; returns its name, or undefined where nothing can be kept. */
  readonly keepOutput: (
    hook: HookDefinition,
    printed: { readonly stdout: string; readonly stderr: string },
  ) => Promise<string | undefined>;
  /** Keeps a text too long for the model in a 0600 file; returns its path, or undefined where nothing can be kept. */
  readonly spill: (hook: HookDefinition, text: string) => Promise<string | undefined>;
  /** Milliseconds that only grow. */
  readonly now: () => number;
  readonly date: () => Date;
  readonly uniqueId: () => string;
}
