// What each kind of fault must come to, written down by hand: the one table the matrix is compared with.

export const handlerTypes = ['command', 'program', 'worker', 'http', 'prompt', 'agent', 'function'] as const;
/** A handler type of the settings; `program` is a command with `args`, started without a shell. */
export type FaultyType = (typeof handlerTypes)[number];

/** By what a hook's text on stdout and a block can do there. A new event finds its place here first. */
export const eventKinds = {
  /** A block stops something. */
  gate: [
    'PreToolUse',
    'PostToolUse',
    'PostToolUseFailure',
    'PermissionRequest',
    'Stop',
    'PreCompact',
    'InstructionsLoaded',
    'ConfigChange',
    'SubagentStart',
    'SubagentStop',
    'TaskCreated',
    'TaskCompleted',
    'TeammateIdle',
    'WorktreeCreate',
    'WorktreeRemove',
    'Elicitation',
    'ElicitationResult',
  ],
  /** A block stops something, and text is context for the model. */
  text: ['SessionStart', 'UserPromptSubmit'],
  /** There is nothing to stop: the host shows the verdict and goes on. */
  notice: [
    'PermissionDenied',
    'Notification',
    'SessionEnd',
    'StopFailure',
    'Setup',
    'PostCompact',
    'CwdChanged',
    'FileChanged',
  ],
} as const;
export type EventKind = keyof typeof eventKinds;

/** Outcome (with the cause of a failure) · verdict · verdict with `"onFailure": "block"` · context for the model. */
type Cell = readonly [outcome: string, verdict: string, strict: string, context?: 'context'];
/** One cell for all kinds of event, or one each where they differ. */
type Row = Cell | Readonly<Record<EventKind, Cell>>;
type ByType = Readonly<Partial<Record<FaultyType, Row>>>;

const passed: Cell = ['passed', 'none', 'none'];
const context: Cell = ['passed', 'none', 'none', 'context'];
const text: Row = { gate: passed, text: context, notice: passed };
const blocked: Cell = ['blocked', 'deny', 'deny'];
const timedOut: Cell = ['timed-out', 'none', 'deny'];
const failed = (cause: string): Cell => [`failed: ${cause}`, 'none', 'deny'];
/** Broken, but what could be read of it says no. */
const brokenNo = (cause: string): Cell => [`failed: ${cause}`, 'deny', 'deny'];

const processes = <T>(row: T) => ({ command: row, program: row, worker: row });
const models = <T>(row: T) => ({ prompt: row, agent: row });

export const faultTable = {
  passes: { ...processes(passed), http: passed, ...models(passed), function: passed },
  blocks: { ...processes(blocked), http: blocked, ...models(blocked), function: blocked },
  'says something that is no answer': {
    ...processes(text),
    http: text,
    ...models(failed('model')),
    function: failed('output'),
  },
  'fails in its own way': {
    ...processes(failed('exit-code')),
    http: failed('http-status'),
    ...models(failed('model')),
    function: failed('threw'),
  },
  'fails and says no': {
    command: brokenNo('exit-code'),
    program: brokenNo('exit-code'),
    http: failed('http-status'),
  },
  'may not be executed': processes(failed('not-executable')),
  'is not there': { ...processes(failed('missing')), http: failed('http-network') },
  'is killed': {
    command: failed('signal'),
    program: failed('signal'),
    worker: failed('worker'),
    http: failed('http-network'),
  },
  hangs: { ...processes(timedOut), http: timedOut, ...models(timedOut), function: timedOut },
  'ignores TERM': processes(timedOut),
  'hangs and has a daemon of its own session': processes(timedOut),
  'ends and leaves a daemon with its pipes': { ...processes(passed), http: timedOut },
  'closes stdin': { command: passed, program: passed, worker: timedOut, http: passed },
  'floods stdout': {
    command: failed('output'),
    program: failed('output'),
    worker: failed('worker'),
    http: failed('output'),
    ...models(failed('model')),
  },
  'floods stderr': processes(passed),
  'prints half an object': {
    command: failed('output'),
    program: failed('output'),
    worker: timedOut,
    http: failed('output'),
    ...models(failed('model')),
  },
  'prints wrong types': {
    command: failed('output'),
    program: failed('output'),
    worker: failed('worker'),
    http: failed('output'),
    ...models(failed('model')),
    function: failed('output'),
  },
  'prints a block beside wrong types': {
    ...processes(brokenNo('output')),
    http: brokenNo('output'),
    ...models(brokenNo('output')),
    function: failed('output'),
  },
  'prints invalid UTF-8 as text': { ...processes(text), http: text },
  'blocks in invalid UTF-8': { ...processes(blocked), http: blocked },
  'meets EAGAIN': processes(failed('spawn')),
  'meets ENOMEM': processes(failed('spawn')),
  'meets E2BIG': processes(failed('spawn')),
  'has no directory to run in': {
    ...processes(failed('cwd')),
    http: passed,
    ...models(passed),
    function: passed,
  },
} as const satisfies Readonly<Record<string, ByType>>;

export type FaultName = keyof typeof faultTable;
export const faultNames = Object.keys(faultTable) as readonly FaultName[];

/** Undefined where a handler of that type cannot have that fault. */
export function cellOf(fault: FaultName, type: FaultyType, kind: EventKind): Cell | undefined {
  const row: Row | undefined = (faultTable[fault] as ByType)[type];
  return row === undefined || Array.isArray(row)
    ? (row as Cell | undefined)
    : (row as Record<EventKind, Cell>)[kind];
}
