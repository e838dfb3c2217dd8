// What the journal says of every hook, of either kind.
import type { HookDefinition, LifecycleHook } from '../config/hook.ts';
import type { JournaledHook } from '../journal/entry.ts';
import { sourceLabel } from './label.ts';
import type { Outcome } from './outcome.ts';

export function journaledHook(hook: HookDefinition | LifecycleHook, outcome: Outcome): JournaledHook {
  const why = whyOf(outcome);
  return {
    id: hook.id,
    scope: hook.source.scope,
    source: sourceLabel(hook.source),
    outcome: outcome.kind,
    ...(why !== undefined && { why }),
  };
}

/** The word that says of an outcome why it came to it, where there is one. */
export function whyOf(outcome: Outcome): JournaledHook['why'] {
  switch (outcome.kind) {
    case 'skipped':
    case 'cancelled':
      return outcome.why;
    case 'failed':
      return outcome.cause;
    case 'passed':
    case 'decided':
    case 'blocked':
    case 'timed-out':
      return undefined;
  }
}
