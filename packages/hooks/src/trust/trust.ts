// The question about trust, asked before every start of a hook that a repository supplies.
import type { HookDefinition, LifecycleHook } from '../config/hook.ts';

export type AnyHook = HookDefinition | LifecycleHook;

/** What stands between a hook and its start. */
export type TrustState =
  | { readonly kind: 'trusted' }
  /** The user has not agreed to it. */
  | { readonly kind: 'untrusted' }
  /** The user agreed to it, but it or a file it names has changed since. */
  | { readonly kind: 'modified' }
  /** It was trusted when this session opened and a file it names changed or vanished since; `what` says which. */
  | { readonly kind: 'changed'; readonly what: string };

/** Answers whether a hook may start. */
export interface TrustPort {
  /**
   * `workspace` is the directory the hook would run in, the project root where it is left out: in the worktree of an
   * isolated agent the same command names other files. Never rejects.
   */
  check(hook: AnyHook, workspace?: string): TrustState | Promise<TrustState>;
}

/** Until somebody is asked: everything but what a repository supplies. */
export const trustOwnHooksOnly: TrustPort = {
  check: (hook) => ({ kind: hook.source.fromRepository ? 'untrusted' : 'trusted' }),
};

/** For tests and for hosts that vouch for every hook themselves. */
export const trustEverything: TrustPort = { check: () => ({ kind: 'trusted' }) };
