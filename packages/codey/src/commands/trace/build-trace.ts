// From the journal's lines of one session to its spans. Pure.
import { type JournaledHook, type JournalLine, lifecycleEventNames, policyCatalogue } from '@codey/hooks';
import { orderSpans } from './order-spans.ts';
import type { Span, SpanKind, SpanState, Trace } from './span.ts';

type Line<Kind extends JournalLine['kind']> = Extract<JournalLine, { kind: Kind }>;

/** A span that may still grow. */
interface Draft {
  kind: SpanKind;
  name: string;
  agent: string;
  parent: Draft | undefined;
  start: number;
  end: number | undefined;
  state: SpanState;
  facts: Record<string, string>;
}

/** What is open of one agent. */
interface AgentState {
  turn: Draft | undefined;
  wait: Draft | undefined;
  /** Calls whose tool has not started, and tools that have not ended, oldest first. */
  waiting: Draft[];
  running: Draft[];
}

/** Undefined where there are no lines. The journal says of hooks how long they ran and not when they began. */
export function buildTrace(lines: Iterable<JournalLine>, root: string): Trace | undefined {
  const drafts: Draft[] = [];
  const agents = new Map<string, AgentState>();
  const calls = new Map<string, Draft>();
  let session: Draft | undefined;
  let over = false;
  let run: Draft | undefined;
  let pause: Draft | undefined;
  let first: JournalLine | undefined;
  let last = 0;

  const stateOf = (agent: string): AgentState => {
    const known = agents.get(agent) ?? { turn: undefined, wait: undefined, waiting: [], running: [] };
    agents.set(agent, known);
    return known;
  };
  const open = (
    draft: Pick<Draft, 'kind' | 'name' | 'agent' | 'parent' | 'start'> & Partial<Draft>,
  ): Draft => {
    const made: Draft = { end: undefined, state: 'plain', facts: {}, ...draft };
    drafts.push(made);
    return made;
  };
  /**
   * Hooks that decide whether a session opens are asked before it does, and those in the background may end after it did.
   * One that is reopened is a span of its own.
   */
  const sessionAt = (time: number, opening = false): Draft => {
    if (over && opening) session = undefined;
    if (session === undefined) {
      session = open({ kind: 'session', name: 'session', agent: 'main', parent: undefined, start: time });
      over = false;
    }
    session.start = Math.min(session.start, time);
    return session;
  };
  const around = (agent: string, time: number): Draft =>
    stateOf(agent).turn ?? (agent === 'main' ? run : undefined) ?? sessionAt(time);

  function told(line: Line<'lifecycle'>, time: number): void {
    const { event, agent, tool, reason, error, message } = line;
    const state = stateOf(agent);
    switch (event) {
      case 'session_start':
        note(sessionAt(time, true), { reason });
        break;
      case 'session_end':
        for (const draft of drafts) draft.end ??= time;
        note(sessionAt(time), { ended: reason, error });
        over = true;
        run = undefined;
        agents.clear();
        break;
      case 'run_start':
        run = open({ kind: 'run', name: 'run', agent, parent: sessionAt(time), start: time });
        break;
      case 'run_end':
        close(state.turn, time);
        state.turn = undefined;
        if (run !== undefined) note(close(run, time), { ended: reason, error });
        if (run !== undefined && reason !== 'completed') run.state = 'bad';
        run = undefined;
        break;
      case 'turn_start':
        close(state.turn, time);
        state.turn = undefined;
        state.turn = open({
          kind: 'turn',
          name: `turn ${line.turn}`,
          agent,
          parent: around(agent, time),
          start: time,
        });
        break;
      case 'tool_start': {
        const at = state.waiting.findIndex((call) => call.name === tool);
        const [call] = at === -1 ? [] : state.waiting.splice(at, 1);
        state.running.push(
          open({ kind: 'tool', name: tool, agent, parent: call ?? around(agent, time), start: time }),
        );
        break;
      }
      case 'tool_result': {
        const at = state.running.findIndex((running) => running.name === tool);
        const [ended] = at === -1 ? [] : state.running.splice(at, 1);
        if (ended === undefined) break;
        note(close(ended, time), { error });
        if (error !== '') ended.state = 'bad';
        if (ended.parent?.kind === 'call') ended.parent.end = time;
        break;
      }
      case 'blocked': {
        const parent = state.waiting.findLast((call) => call.name === tool) ?? around(agent, time);
        state.wait = open({
          kind: 'wait',
          name: reason,
          agent,
          parent,
          start: time,
          facts: { for: message },
        });
        break;
      }
      case 'unblocked':
        if (state.wait !== undefined) note(close(state.wait, time), { answer: reason });
        state.wait = undefined;
        break;
      case 'paused':
        pause = open({ kind: 'pause', name: 'paused', agent, parent: run ?? sessionAt(time), start: time });
        break;
      case 'resumed':
        close(pause, time);
        pause = undefined;
        break;
    }
  }

  function asked(line: Line<'dispatch'>, time: number): void {
    const start = time - line.ms;
    const parent = parentOf(line, start);
    if (parent.kind === 'call') parent.end = Math.max(parent.end ?? 0, time);
    if (line.hooks.length === 0) return;
    const { event, agent, verdict, hooks, revision } = line;
    const dispatch = open({
      kind: 'dispatch',
      name: event,
      agent,
      parent,
      start,
      end: time,
      state: stateOfDispatch(line),
    });
    note(dispatch, {
      verdict: verdict === 'none' ? '' : verdict,
      changes: revision === undefined ? '' : String(revision),
    });
    let next = start;
    for (const hook of hooks) {
      const ms = hook.ms ?? 0;
      const begun = inOrder(event) ? next : start;
      open({
        kind: 'hook',
        name: hook.source,
        agent,
        parent: dispatch,
        start: begun,
        end: begun + ms,
        state: stateOfHook(hook),
        facts: factsOf(hook),
      });
      next += ms;
    }
  }

  /** The call an event is about begins with the first question about it. */
  function parentOf({ event, call, tool = '', agent }: Line<'dispatch'>, start: number): Draft {
    if (opensSession.has(event)) return sessionAt(start, true);
    if (call === undefined) return around(agent, start);
    const known = calls.get(call);
    if (known !== undefined) return known;
    const made = open({
      kind: 'call',
      name: tool,
      agent,
      parent: around(agent, start),
      start,
      facts: { call },
    });
    calls.set(call, made);
    stateOf(agent).waiting.push(made);
    return made;
  }

  function gated({ call, agent, decision, by }: Line<'gate'>): void {
    const about = calls.get(call);
    if (about === undefined) return;
    note(about, { [decision]: by });
    if (decision === 'allowed') return;
    about.state = 'bad';
    const { waiting } = stateOf(agent);
    if (waiting.includes(about)) waiting.splice(waiting.indexOf(about), 1);
  }

  for (const line of lines) {
    first ??= line;
    const time = Date.parse(line.time);
    last = Math.max(last, time);
    switch (line.kind) {
      case 'lifecycle':
        told(line, time);
        break;
      case 'dispatch':
        asked(line, time);
        break;
      case 'gate':
        gated(line);
        break;
      case 'hook_error':
      case 'notice':
        break;
    }
  }
  return first === undefined ? undefined : finish(drafts, first, last, root);
}

/** Asked before `session_start` is told. */
const opensSession: ReadonlySet<string> = new Set(['Setup', 'InstructionsLoaded', 'SessionStart']);

function finish(drafts: readonly Draft[], first: JournalLine, last: number, root: string): Trace {
  const started = Math.min(
    ...drafts.filter(({ parent }) => parent === undefined).map(({ start }) => start),
    last,
  );
  const spans = orderSpans(drafts).map(({ item, id, parent }): Span => {
    const { kind, name, agent, state, facts } = item;
    const end = item.end ?? last;
    return {
      id,
      parent,
      kind,
      name,
      agent,
      start: round(item.start - started),
      end: round(Math.max(end, item.start) - started),
      open: item.end === undefined,
      state,
      facts,
    };
  });
  return {
    session: first.session,
    root,
    started: new Date(started).toISOString(),
    ms: round(last - started),
    spans,
  };
}

function close<D extends Draft | undefined>(draft: D, time: number): D {
  if (draft !== undefined) draft.end ??= time;
  return draft;
}

/** Facts without a value are no facts. */
function note(draft: Draft, facts: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(facts)) if (value !== '') draft.facts[name] = value;
}

function stateOfDispatch({ verdict, hooks }: Line<'dispatch'>): SpanState {
  if (verdict === 'deny' || verdict === 'halt' || verdict === 'cancelled') return 'bad';
  return hooks.every(({ outcome }) => outcome === 'skipped') ? 'quiet' : 'plain';
}

function stateOfHook({ outcome }: JournaledHook): SpanState {
  switch (outcome) {
    case 'skipped':
      return 'quiet';
    case 'blocked':
    case 'failed':
    case 'timed-out':
    case 'cancelled':
      return 'bad';
    case 'passed':
    case 'decided':
      return 'plain';
  }
}

function factsOf(hook: JournaledHook): Record<string, string> {
  const { id, scope, outcome, why, verdict, exit, note: remark } = hook;
  return {
    outcome: why === undefined ? outcome : `${outcome} (${why})`,
    ...(verdict !== undefined && { said: verdict }),
    ...(exit !== undefined && { exit: String(exit) }),
    ...(remark !== undefined && { note: remark }),
    scope,
    id,
  };
}

/** Whether the hooks of an event run one after another. */
function inOrder(event: string): boolean {
  if ((lifecycleEventNames as readonly string[]).includes(event)) return true;
  const known: Readonly<Record<string, { readonly groups: string }>> = policyCatalogue;
  return Object.hasOwn(known, event) && known[event]?.groups === 'in-order';
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}
