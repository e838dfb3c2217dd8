// Who is at work beside the main agent, who started whom, and what came of it.
import type { AgentResult } from './result.ts';
import { sayResult } from './result.ts';

/** `idle`: a teammate that waits for something to do. The last four are of an agent that is gone. */
export type AgentState = 'working' | 'idle' | 'done' | 'withheld' | 'failed' | 'cancelled';

/** What people see of one agent. */
export interface AgentStatus {
  readonly name: string;
  readonly type: string;
  /** Who gets its result; passed on to the next higher one where that agent is gone. */
  readonly parent: string;
  /** Of a teammate. */
  readonly team?: string;
  readonly state: AgentState;
  /** First line of what it is to do. */
  readonly task: string;
  /** Where it works, if not where its parent does. */
  readonly worktree?: string;
  /** First line of what came of it; empty while it works. */
  readonly outcome: string;
  /** Of an idle teammate: what it did last failed. */
  readonly failed?: true;
}

/** A result as it is handed over. */
export interface Returned {
  readonly name: string;
  readonly text: string;
  readonly failed: boolean;
}

export type Waited =
  | { readonly kind: 'returned'; readonly returned: Returned }
  /** Its result was handed over before, here or as context. */
  | { readonly kind: 'given' }
  | { readonly kind: 'working' }
  | { readonly kind: 'unknown'; readonly known: readonly string[] };

export interface Joining {
  readonly name: string;
  readonly type: string;
  readonly parent: string;
  readonly team?: string;
  readonly task: string;
  readonly worktree?: string;
  readonly cancel: () => void;
}

export interface Roster {
  join(agent: Joining): void;
  /** A teammate's run begins or ends; `outcome` is what it said last. */
  turn(name: string, state: 'working' | 'idle', outcome?: Returned): void;
  /** The agent is gone: its result waits to be handed over, and what it started belongs to its parent now. */
  leave(name: string, result: AgentResult, notes: readonly string[]): void;
  /** Waits until `name` has something to hand over to `to`, the time is up or the signal fires. */
  wait(name: string, to: string, withinMs: number, signal: AbortSignal): Promise<Waited>;
  /** Everything that waits for `to`, which counts as handed over with this call. */
  take(to: string): readonly Returned[];
  /** Ends an agent with all it started; false for one that is not there. */
  cancel(name: string): boolean;
  cancelAll(): void;
  /** In the order they were started; of those that are gone the latest hundred. */
  list(): readonly AgentStatus[];
  working(): number;
  /** Whether an agent of that name is at work or idle. */
  isThere(name: string): boolean;
  /** Resolves when none is working, or when the signal fires. */
  settled(signal: AbortSignal): Promise<void>;
  /** Told of each agent whenever something about it changes. */
  watch(told: (status: AgentStatus) => void): () => void;
}

interface Entry {
  cancel: () => void;
  status: AgentStatus;
  gone: boolean;
  /** Let go once handed over: fifty results would otherwise stay in memory as long as the session. */
  waiting?: Returned;
}

const goneKept = 100;

export function createRoster(): Roster {
  const entries = new Map<string, Entry>();
  const watchers = new Set<(status: AgentStatus) => void>();
  const wakers = new Set<() => void>();

  function change(entry: Entry, status: Partial<AgentStatus>): void {
    entry.status = { ...entry.status, ...status };
    for (const watcher of watchers) watcher(entry.status);
    for (const wake of wakers) wake();
  }

  function hand(entry: Entry): Returned | undefined {
    const { waiting } = entry;
    delete entry.waiting;
    forget();
    return waiting;
  }

  /** Only what was handed over: a result nobody asked for yet is not lost to newer ones. */
  function forget(): void {
    const old = [...entries].filter(([, { gone, waiting }]) => gone && waiting === undefined);
    for (const [name] of old.slice(0, Math.max(0, old.length - goneKept))) entries.delete(name);
  }

  /** Resolves when something changed, or the signal fired. */
  function changed(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        wakers.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      wakers.add(wake);
      signal.addEventListener('abort', wake);
      if (signal.aborted) wake();
    });
  }

  const childrenOf = (name: string): readonly Entry[] =>
    [...entries.values()].filter(({ status }) => status.parent === name);

  const working = (): number =>
    [...entries.values()].filter(({ status }) => status.state === 'working').length;

  function look(name: string, to: string): Waited {
    const entry = entries.get(name);
    if (entry === undefined || entry.status.parent !== to)
      return { kind: 'unknown', known: childrenOf(to).map(({ status }) => status.name) };
    if (entry.status.state === 'working') return { kind: 'working' };
    const returned = hand(entry);
    return returned === undefined ? { kind: 'given' } : { kind: 'returned', returned };
  }

  function cancel(name: string): boolean {
    const entry = entries.get(name);
    if (entry === undefined || entry.gone) return false;
    for (const { status } of childrenOf(name)) cancel(status.name);
    entry.cancel();
    return true;
  }

  return {
    join({ cancel: end, ...agent }) {
      const status: AgentStatus = { ...agent, task: firstLine(agent.task), state: 'working', outcome: '' };
      const entry: Entry = { cancel: end, status, gone: false };
      entries.set(agent.name, entry);
      change(entry, {});
    },
    turn(name, state, outcome) {
      const entry = entries.get(name);
      if (entry === undefined || entry.gone) return;
      if (outcome !== undefined) entry.waiting = outcome;
      const { failed: _before, ...status } = entry.status;
      entry.status = status;
      change(entry, {
        state,
        ...(outcome !== undefined && { outcome: firstLine(outcome.text) }),
        ...(outcome?.failed === true && { failed: true }),
      });
    },
    leave(name, result, notes) {
      const entry = entries.get(name);
      if (entry === undefined || entry.gone) return;
      const { parent } = entry.status;
      for (const child of childrenOf(name)) change(child, { parent });
      const text = sayResult(name, result, notes);
      entry.gone = true;
      // It held the agent with all it said.
      entry.cancel = () => {};
      entry.waiting = { name, text, failed: result.kind !== 'answer' };
      change(entry, { state: result.kind === 'answer' ? 'done' : result.kind, outcome: firstLine(text) });
    },
    async wait(name, to, withinMs, signal) {
      const timeUp = AbortSignal.timeout(withinMs);
      const until = AbortSignal.any([signal, timeUp]);
      for (;;) {
        const seen = look(name, to);
        if (seen.kind !== 'working' || until.aborted) return seen;
        await changed(until);
      }
    },
    take: (to) => childrenOf(to).flatMap((entry) => hand(entry) ?? []),
    cancel,
    cancelAll() {
      for (const name of entries.keys()) cancel(name);
    },
    list: () => [...entries.values()].map(({ status }) => status),
    working,
    isThere: (name) => entries.get(name)?.gone === false,
    async settled(signal) {
      while (working() > 0 && !signal.aborted) await changed(signal);
    },
    watch(told) {
      watchers.add(told);
      return () => void watchers.delete(told);
    },
  };
}

function firstLine(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  const short = line.length > 100 ? `${line.slice(0, 99)}…` : line;
  // Copied: a piece cut out of a long text keeps all of that text in memory.
  return Buffer.from(short).toString();
}
