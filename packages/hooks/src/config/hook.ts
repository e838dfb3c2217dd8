// One hook as the engine knows it, whatever dialect and file it was written in.
import type { LifecycleEventName } from '../lifecycle/catalogue.ts';
import type { PolicyEventName } from '../policy/catalogue.ts';
import type { Answer } from '../policy/decision.ts';
import type { Rule } from '../condition/parse.ts';
import type { Matcher } from '../condition/matcher.ts';

/** In the order in which their hooks run. */
export const scopes = ['managed', 'host', 'settings', 'user', 'project', 'local', 'plugin', 'skill'] as const;
/** `host` is the embedding program's own code (`engine.on`), `settings` the file named by `--settings`. */
export type Scope = (typeof scopes)[number];

/** Where an entry was written. Lines and columns count from 1. */
export interface Source {
  readonly scope: Scope;
  /** Absolute path of the file. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Supplied by the repository, so its hooks need the user's agreement (project, local, in-repo plugins and skills). */
  readonly fromRepository: boolean;
  /** Root of the plugin or skill that contributed it; exported as `*_SKILL_DIR` and part of the identity. */
  readonly root?: string;
  /** Name of the plugin or skill that contributed it. */
  readonly contributor?: string;
}

/** What runs. */
export type Handler =
  | {
      readonly type: 'command';
      readonly command: string;
      readonly args?: readonly string[];
      readonly shell?: string;
    }
  | {
      readonly type: 'worker';
      readonly command: string;
      readonly args?: readonly string[];
      readonly shell?: string;
    }
  | {
      readonly type: 'http';
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly allowedEnvVars: readonly string[];
    }
  | { readonly type: 'prompt'; readonly prompt: string; readonly model?: string }
  | { readonly type: 'agent'; readonly prompt: string; readonly model?: string }
  /** Only from `engine.on`; no file can hold one. */
  | { readonly type: 'function'; readonly name: string; readonly call: HookFunction };

/**
 * An in-process hook. It gets the payload that a command hook reads on stdin and answers in the engine's own words;
 * nothing returned means nothing said. A throw is a failed hook, and its deadline holds as for every other handler.
 */
export type HookFunction = (
  payload: Readonly<Record<string, unknown>>,
  context: { readonly signal: AbortSignal },
) => Answer | undefined | Promise<Answer | undefined>;

/** A policy hook. */
export interface HookDefinition {
  /** `Event:` and 8 hex digits of the identity; what `disabledHooks` and `hooks list` use. */
  readonly id: string;
  /** Full hex digest of type, what runs, `async` and contributor root: two hooks with the same one are the same hook. */
  readonly identity: string;
  readonly event: PolicyEventName;
  readonly handler: Handler;
  readonly matcher: Matcher;
  /** The `if` condition. */
  readonly condition?: Rule;
  /** Above 0, at most 3,600,000. */
  readonly timeoutMs: number;
  readonly once: boolean;
  readonly async: boolean;
  readonly onFailure: 'pass' | 'block';
  /** Shown while the hook runs. */
  readonly statusMessage?: string;
  readonly source: Source;
  /** Hooks of one group share it: file path and position of the group. Hooks of a group run in order. */
  readonly group: string;
  /** Which dialect encodes its input and decodes its output. */
  readonly dialect: 'native' | 'claude' | 'claudeAfterCompaction';
}

/** One shell command told about a lifecycle event. */
export interface LifecycleHook {
  readonly id: string;
  readonly identity: string;
  readonly event: LifecycleEventName;
  readonly command: string;
  readonly source: Source;
}
