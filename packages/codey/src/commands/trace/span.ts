// A session as spans of time, one inside the other: what every form of a trace is drawn from.

import type { SpanState } from '../../trace/hook-facts.ts';
import type { SpanKind } from '../../trace/read-spans.ts';

export interface Span {
  /** Its place in the list. */
  readonly id: number;
  /** Always before it in the list; null for a session. */
  readonly parent: number | null;
  readonly kind: SpanKind;
  readonly name: string;
  readonly agent: string;
  /** Milliseconds since the trace began. */
  readonly start: number;
  readonly end: number;
  /** It had not ended when the journal did; in a live session it still runs. */
  readonly open: boolean;
  readonly state: SpanState;
  /** What else is known, as it is shown. */
  readonly facts: Readonly<Record<string, string>>;
}

export interface Trace {
  readonly session: string;
  /** Real path of the project. */
  readonly root: string;
  /** ISO 8601, UTC. */
  readonly started: string;
  readonly ms: number;
  /** A process has the session open: its open spans reach to the moment of the trace. */
  readonly live: boolean;
  /** In the order of a reader: each span before its children, those by when they began. */
  readonly spans: readonly Span[];
}
