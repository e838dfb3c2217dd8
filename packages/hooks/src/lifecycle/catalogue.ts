// The eleven lifecycle events. Listeners are told of them and change nothing; they carry no conversation content.

/** The values an event may carry beside event, session, agent and time. Every other value is the empty string. */
export type LifecycleField = 'turn' | 'tool' | 'reason' | 'message' | 'error';

export interface LifecycleEventDefinition {
  /** When it is published, in one sentence. */
  readonly summary: string;
  readonly carries: readonly LifecycleField[];
  /** The values `reason` takes; empty where the event has none. */
  readonly reasons: readonly string[];
  readonly since: string;
}

export const lifecycleCatalogue = {
  session_start: {
    summary: 'A conversation opened; a second tab is a second session.',
    carries: ['reason'],
    reasons: ['startup', 'resume', 'clear'],
    since: '0.1.0',
  },
  session_end: {
    summary: 'The conversation closed, as its last event.',
    carries: ['reason', 'error'],
    reasons: ['exit', 'closed', 'clear', 'resume', 'signal', 'error', 'crashed'],
    since: '0.1.0',
  },
  run_start: {
    summary: 'A prompt was submitted and accepted.',
    carries: [],
    reasons: [],
    since: '0.1.0',
  },
  run_end: {
    summary: 'The run ended: with the final answer, an error or an interrupt.',
    carries: ['reason', 'error'],
    reasons: ['completed', 'error', 'interrupted'],
    since: '0.1.0',
  },
  turn_start: {
    summary: 'One model call inside a run begins.',
    carries: ['turn'],
    reasons: [],
    since: '0.1.0',
  },
  tool_start: {
    summary: 'A tool call that passed the gate begins.',
    carries: ['turn', 'tool'],
    reasons: [],
    since: '0.1.0',
  },
  tool_result: {
    summary: 'The tool call ended; the error says whether it failed, not what it returned.',
    carries: ['turn', 'tool', 'error'],
    reasons: [],
    since: '0.1.0',
  },
  blocked: {
    summary: 'An agent waits for a human: an approval prompt or a question is open.',
    carries: ['turn', 'tool', 'reason', 'message'],
    reasons: ['approval', 'question'],
    since: '0.1.0',
  },
  unblocked: {
    summary: 'The prompt was answered or went away.',
    carries: ['turn', 'tool', 'reason'],
    reasons: ['approved', 'denied', 'answered', 'interrupted', 'closed'],
    since: '0.1.0',
  },
  paused: {
    summary: 'The loop is held at a turn boundary.',
    carries: ['turn', 'reason'],
    reasons: ['user'],
    since: '0.1.0',
  },
  resumed: {
    summary: 'The held loop was let go again.',
    carries: ['turn', 'reason'],
    reasons: ['user'],
    since: '0.1.0',
  },
} as const satisfies Record<string, LifecycleEventDefinition>;

export type LifecycleEventName = keyof typeof lifecycleCatalogue;

export const lifecycleEventNames = Object.keys(lifecycleCatalogue) as LifecycleEventName[];

/** One published event. Every value is a string, empty where the event has none, so that JSON and variables agree. */
export interface LifecycleEvent {
  readonly event: LifecycleEventName;
  readonly session: string;
  /** `main` or the agent's name, unique in the session. */
  readonly agent: string;
  /** Number of the model call in its run, from `1`. */
  readonly turn: string;
  readonly tool: string;
  readonly reason: string;
  readonly message: string;
  readonly error: string;
  /** ISO 8601 with milliseconds, UTC. */
  readonly time: string;
}
