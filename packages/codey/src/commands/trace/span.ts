// A session as spans of time, one inside the other: what every form of a trace is drawn from.

export type SpanKind =
  | 'session'
  | 'run'
  | 'turn'
  /** One tool call, from the first question about it to the last. */
  | 'call'
  | 'tool'
  /** A person is waited for. */
  | 'wait'
  | 'pause'
  /** One event being asked or told. */
  | 'dispatch'
  | 'hook';

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
  /** It had not ended when the journal did. */
  readonly open: boolean;
  readonly state: SpanState;
  /** What else is known, as it is shown. */
  readonly facts: Readonly<Record<string, string>>;
}

/** How it came out: `bad` for denied, blocked, failed and timed out, `quiet` for what did not run. */
export type SpanState = 'plain' | 'bad' | 'quiet';

export interface Trace {
  readonly session: string;
  /** Real path of the project. */
  readonly root: string;
  /** ISO 8601, UTC. */
  readonly started: string;
  readonly ms: number;
  /** In the order of a reader: each span before its children, those by when they began. */
  readonly spans: readonly Span[];
}
