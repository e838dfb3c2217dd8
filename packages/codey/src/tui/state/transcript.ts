// What the conversation looks like so far, folded from the events of its session. Pure: the same events, the same blocks.
import type { Message, SessionEvent } from '@codey/agent';
import { isObject, type JournalEntry } from '@codey/hooks';
import type { Block, CallBlock, CallEnd, HookLine, Tone } from './block.ts';

export interface Transcript {
  readonly blocks: readonly Block[];
  /** What hooks said about calls that have no block yet, by call. */
  readonly early: ReadonlyMap<string, readonly HookLine[]>;
  readonly nextKey: number;
}

export const emptyTranscript: Transcript = { blocks: [], early: new Map(), nextKey: 1 };

/** Lines of a running command that are kept to be shown; its result holds them all. */
const tailLines = 5;
/** A line longer than this is no line to read while it passes. */
const longestTailLine = 1_000;

type DistributiveOmit<T, Key extends PropertyKey> = T extends unknown ? Omit<T, Key> : never;
type NewBlock = DistributiveOmit<Block, 'key'>;

export function addBlock(transcript: Transcript, block: NewBlock): Transcript {
  const { blocks, nextKey } = transcript;
  return { ...transcript, blocks: [...blocks, { ...block, key: nextKey }], nextKey: nextKey + 1 };
}

export function addNotice(transcript: Transcript, tone: Tone, text: string): Transcript {
  return addBlock(transcript, { kind: 'notice', tone, text });
}

/** `at` in milliseconds of the screen's clock; `before` is what the file of a writing call held. */
export function addEvent(
  transcript: Transcript,
  event: SessionEvent,
  at: number,
  before?: string,
): Transcript {
  switch (event.kind) {
    case 'text':
      return addText(transcript, 'answer', event.agent, event.text);
    case 'reasoning':
      return addText(transcript, 'reasoning', event.agent, event.text);
    case 'answer':
      return settle(transcript, event.agent, event.text);
    case 'turn':
      return settle(transcript, event.agent);
    case 'retry': {
      const dropped = dropUnfinished(transcript, event.agent);
      const seconds = Math.ceil(event.delayMs / 1_000);
      return addNotice(dropped, 'warning', `${event.message} · asking again in ${seconds} s`);
    }
    case 'overflow': {
      const dropped = dropUnfinished(transcript, event.agent);
      return addNotice(dropped, 'warning', `${event.message} · compacting the conversation`);
    }
    case 'gate':
      return addCall(transcript, event, at, { kind: 'held' });
    case 'call':
      return passGate(transcript, event, at, { kind: 'running' }, before);
    case 'denied':
      return passGate(transcript, event, at, { kind: 'denied', reason: event.reason });
    case 'invalid':
      return passGate(transcript, event, at, { kind: 'denied', reason: event.message });
    case 'progress':
      return changeCall(transcript, event.id, (call) => ({ ...call, tail: addTail(call.tail, event.text) }));
    case 'result':
      return changeCall(transcript, event.id, (call) => ({
        ...call,
        tail: [],
        end: {
          kind: 'done',
          output: event.output,
          failed: event.failed,
          ms: event.ms,
          ...(isSaidAbove(transcript, call, event.output) && { saidAbove: true }),
        },
      }));
    case 'notice':
      return addNotice(transcript, 'warning', event.text);
  }
}

function isSaidAbove({ blocks }: Transcript, { tool, input }: CallBlock, output: string): boolean {
  if (tool !== 'agent_result') return false;
  const said = blocks.findLast((block) => block.kind === 'answer' && block.agent === input.name);
  return said?.kind === 'answer' && said.text.trim() === output.trim();
}

/** Hooks that were asked about a call stand with it; of others only those that did something are worth a line. */
export function addDispatch(
  transcript: Transcript,
  entry: Extract<JournalEntry, { kind: 'dispatch' }>,
): Transcript {
  const lines = entry.hooks
    .filter((hook) => hook.outcome !== 'skipped')
    .map((hook): HookLine => ({ event: entry.event, hook }))
    .filter((line) => !isToldApart(line));
  if (lines.length === 0) return transcript;
  if (entry.call === undefined) {
    return lines
      .filter(isPlain)
      .reduce((folded, line) => addBlock(folded, { kind: 'hook', line }), transcript);
  }
  const { call } = entry;
  if (findCall(transcript, call) === -1) {
    const early = new Map(transcript.early).set(call, [...(transcript.early.get(call) ?? []), ...lines]);
    return { ...transcript, early };
  }
  return changeCall(transcript, call, (block) => ({ ...block, hooks: [...block.hooks, ...lines] }));
}

/** A failure has a sentence of its own, which says more. */
function isToldApart({ hook }: HookLine): boolean {
  return hook.outcome === 'failed' || hook.outcome === 'timed-out';
}

/** One that passed is quiet: it is counted, not named. */
export function isPlain({ hook }: HookLine): boolean {
  return hook.outcome !== 'passed' || hook.note !== undefined;
}

/** What is left running when the run of its agent is over will never end. */
export function endRunning(
  transcript: Transcript,
  at: number,
  isOver: (agent: string) => boolean,
): Transcript {
  if (!transcript.blocks.some((block) => isOpen(block) && isOver(block.agent))) return transcript;
  const blocks = transcript.blocks.map((block): Block => {
    if (!isOpen(block) || !isOver(block.agent)) return block;
    return block.kind === 'call' ? { ...block, tail: [], end: endOf(block, at) } : { ...block, done: true };
  });
  return { ...transcript, blocks };
}

function endOf({ end, tail, startedAt }: CallBlock, at: number): CallEnd {
  return end.kind === 'held'
    ? { kind: 'denied', reason: 'interrupted before it ran' }
    : { kind: 'done', output: tail.join('\n'), failed: true, ms: at - startedAt };
}

function isOpen(block: Block): block is CallBlock | Writing {
  return block.kind === 'call'
    ? block.end.kind === 'running' || block.end.kind === 'held'
    : (block.kind === 'answer' || block.kind === 'reasoning') && !block.done;
}

export function changeShell(
  transcript: Transcript,
  key: number,
  change: { readonly output: string; readonly ended?: string },
): Transcript {
  const blocks = transcript.blocks.map((block) =>
    block.key === key && block.kind === 'shell'
      ? {
          ...block,
          output: block.output + change.output,
          ...(change.ended !== undefined && { ended: change.ended }),
        }
      : block,
  );
  return { ...transcript, blocks };
}

/** The conversation of a session that was opened again. */
export function transcriptOf(messages: readonly Message[]): Transcript {
  let transcript = emptyTranscript;
  for (const message of messages) {
    switch (message.role) {
      case 'user':
        transcript = addBlock(transcript, { kind: 'prompt', text: message.text });
        break;
      case 'context':
        break;
      case 'assistant':
        if (message.text !== '') {
          transcript = addBlock(transcript, {
            kind: 'answer',
            agent: 'main',
            text: message.text,
            done: true,
          });
        }
        for (const { id, tool, input } of message.calls) {
          transcript = addCall(transcript, { agent: 'main', id, tool, input }, 0, { kind: 'running' });
        }
        break;
      case 'tool':
        transcript = changeCall(transcript, message.callId, (call) => ({
          ...call,
          end: { kind: 'done', output: message.output, failed: message.failed, ms: 0 },
        }));
        break;
    }
  }
  return transcript;
}

type Writing = Extract<Block, { kind: 'answer' | 'reasoning' }>;

function addText(transcript: Transcript, kind: Writing['kind'], agent: string, text: string): Transcript {
  const { blocks } = transcript;
  const at = findLastOf(transcript, agent);
  const last = blocks[at];
  if (last !== undefined && last.kind === kind && !last.done) {
    return { ...transcript, blocks: blocks.with(at, { ...last, text: last.text + text }) };
  }
  return addBlock(settle(transcript, agent), { kind, agent, text, done: false });
}

/**
 * Nothing is added any more to what the agent has written so far. Only the last of its blocks can be unfinished, so a long
 * transcript is not gone through. Of a text that is the `whole` answer the session's own copy is the one that stays.
 */
function settle(transcript: Transcript, agent: string, whole?: string): Transcript {
  const { blocks } = transcript;
  const at = findLastOf(transcript, agent);
  const block = blocks[at];
  if (block === undefined || (block.kind !== 'answer' && block.kind !== 'reasoning') || block.done)
    return transcript;
  return {
    ...transcript,
    blocks: blocks.with(at, { ...block, text: whole === block.text ? whole : block.text, done: true }),
  };
}

function findLastOf({ blocks }: Transcript, agent: string): number {
  return blocks.findLastIndex((block) => 'agent' in block && block.agent === agent);
}

/** What was streamed before a retry is void. */
function dropUnfinished(transcript: Transcript, agent: string): Transcript {
  return { ...transcript, blocks: transcript.blocks.filter((block) => !isUnfinished(block, agent)) };
}

function isUnfinished(block: Block, agent: string): boolean {
  return (block.kind === 'answer' || block.kind === 'reasoning') && block.agent === agent && !block.done;
}

interface CallFacts {
  readonly agent: string;
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
}

function addCall(
  transcript: Transcript,
  { agent, id, tool, input }: CallFacts,
  at: number,
  end: CallEnd,
  before?: string,
): Transcript {
  const settled = settle(transcript, agent);
  const early = new Map(settled.early);
  early.delete(id);
  return addBlock(
    { ...settled, early },
    {
      kind: 'call',
      agent,
      id,
      tool,
      input: isObject(input) ? input : {},
      startedAt: at,
      tail: [],
      end,
      hooks: settled.early.get(id) ?? [],
      ...(before !== undefined && { before }),
    },
  );
}

/** The row of a call that stood at the gate goes on as what became of it, with the input that was judged. */
function passGate(
  transcript: Transcript,
  facts: CallFacts,
  at: number,
  end: CallEnd,
  before?: string,
): Transcript {
  const held = transcript.blocks[findCall(transcript, facts.id)];
  if (held?.kind !== 'call' || held.end.kind !== 'held') return addCall(transcript, facts, at, end, before);
  return changeCall(transcript, facts.id, (call) => ({
    ...call,
    input: isObject(facts.input) ? facts.input : {},
    startedAt: at,
    end,
    ...(before !== undefined && { before }),
  }));
}

/** The newest call with that id: providers may use an id again in a later answer. */
function findCall({ blocks }: Transcript, id: string): number {
  return blocks.findLastIndex((block) => block.kind === 'call' && block.id === id);
}

function changeCall(transcript: Transcript, id: string, change: (call: CallBlock) => CallBlock): Transcript {
  const at = findCall(transcript, id);
  const call = transcript.blocks[at];
  if (call === undefined || call.kind !== 'call') return transcript;
  return { ...transcript, blocks: transcript.blocks.with(at, change(call)) };
}

function addTail(tail: readonly string[], text: string): readonly string[] {
  const [first = '', ...rest] = text.split('\n');
  const lines = [...tail.slice(0, -1), (tail.at(-1) ?? '') + first, ...rest];
  return lines.slice(-tailLines - 1).map((line) => line.slice(-longestTailLine));
}
