// What the user's earlier agreements say about something as it is now. Pure.
import { changesBetween } from './coverage.ts';
import type { Agreement } from './store.ts';

export type Standing =
  | { readonly kind: 'trusted' }
  | { readonly kind: 'untrusted' }
  /** An earlier form of it was agreed to; `changes` says how it differs. */
  | { readonly kind: 'modified'; readonly changes: readonly string[] };

/**
 * Tells the standing of everything in `present`, which is all there is now. An agreement to something that is still there
 * as it was says nothing about what stands beside it.
 */
export function standings(
  agreements: readonly Agreement[],
  present: readonly Agreement[],
): (found: Agreement) => Standing {
  const agreed = new Set(agreements.map(({ fingerprint }) => fingerprint));
  const still = new Set(present.map(({ fingerprint }) => fingerprint));
  const running = new Set(present.map(whatRuns));
  // Indexed: a repository may supply ten thousand hooks.
  const newestFirst = [...agreements].reverse().filter(({ fingerprint }) => !still.has(fingerprint));
  const sameRun = groupBy(newestFirst, whatRuns);
  const gone = groupBy(
    newestFirst.filter((earlier) => !running.has(whatRuns(earlier))),
    whereItStood,
  );
  return (found) => {
    if (agreed.has(found.fingerprint)) return { kind: 'trusted' };
    const same = sameRun.get(whatRuns(found)) ?? [];
    const before =
      same.find(({ file }) => file === found.file) ?? same[0] ?? gone.get(whereItStood(found))?.[0];
    return before === undefined
      ? { kind: 'untrusted' }
      : { kind: 'modified', changes: describe(before, found) };
  };
}

function whatRuns({ subject, runs }: Agreement): string {
  return JSON.stringify([subject, runs]);
}

function whereItStood({ subject, file }: Agreement): string {
  return JSON.stringify([subject, file]);
}

function groupBy(
  agreements: readonly Agreement[],
  keyOf: (agreement: Agreement) => string,
): ReadonlyMap<string, readonly Agreement[]> {
  const groups = new Map<string, Agreement[]>();
  for (const agreement of agreements) {
    const key = keyOf(agreement);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [agreement]);
    else group.push(agreement);
  }
  return groups;
}

function describe(before: Agreement, now: Agreement): readonly string[] {
  if (before.runs !== now.runs) return [`it ran before: ${before.runs}`];
  const files = changesBetween(before.marks, now.marks);
  return before.definition === now.definition ? files : ['its conditions or options changed', ...files];
}
