// What hooks are doing and what they did last.
import type { JournaledHook, JournalEntry } from '@codey/hooks';

/** A hook that runs now. */
export interface HookRun {
  readonly runId: string;
  readonly event: string;
  readonly label: string;
  /** Its own word on what it does. */
  readonly status?: string;
  readonly since: number;
}

export interface LastRun {
  readonly outcome: JournaledHook['outcome'];
  readonly why?: string;
  readonly ms?: number;
  readonly at: number;
}

/** Milliseconds after which a hook is named while it runs. */
export const namedAfterMs = 1_000;

export function noteDispatch(
  last: ReadonlyMap<string, LastRun>,
  { hooks }: Extract<JournalEntry, { kind: 'dispatch' }>,
  at: number,
): ReadonlyMap<string, LastRun> {
  const ran = hooks.filter(({ outcome }) => outcome !== 'skipped');
  if (ran.length === 0) return last;
  const next = new Map(last);
  for (const { id, outcome, why, ms } of ran) {
    next.set(id, { outcome, at, ...(why !== undefined && { why }), ...(ms !== undefined && { ms }) });
  }
  return next;
}

/** The one to name, if any: the slowest. */
export function slowHook(running: readonly HookRun[], now: number): HookRun | undefined {
  const oldest = running.toSorted((one, other) => one.since - other.since)[0];
  return oldest !== undefined && now - oldest.since >= namedAfterMs ? oldest : undefined;
}
