// A trace in the event format that Perfetto and other trace viewers open.
import type { Span, Trace } from './span.ts';

/** One row an agent; hooks that ran side by side get rows of their own, since rows of that format nest. */
export function perfettoTrace({ session, started, spans }: Trace): unknown {
  const rows = new Map<string, number>();
  const rowOf = (name: string): number => {
    const known = rows.get(name) ?? rows.size + 1;
    rows.set(name, known);
    return known;
  };
  const events = spans
    .filter(({ state, kind }) => kind !== 'hook' || state !== 'quiet')
    .map((span) => ({
      name: span.name,
      cat: span.kind,
      ph: 'X',
      ts: Math.round(span.start * 1000),
      dur: Math.round((span.end - span.start) * 1000),
      pid: 1,
      tid: rowOf(rowName(span)),
      args: span.facts,
    }));
  return {
    displayTimeUnit: 'ms',
    otherData: { session, started },
    traceEvents: [
      { name: 'process_name', ph: 'M', pid: 1, args: { name: `codey session ${session}` } },
      ...[...rows].map(([name, tid]) => ({ name: 'thread_name', ph: 'M', pid: 1, tid, args: { name } })),
      ...events,
    ],
  };
}

function rowName({ kind, agent, name }: Span): string {
  return kind === 'hook' ? `hooks: ${name}` : agent;
}
