// The eleven lifecycle events. Listeners are told of them and change nothing; they carry no conversation content.

/**
 * The values of one event, in the order of its JSON. `variable` is exported to commands behind `CODEY_` and `KODER_`.
 */
export const lifecycleValues = {
  event: { variable: 'HOOK_EVENT', summary: 'Name of the event.' },
  session: { variable: 'SESSION', summary: 'Id of the session.' },
  agent: {
    variable: 'AGENT',
    summary: '`main`, or the name of the subagent or teammate, unique in the session.',
  },
  turn: { variable: 'TURN', summary: 'Number of the model call in its run, from `1`; empty outside a run.' },
  tool: { variable: 'TOOL', summary: 'Name of the tool.' },
  reason: { variable: 'REASON', summary: 'Why it happened, one word from the list of the event.' },
  message: {
    variable: 'MESSAGE',
    summary: 'What is waited for, such as `bash: rm -rf build`: one line of at most 200 characters.',
  },
  error: {
    variable: 'ERROR',
    summary:
      'What went wrong: `failed`, `timed-out` or `cancelled` for a tool call, the sentence of the program or provider for a run or session; empty if nothing did.',
  },
  time: {
    variable: null,
    summary: 'When it was published: ISO 8601 with milliseconds, UTC. Only in the JSON.',
  },
} as const satisfies Record<string, { readonly variable: string | null; readonly summary: string }>;

export type LifecycleValue = keyof typeof lifecycleValues;

/** The values an event may carry beside event, session, agent and time. Every other value is the empty string. */
export type LifecycleField = Exclude<LifecycleValue, 'event' | 'session' | 'agent' | 'time'>;

export interface LifecycleEventDefinition {
  /** When it is published, in one sentence. */
  readonly summary: string;
  readonly carries: readonly LifecycleField[];
  /** The values `reason` takes; empty where the event has none. */
  readonly reasons: readonly string[];
  /** The values it carries, as a listener might see them. */
  readonly example: Readonly<Partial<Record<LifecycleField, string>>>;
  /** Version that introduced it. */
  readonly since: string;
}

/** Every event that is told, with its meaning and the values it carries. */
export const lifecycleCatalogue = {
  session_start: {
    summary: 'A conversation opened; a second tab is a second session.',
    carries: ['reason'],
    reasons: ['startup', 'resume', 'clear'],
    example: { reason: 'startup' },
    since: '0.1.0',
  },
  session_end: {
    summary: 'The conversation closed, as its last event.',
    carries: ['reason', 'error'],
    reasons: ['exit', 'closed', 'clear', 'resume', 'signal', 'error', 'crashed'],
    example: { reason: 'exit' },
    since: '0.1.0',
  },
  run_start: {
    summary: 'A prompt was submitted and accepted.',
    carries: [],
    reasons: [],
    example: {},
    since: '0.1.0',
  },
  run_end: {
    summary: 'The run ended: with the final answer, an error or an interrupt.',
    carries: ['reason', 'error'],
    reasons: ['completed', 'error', 'interrupted'],
    example: { reason: 'completed' },
    since: '0.1.0',
  },
  turn_start: {
    summary: 'One model call inside a run begins.',
    carries: ['turn'],
    reasons: [],
    example: { turn: '1' },
    since: '0.1.0',
  },
  tool_start: {
    summary: 'A tool call that passed the gate begins.',
    carries: ['turn', 'tool'],
    reasons: [],
    example: { turn: '1', tool: 'run_shell' },
    since: '0.1.0',
  },
  tool_result: {
    summary: 'The tool call ended; the error says whether it failed, not what it returned.',
    carries: ['turn', 'tool', 'error'],
    reasons: [],
    example: { turn: '1', tool: 'run_shell', error: 'failed' },
    since: '0.1.0',
  },
  blocked: {
    summary: 'An agent waits for a human: an approval prompt or a question is open.',
    carries: ['turn', 'tool', 'reason', 'message'],
    reasons: ['approval', 'question'],
    example: { turn: '1', tool: 'run_shell', reason: 'approval', message: 'bash: rm -rf build' },
    since: '0.1.0',
  },
  unblocked: {
    summary: 'The prompt was answered or went away.',
    carries: ['turn', 'tool', 'reason'],
    reasons: ['approved', 'denied', 'answered', 'interrupted', 'closed'],
    example: { turn: '1', tool: 'run_shell', reason: 'approved' },
    since: '0.1.0',
  },
  paused: {
    summary: 'The loop is held at a turn boundary.',
    carries: ['turn', 'reason'],
    reasons: ['user'],
    example: { turn: '2', reason: 'user' },
    since: '0.1.0',
  },
  resumed: {
    summary: 'The held loop was let go again.',
    carries: ['turn', 'reason'],
    reasons: ['user'],
    example: { turn: '2', reason: 'user' },
    since: '0.1.0',
  },
} as const satisfies Record<string, LifecycleEventDefinition>;

/** The name of an event that is told: `run_start`, `blocked` and so on. */
export type LifecycleEventName = keyof typeof lifecycleCatalogue;

/** All names, in the order of the catalogue. */
export const lifecycleEventNames = Object.keys(lifecycleCatalogue) as readonly LifecycleEventName[];

/** Case counts: `Blocked` is no event. */
export function isLifecycleEventName(text: string): text is LifecycleEventName {
  return Object.hasOwn(lifecycleCatalogue, text);
}

/** One published event. Every value is a string, empty where the event has none, so that JSON and variables agree. */
export interface LifecycleEvent extends Readonly<Record<Exclude<LifecycleValue, 'event'>, string>> {
  readonly event: LifecycleEventName;
}
