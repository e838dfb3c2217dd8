// From a session's journal entries, one by one, to its spans: for a trace that is drawn and for one that is being sent.
import type { JournalEntry, JournaledHook } from '@codey/hooks';
import { factsOf, inOrder, type SpanState, stateOfDispatch, stateOfHook } from './hook-facts.ts';

export type SpanKind =
  | 'session'
  | 'run'
  /** A subagent or teammate, from its first turn until it may stop. */
  | 'agent'
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

/** An entry and when it was written, in milliseconds since 1970. */
export interface Timed<Kind extends JournalEntry['kind'] = JournalEntry['kind']> {
  readonly time: number;
  readonly entry: Extract<JournalEntry, { kind: Kind }>;
}

/** A span that may still grow. */
export interface ReadSpan {
  readonly kind: SpanKind;
  readonly name: string;
  readonly agent: string;
  readonly parent: ReadSpan | undefined;
  /** Milliseconds since 1970. */
  readonly start: number;
  /** Undefined until it ended. */
  readonly end: number | undefined;
  readonly state: SpanState;
  /** What else is known, as it is shown. */
  readonly facts: Readonly<Record<string, string>>;
  /** What became of the hook, of a span of that kind. */
  readonly hook?: JournaledHook;
}

export interface SpanReader {
  /** Returns the span that the entry is about, or happened in. Times may not go back by more than a dispatch took. */
  read(timed: Timed): ReadSpan;
  /** Nothing more will come: what is open ends here. */
  finish(time: number): void;
}

export interface SpanReaderPorts {
  readonly opened?: (span: ReadSpan) => void;
  /** Once for each span, parents behind their children: it ended, and nothing that is read later should change it. */
  readonly settled?: (span: ReadSpan) => void;
}

interface Draft extends ReadSpan {
  parent: Draft | undefined;
  start: number;
  end: number | undefined;
  state: SpanState;
  facts: Record<string, string>;
}

/** What is open of one agent. */
interface AgentState {
  /** Undefined for the main agent, which lives as long as the session. */
  life: Draft | undefined;
  turn: Draft | undefined;
  wait: Draft | undefined;
  /** Calls of the turn. */
  calls: Draft[];
  /** Calls whose tool has not started, and tools that have not ended, oldest first. */
  waiting: Draft[];
  running: Draft[];
}

/** Holds what is open, and of what is over the calls alone. The journal says of hooks how long they ran and not when they began. */
export function createSpanReader({ opened, settled }: SpanReaderPorts): SpanReader {
  const unsettled = new Set<Draft>();
  const agents = new Map<string, AgentState>();
  const calls = new Map<string, Draft>();
  let session: Draft | undefined;
  let over = false;
  let run: Draft | undefined;
  let pause: Draft | undefined;

  const open = (
    draft: Pick<Draft, 'kind' | 'name' | 'agent' | 'parent' | 'start'> & Partial<Draft>,
  ): Draft => {
    const made: Draft = { end: undefined, state: 'plain', facts: {}, ...draft };
    unsettled.add(made);
    opened?.(made);
    return made;
  };
  const settle = (draft: Draft): void => {
    if (unsettled.delete(draft)) settled?.(draft);
  };
  const close = (draft: Draft | undefined, time: number): void => {
    if (draft === undefined) return;
    draft.end ??= time;
    settle(draft);
  };
  const closeTurn = (state: AgentState, time: number): void => {
    for (const call of state.calls.splice(0)) if (call.end !== undefined) settle(call);
    close(state.turn, time);
    state.turn = undefined;
  };
  const closeAll = (time: number): void => {
    for (const draft of [...unsettled].reverse()) close(draft, time);
    run = undefined;
    pause = undefined;
    agents.clear();
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
  const stateOf = (agent: string): AgentState => {
    const state = agents.get(agent) ?? {
      life: undefined,
      turn: undefined,
      wait: undefined,
      calls: [],
      waiting: [],
      running: [],
    };
    agents.set(agent, state);
    return state;
  };
  const around = (agent: string, time: number): Draft => {
    const { turn, life } = stateOf(agent);
    return turn ?? life ?? (agent === 'main' ? run : undefined) ?? sessionAt(time);
  };

  function told({ entry, time }: Timed<'lifecycle'>): Draft {
    const { event, agent, tool, reason, error, message, turn } = entry;
    if (event === 'session_start') return note(sessionAt(time, true), { reason });
    const state = stateOf(agent);
    switch (event) {
      case 'session_end': {
        const ended = note(sessionAt(time), { ended: reason, error });
        closeAll(time);
        over = true;
        return ended;
      }
      case 'run_start':
        run = open({ kind: 'run', name: 'run', agent, parent: sessionAt(time), start: time });
        return run;
      case 'run_end': {
        closeTurn(state, time);
        if (run === undefined) return around(agent, time);
        const ended = note(run, { ended: reason, error });
        if (reason !== 'completed') ended.state = 'bad';
        close(ended, time);
        run = undefined;
        return ended;
      }
      case 'turn_start':
        closeTurn(state, time);
        if (agent !== 'main')
          state.life ??= open({ kind: 'agent', name: agent, agent, parent: sessionAt(time), start: time });
        state.turn = open({
          kind: 'turn',
          name: `turn ${turn}`,
          agent,
          parent: around(agent, time),
          start: time,
        });
        return state.turn;
      case 'tool_start': {
        const call = takeNamed(state.waiting, tool);
        const started = open({
          kind: 'tool',
          name: tool,
          agent,
          parent: call ?? around(agent, time),
          start: time,
        });
        state.running.push(started);
        return started;
      }
      case 'tool_result': {
        const ended = takeNamed(state.running, tool);
        if (ended === undefined) return around(agent, time);
        note(ended, { error });
        if (error !== '') ended.state = 'bad';
        close(ended, time);
        if (ended.parent?.kind === 'call') ended.parent.end = time;
        return ended;
      }
      case 'blocked': {
        const parent = state.waiting.findLast((call) => call.name === tool) ?? around(agent, time);
        const facts = { for: message };
        state.wait = open({ kind: 'wait', name: reason, agent, parent, start: time, facts });
        return state.wait;
      }
      case 'unblocked': {
        const { wait } = state;
        state.wait = undefined;
        if (wait === undefined) return around(agent, time);
        note(wait, { answer: reason });
        close(wait, time);
        return wait;
      }
      case 'paused':
        pause = open({ kind: 'pause', name: 'paused', agent, parent: run ?? sessionAt(time), start: time });
        return pause;
      case 'resumed': {
        const ended = pause ?? around(agent, time);
        close(pause, time);
        pause = undefined;
        return ended;
      }
    }
  }

  function asked(timed: Timed<'dispatch'>): Draft {
    const { entry, time } = timed;
    const start = time - entry.ms;
    const parent = parentOf(entry, start);
    if (parent.kind === 'call') parent.end = Math.max(parent.end ?? 0, time);
    const about = entry.hooks.length === 0 ? parent : openDispatch(timed, parent, start);
    if (entry.event === 'SubagentStop' && !keepsWorking.has(entry.verdict)) endAgent(entry.agent, time);
    return about;
  }

  function openDispatch({ entry, time }: Timed<'dispatch'>, parent: Draft, start: number): Draft {
    const { event, agent, verdict, hooks, revision } = entry;
    const state = stateOfDispatch(entry);
    const dispatch = open({ kind: 'dispatch', name: event, agent, parent, start, end: time, state });
    note(dispatch, {
      verdict: verdict === 'none' ? '' : verdict,
      changes: revision === undefined ? '' : String(revision),
    });
    let next = start;
    for (const hook of hooks) {
      const ms = hook.ms ?? 0;
      const begun = inOrder(event) ? next : start;
      const made = open({
        kind: 'hook',
        name: hook.source,
        agent,
        parent: dispatch,
        start: begun,
        end: begun + ms,
        state: stateOfHook(hook),
        facts: factsOf(hook),
        hook,
      });
      settle(made);
      next += ms;
    }
    settle(dispatch);
    return dispatch;
  }

  /** The call an event is about begins with the first question about it. */
  function parentOf({ event, call, tool = '', agent }: Timed<'dispatch'>['entry'], start: number): Draft {
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
    const state = stateOf(agent);
    state.calls.push(made);
    state.waiting.push(made);
    return made;
  }

  function gated({ entry: { call, agent, decision, by }, time }: Timed<'gate'>): Draft {
    const about = calls.get(call);
    if (about === undefined) return around(agent, time);
    note(about, { [decision]: by });
    if (decision === 'allowed') return about;
    about.state = 'bad';
    const { waiting } = stateOf(agent);
    if (waiting.includes(about)) waiting.splice(waiting.indexOf(about), 1);
    return about;
  }

  function endAgent(agent: string, time: number): void {
    const state = agents.get(agent);
    if (state?.life === undefined) return;
    closeTurn(state, time);
    close(state.life, time);
    agents.delete(agent);
  }

  return {
    read({ entry, time }) {
      switch (entry.kind) {
        case 'lifecycle':
          return told({ entry, time });
        case 'dispatch':
          return asked({ entry, time });
        case 'gate':
          return gated({ entry, time });
        case 'hook_error':
        case 'notice':
          return around('main', time);
      }
    },
    finish: closeAll,
  };
}

/** Asked before `session_start` is told. */
const opensSession: ReadonlySet<string> = new Set(['Setup', 'InstructionsLoaded', 'SessionStart']);

/** What SubagentStop hooks say to an agent that may not stop yet. */
const keepsWorking: ReadonlySet<string> = new Set(['deny', 'continue']);

/** The oldest of that name, out of the list. */
function takeNamed(spans: Draft[], name: string): Draft | undefined {
  const at = spans.findIndex((span) => span.name === name);
  return at === -1 ? undefined : spans.splice(at, 1)[0];
}

/** Facts without a value are no facts. */
function note(draft: Draft, facts: Readonly<Record<string, string>>): Draft {
  for (const [name, value] of Object.entries(facts)) if (value !== '') draft.facts[name] = value;
  return draft;
}
