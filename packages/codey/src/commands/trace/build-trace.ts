// From the journal's lines of one session to its trace. Pure.
import type { JournalLine } from '@codey/hooks';
import { createSpanReader, type ReadSpan } from '../../trace/read-spans.ts';
import { orderSpans } from './order-spans.ts';
import type { Span, Trace } from './span.ts';

/** Undefined where there are no lines. `now`, in milliseconds since 1970, is given where the session still runs. */
export function buildTrace(lines: Iterable<JournalLine>, root: string, now?: number): Trace | undefined {
  const read: ReadSpan[] = [];
  const reader = createSpanReader({ opened: (span) => read.push(span) });
  let session: string | undefined;
  let last = 0;
  for (const line of lines) {
    session ??= line.session;
    const time = Date.parse(line.time);
    last = Math.max(last, time);
    reader.read({ entry: line, time });
  }
  if (session === undefined) return undefined;
  last = Math.max(last, now ?? 0);
  const started = Math.min(
    ...read.filter(({ parent }) => parent === undefined).map(({ start }) => start),
    last,
  );
  return {
    session,
    root,
    started: new Date(started).toISOString(),
    ms: round(last - started),
    live: now !== undefined,
    spans: orderSpans(read).map(({ item, id, parent }): Span => {
      const { kind, name, agent, start, end, state, facts } = item;
      return {
        id,
        parent,
        kind,
        name,
        agent,
        start: round(start - started),
        end: round(Math.max(end ?? last, start) - started),
        open: end === undefined,
        state,
        facts,
      };
    }),
  };
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}
