// Counts what became of hooks, for the result of a run.
import { type Journal, type OutcomeKind, outcomeKinds } from '@codey/hooks';

export interface Tally {
  readonly wrap: (journal: Journal) => Journal;
  readonly counts: () => Readonly<Record<OutcomeKind, number>>;
}

export function createTally(): Tally {
  const counts = Object.fromEntries(outcomeKinds.map((kind) => [kind, 0])) as Record<OutcomeKind, number>;
  return {
    wrap: (journal) => ({
      ...journal,
      append(entry) {
        if (entry.kind === 'dispatch') for (const hook of entry.hooks) counts[hook.outcome] += 1;
        journal.append(entry);
      },
    }),
    counts: () => ({ ...counts }),
  };
}
