// What the user's earlier agreements say about something as it is now. Pure.
import { changesBetween } from './coverage.ts';
import type { Agreement } from './store.ts';

export type Standing =
  | { readonly kind: 'trusted' }
  | { readonly kind: 'untrusted' }
  /** An earlier form of it was agreed to; `changes` says how it differs. */
  | { readonly kind: 'modified'; readonly changes: readonly string[] };

/**
 * `present` is everything there is now, `found` among it. An agreement to something that is still there as it was
 * says nothing about what stands beside it.
 */
export function standingOf(
  found: Agreement,
  agreements: readonly Agreement[],
  present: readonly Agreement[],
): Standing {
  if (agreements.some(({ fingerprint }) => fingerprint === found.fingerprint)) return { kind: 'trusted' };
  const still = new Set(present.map(({ fingerprint }) => fingerprint));
  const others = new Set(
    present.filter((one) => one !== found).map(({ subject, runs }) => `${subject} ${runs}`),
  );
  const earlier = [...agreements]
    .reverse()
    .filter(({ subject, fingerprint }) => subject === found.subject && !still.has(fingerprint));
  const same =
    earlier.find(({ runs, file }) => runs === found.runs && file === found.file) ??
    earlier.find(({ runs }) => runs === found.runs) ??
    earlier.find(({ runs, file, subject }) => file === found.file && !others.has(`${subject} ${runs}`));
  return same === undefined ? { kind: 'untrusted' } : { kind: 'modified', changes: describe(same, found) };
}

function describe(before: Agreement, now: Agreement): readonly string[] {
  if (before.runs !== now.runs) return [`it ran before: ${before.runs}`];
  const files = changesBetween(before.marks, now.marks);
  return before.definition === now.definition ? files : ['its conditions or options changed', ...files];
}
