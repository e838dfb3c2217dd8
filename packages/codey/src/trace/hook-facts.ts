// What a trace shows of an event's hooks: how they came out, in which order they ran.
import { type JournalEntry, type JournaledHook, lifecycleEventNames, policyCatalogue } from '@codey/hooks';

/** How it came out: `bad` for denied, blocked, failed and timed out, `quiet` for what did not run. */
export type SpanState = 'plain' | 'bad' | 'quiet';

/** Of the event as a whole. */
export function stateOfDispatch({ verdict, hooks }: Extract<JournalEntry, { kind: 'dispatch' }>): SpanState {
  if (verdict === 'deny' || verdict === 'halt' || verdict === 'cancelled') return 'bad';
  return hooks.every(({ outcome }) => outcome === 'skipped') ? 'quiet' : 'plain';
}

export function stateOfHook({ outcome }: JournaledHook): SpanState {
  switch (outcome) {
    case 'skipped':
      return 'quiet';
    case 'blocked':
    case 'failed':
    case 'timed-out':
    case 'cancelled':
      return 'bad';
    case 'passed':
    case 'decided':
      return 'plain';
  }
}

/** What is shown beside the hook's name. */
export function factsOf(hook: JournaledHook): Record<string, string> {
  const { id, scope, outcome, why, verdict, exit, note: remark } = hook;
  return {
    outcome: why === undefined ? outcome : `${outcome} (${why})`,
    ...(verdict !== undefined && { said: verdict }),
    ...(exit !== undefined && { exit: String(exit) }),
    ...(remark !== undefined && { note: remark }),
    scope,
    id,
  };
}

/** Whether the hooks of an event run one after another. */
export function inOrder(event: string): boolean {
  if ((lifecycleEventNames as readonly string[]).includes(event)) return true;
  const known: Readonly<Record<string, { readonly groups: string }>> = policyCatalogue;
  return Object.hasOwn(known, event) && known[event]?.groups === 'in-order';
}
