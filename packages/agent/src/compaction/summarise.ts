// Asks a model for the summary of a conversation's first part, and checks that what comes back is one.
import type { Message, Model, Usage } from '../model/model.ts';
import howToSummarise from './summary.md';
import { renderTranscript } from './transcript.ts';

export interface SummaryRequest {
  readonly messages: readonly Message[];
  /** What the user wants kept, from `/compact <instructions>`; empty where they said nothing. */
  readonly instructions: string;
  readonly model: Model;
  readonly signal: AbortSignal;
}

export type Summary =
  | { readonly kind: 'summary'; readonly text: string; readonly usage: Usage }
  /** `why` goes on after “the summary ”. */
  | { readonly kind: 'unusable'; readonly why: string; readonly usage: Usage };

/** For a model whose window is unknown; small enough for all that are used for work of this kind. */
const assumedWindow = 100_000;
/** Characters a token, counted low so that dense text fits too; and the share of the window the transcript may take. */
const charactersPerToken = 3;
const transcriptShare = 0.7;

/** Throws ModelError, or the signal's reason when interrupted. */
export async function summarise({ messages, instructions, model, signal }: SummaryRequest): Promise<Summary> {
  const window = model.contextWindow ?? assumedWindow;
  const transcript = renderTranscript(messages, Math.floor(window * transcriptShare * charactersPerToken));
  const wish = instructions.trim() === '' ? '' : `\n\nThe user asks of the summary: ${instructions.trim()}`;
  const stream = model.stream({
    system: howToSummarise.trim(),
    messages: [{ role: 'user', text: `<conversation>\n${transcript}\n</conversation>${wish}` }],
    tools: [],
    // A name of its own, so that the scripted model does not take an answer from the agent's script.
    agent: { type: 'compaction', name: 'compaction' },
    signal,
  });
  let text = '';
  let calls = false;
  for await (const event of stream) {
    signal.throwIfAborted();
    if (event.kind === 'text') text += event.text;
    if (event.kind === 'call') calls = true;
    // What came before a failed attempt is void.
    if (event.kind === 'retry') text = '';
    if (event.kind === 'finish')
      return check(text, { calls, cut: event.reason === 'length', usage: event.usage });
  }
  signal.throwIfAborted();
  return { kind: 'unusable', why: 'broke off', usage: { input: 0, output: 0 } };
}

function check(
  answer: string,
  { calls, cut, usage }: { readonly calls: boolean; readonly cut: boolean; readonly usage: Usage },
): Summary {
  const unusable = (why: string): Summary => ({ kind: 'unusable', why, usage });
  if (calls) return unusable('calls a tool');
  if (cut) return unusable('was cut off by the provider');
  const opened = answer.indexOf('<summary>');
  const closed = answer.lastIndexOf('</summary>');
  // Models that leave the marks out mean all they wrote; one that opened them and did not come to an end is not done.
  if (opened !== -1 && closed < opened) return unusable('does not come to an end');
  const text = opened === -1 ? answer.trim() : answer.slice(opened + '<summary>'.length, closed).trim();
  return text === '' ? unusable('is empty') : { kind: 'summary', text, usage };
}
