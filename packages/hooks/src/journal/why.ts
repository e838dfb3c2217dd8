// What the journal knows about one tool call: every question that was asked about it, and how it came to run or not.
import type { JournalEntry, JournaledHook, JournalLine } from './entry.ts';

type DispatchLine = JournalLine & { readonly kind: 'dispatch' };
type GateLine = JournalLine & { readonly kind: 'gate' };

/** All that the journal knows of one tool call. */
export interface CallAccount {
  readonly call: string;
  readonly tool: string;
  readonly session: string;
  readonly agent: string;
  /** When the first line about it was written: ISO 8601, UTC. */
  readonly time: string;
  /** In the order they were asked. */
  readonly dispatches: readonly CallDispatch[];
  /** Several where the input became a new call; the last one counts. */
  readonly gates: readonly Pick<GateLine, 'decision' | 'by' | 'time'>[];
}

export interface CallDispatch extends Pick<DispatchLine, 'event' | 'time' | 'verdict' | 'ms'> {
  /** How often hooks changed the input. */
  readonly revision: number;
  readonly hooks: readonly JournaledHook[];
}

/** The call that is asked about. */
export type WhichCall = { readonly kind: 'latest' } | { readonly kind: 'id'; readonly id: string };

/**
 * Undefined where the lines say nothing about such a call. The latest is the one that began last, whatever is still
 * said about earlier ones; an id that several sessions used means the newest of them. The lines are gone through once.
 */
export async function accountOfCall(
  lines: AsyncIterable<JournalLine> | Iterable<JournalLine>,
  which: WhichCall,
): Promise<CallAccount | undefined> {
  /** In the order in which calls began. */
  const calls = new Map<string, (DispatchLine | GateLine)[]>();
  /** What hooks in the background came to, by dispatch. */
  const late = new Map<string, JournaledHook[]>();
  for await (const line of lines) {
    if (line.kind !== 'dispatch' && line.kind !== 'gate') continue;
    if (line.call === undefined) {
      if (line.kind === 'dispatch') late.get(line.dispatch)?.push(...line.hooks);
      continue;
    }
    if (which.kind === 'id' && line.call !== which.id) continue;
    const key = `${line.session}\n${line.call}`;
    calls.set(key, [...(calls.get(key) ?? []), line]);
    if (line.kind === 'dispatch') late.set(line.dispatch, []);
    forgetOldest(calls);
    forgetOldest(late);
  }
  const about = [...calls.values()].at(-1);
  return about === undefined ? undefined : account(about, late);
}

/** Calls that are still being written about are few; a journal can hold very many. */
const mostKept = 1_000;

function forgetOldest(kept: Map<string, unknown>): void {
  const [oldest] = kept.keys();
  if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
}

function account(
  about: readonly (DispatchLine | GateLine)[],
  late: ReadonlyMap<string, readonly JournaledHook[]>,
): CallAccount | undefined {
  const [first] = about;
  if (first === undefined) return undefined;
  return {
    call: first.call ?? '',
    tool: first.tool ?? '',
    session: first.session,
    agent: first.agent,
    time: first.time,
    dispatches: about.flatMap((line) =>
      line.kind === 'dispatch' ? [asked(line, late.get(line.dispatch) ?? [])] : [],
    ),
    gates: about.flatMap((line) =>
      line.kind === 'gate' ? [{ decision: line.decision, by: line.by, time: line.time }] : [],
    ),
  };
}

function asked(line: DispatchLine, late: readonly JournaledHook[]): CallDispatch {
  const { event, time, verdict, ms, revision = 0, hooks } = line;
  return { event, time, verdict, ms, revision, hooks: hooks.map((hook) => ended(hook, late)) };
}

/** A hook in the background is journaled when it started and when it ended; the second line has its outcome. */
function ended(hook: JournaledHook, late: readonly JournaledHook[]): JournaledHook {
  return late.find(({ id, source }) => id === hook.id && source === hook.source) ?? hook;
}

/** The kinds of lines an account is made of, so that a reader can spare itself the others. */
export const accountKinds = ['dispatch', 'gate'] as const satisfies readonly JournalEntry['kind'][];
