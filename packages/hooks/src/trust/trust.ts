// The question about trust, asked before every start of a hook that a repository supplies.
import type { HookDefinition, LifecycleHook } from '../config/hook.ts';

export type TrustState =
  | { readonly kind: 'trusted' }
  /** The user has not agreed to it. */
  | { readonly kind: 'untrusted' }
  /** The user agreed to it, but it or a file it names has changed since. */
  | { readonly kind: 'modified' }
  /** It was trusted when this session opened and a file it names changed or vanished since; `what` says which. */
  | { readonly kind: 'changed'; readonly what: string };

export interface TrustPort {
  check(hook: HookDefinition | LifecycleHook): TrustState | Promise<TrustState>;
}

/** Until somebody is asked: everything but what a repository supplies. */
export const trustOwnHooksOnly: TrustPort = {
  check: (hook) => ({ kind: hook.source.fromRepository ? 'untrusted' : 'trusted' }),
};

/** `--trust-project-hooks`. */
export const trustEverything: TrustPort = { check: () => ({ kind: 'trusted' }) };
