// One tab: what its session told so far. Pure; the session itself is elsewhere.
import type { AgentStatus, Message, RunOutcome, SessionEvent } from '@codey/agent';
import type { HookNotice, JournalEntry, PermissionMode } from '@codey/hooks';
import type { Tone } from './block.ts';
import { type HookRun, type LastRun, noteDispatch } from './hook-runs.ts';
import type { OpenPrompt } from './prompt.ts';
import {
  addBlock,
  addDispatch,
  addEvent,
  addNotice,
  changeShell,
  emptyTranscript,
  endRunning,
  type Transcript,
  transcriptOf,
} from './transcript.ts';

/** What does not change by itself while a session is open. */
export interface SessionFacts {
  readonly id: string;
  readonly name?: string;
  readonly model: string;
  readonly contextWindow?: number;
  /** Absolute. */
  readonly root: string;
  readonly cwd: string;
  readonly mode: PermissionMode;
}

export interface TokenCount {
  readonly input: number;
  readonly output: number;
  /** Of the last model call: how full the context is. */
  readonly lastInput: number;
}

export type Pausing = 'no' | 'asked' | 'held';

export interface Tab {
  /** Counts from 1 and is never used again. */
  readonly key: number;
  readonly phase: 'opening' | 'open' | 'closing' | 'closed';
  readonly facts?: SessionFacts;
  readonly transcript: Transcript;
  /** The run under way: since when, and in which turn. */
  readonly run?: { readonly since: number; readonly turn: number };
  readonly pausing: Pausing;
  readonly prompts: readonly OpenPrompt[];
  /** Prompts of the user that wait for the end of the run. */
  readonly queue: readonly string[];
  readonly tokens: TokenCount;
  /** Those beside the main one that are still there. */
  readonly agents: readonly AgentStatus[];
  readonly hooks: {
    readonly running: readonly HookRun[];
    /** By hook id. */
    readonly last: ReadonlyMap<string, LastRun>;
  };
  /** Something was added since the tab was last looked at. */
  readonly unread: boolean;
}

export type TabEvent =
  | {
      readonly kind: 'opened';
      readonly facts: SessionFacts;
      readonly history: readonly Message[];
      readonly tokens: TokenCount;
    }
  | { readonly kind: 'facts'; readonly facts: SessionFacts }
  | { readonly kind: 'phase'; readonly phase: Tab['phase'] }
  | { readonly kind: 'session'; readonly event: SessionEvent; readonly before?: string }
  | { readonly kind: 'journal'; readonly entry: JournalEntry }
  | { readonly kind: 'hook-notice'; readonly notice: HookNotice }
  | { readonly kind: 'hook-started'; readonly run: HookRun }
  | { readonly kind: 'hook-ended'; readonly runId: string }
  | { readonly kind: 'submitted'; readonly text: string }
  | { readonly kind: 'run-ended'; readonly outcome: RunOutcome }
  | { readonly kind: 'queued'; readonly text: string }
  /** The first ones of the queue are sent, or given back to whoever wrote them. */
  | { readonly kind: 'unqueued'; readonly count: number }
  | { readonly kind: 'pausing'; readonly pausing: Pausing }
  | { readonly kind: 'prompt-opened'; readonly prompt: OpenPrompt }
  | { readonly kind: 'prompt-changed'; readonly prompt: OpenPrompt }
  | { readonly kind: 'prompt-closed'; readonly key: number }
  | { readonly kind: 'said'; readonly tone: Tone; readonly text: string }
  | { readonly kind: 'replied'; readonly title: string; readonly text: string }
  | { readonly kind: 'agent'; readonly status: AgentStatus }
  | { readonly kind: 'shell'; readonly line: string }
  | { readonly kind: 'shell-output'; readonly key: number; readonly output: string; readonly ended?: string }
  | { readonly kind: 'looked-at' };

export function newTab(key: number): Tab {
  return {
    key,
    phase: 'opening',
    transcript: emptyTranscript,
    pausing: 'no',
    prompts: [],
    queue: [],
    tokens: { input: 0, output: 0, lastInput: 0 },
    agents: [],
    hooks: { running: [], last: new Map() },
    unread: false,
  };
}

/** `at` in milliseconds of the screen's clock. */
export function reduceTab(tab: Tab, event: TabEvent, at: number): Tab {
  const next = apply(tab, event, at);
  return next.transcript !== tab.transcript ? { ...next, unread: true } : next;
}

function apply(tab: Tab, event: TabEvent, at: number): Tab {
  const { transcript } = tab;
  switch (event.kind) {
    case 'opened':
      return {
        ...tab,
        phase: 'open',
        facts: event.facts,
        tokens: event.tokens,
        transcript:
          event.history.length === 0 ? transcript : prepend(transcriptOf(event.history), transcript),
      };
    case 'facts':
      return { ...tab, facts: event.facts };
    case 'phase':
      return { ...tab, phase: event.phase };
    case 'session':
      return {
        ...tab,
        transcript: addEvent(transcript, event.event, at, event.before),
        tokens: event.event.kind === 'answer' ? countTokens(tab.tokens, event.event.usage) : tab.tokens,
      };
    case 'journal':
      return applyJournal(tab, event.entry, at);
    case 'hook-notice':
      return { ...tab, transcript: addHookNotice(transcript, event.notice) };
    case 'hook-started':
      return { ...tab, hooks: { ...tab.hooks, running: [...tab.hooks.running, event.run] } };
    case 'hook-ended':
      return {
        ...tab,
        hooks: { ...tab.hooks, running: tab.hooks.running.filter(({ runId }) => runId !== event.runId) },
      };
    case 'submitted':
      return {
        ...tab,
        run: { since: at, turn: 0 },
        transcript: addBlock(transcript, { kind: 'prompt', text: event.text }),
      };
    case 'run-ended':
      return endRun(tab, event.outcome, at);
    case 'queued':
      return { ...tab, queue: [...tab.queue, event.text] };
    case 'unqueued':
      return { ...tab, queue: tab.queue.slice(event.count) };
    case 'pausing':
      return { ...tab, pausing: event.pausing };
    case 'prompt-opened':
      return { ...tab, prompts: [...tab.prompts, event.prompt] };
    case 'prompt-changed':
      return {
        ...tab,
        prompts: tab.prompts.map((prompt) => (prompt.key === event.prompt.key ? event.prompt : prompt)),
      };
    case 'prompt-closed':
      return { ...tab, prompts: tab.prompts.filter(({ key }) => key !== event.key) };
    case 'said':
      return { ...tab, transcript: addNotice(transcript, event.tone, event.text) };
    case 'replied':
      return {
        ...tab,
        transcript: addBlock(transcript, { kind: 'reply', title: event.title, text: event.text }),
      };
    case 'agent':
      return noteAgent(tab, event.status, at);
    case 'shell':
      return {
        ...tab,
        transcript: addBlock(transcript, { kind: 'shell', line: event.line, startedAt: at, output: '' }),
      };
    case 'shell-output':
      return { ...tab, transcript: changeShell(transcript, event.key, event) };
    case 'looked-at':
      return tab.unread ? { ...tab, unread: false } : tab;
  }
}

/** Lifecycle events say what the run does; dispatches what hooks did. */
function applyJournal(tab: Tab, entry: JournalEntry, at: number): Tab {
  if (entry.kind === 'dispatch') {
    const last = noteDispatch(tab.hooks.last, entry, at);
    return { ...tab, transcript: addDispatch(tab.transcript, entry), hooks: { ...tab.hooks, last } };
  }
  if (entry.kind !== 'lifecycle' || entry.agent !== 'main') return tab;
  switch (entry.event) {
    case 'turn_start':
      return { ...tab, run: { since: tab.run?.since ?? at, turn: Number(entry.turn) } };
    case 'paused':
      return { ...tab, pausing: 'held' };
    case 'resumed':
      return { ...tab, pausing: 'no' };
    default:
      return tab;
  }
}

function addHookNotice(transcript: Transcript, notice: HookNotice): Transcript {
  switch (notice.kind) {
    case 'failure':
      return addNotice(transcript, 'error', notice.sentence);
    case 'held-back':
      return addNotice(transcript, 'warning', notice.sentence);
    case 'message':
      return addNotice(transcript, 'plain', `${notice.text} (${notice.hook})`);
  }
}

/** What an agent that works no more left running is over with it. */
function noteAgent(tab: Tab, status: AgentStatus, at: number): Tab {
  const others = tab.agents.filter(({ name }) => name !== status.name);
  const isThere = status.state === 'working' || status.state === 'idle';
  const { transcript } = tab;
  return {
    ...tab,
    agents: isThere ? [...others, status] : others,
    transcript:
      status.state === 'working' ? transcript : endRunning(transcript, at, (agent) => agent === status.name),
  };
}

function endRun(tab: Tab, outcome: RunOutcome, at: number): Tab {
  const { run: _over, ...rest } = tab;
  const working = tab.agents.filter(({ state }) => state === 'working').map(({ name }) => name);
  const ended = endRunning(tab.transcript, at, (agent) => !working.includes(agent));
  const said = sayEnd(outcome);
  return {
    ...rest,
    // One that was only asked for holds the next run before its first turn.
    pausing: tab.pausing === 'held' ? 'no' : tab.pausing,
    transcript: said === undefined ? ended : addNotice(ended, said.tone, said.text),
  };
}

/** Undefined for a run that speaks for itself. */
export function sayEnd({
  stop,
  error,
}: RunOutcome): { readonly tone: Tone; readonly text: string } | undefined {
  switch (stop) {
    case 'completed':
      return undefined;
    case 'interrupted':
      return { tone: 'plain', text: 'Interrupted. Say what to do instead.' };
    case 'prompt_blocked':
      return { tone: 'error', text: `The prompt was refused: ${error}` };
    case 'stop_blocked':
      return { tone: 'error', text: `A Stop hook ended the run: ${error}` };
    case 'halted':
      return { tone: 'error', text: `A hook ended the run: ${error}` };
    case 'error':
    case 'max_turns':
    case 'stop_hook_limit':
      return { tone: 'error', text: error };
  }
}

function countTokens(
  tokens: TokenCount,
  usage: { readonly input: number; readonly output: number },
): TokenCount {
  return {
    input: tokens.input + usage.input,
    output: tokens.output + usage.output,
    lastInput: usage.input,
  };
}

/** What was said while the session opened stands behind the conversation it opened again. */
function prepend(history: Transcript, said: Transcript): Transcript {
  return said.blocks.reduce((folded, block) => addBlock(folded, block), history);
}
