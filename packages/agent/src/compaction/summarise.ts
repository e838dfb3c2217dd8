// Asks a model for the summary of a conversation's first part, and checks that what comes back is one.
import { isOverflow, type Message, type Model, type Usage } from '../model/model.ts';
import { capOutput } from '../tools/output.ts';
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

/** How often less of the transcript is sent, half of it each time, where the window turns out to be smaller than thought. */
const halvings = 3;

/** Throws ModelError, or the signal's reason when interrupted. */
export async function summarise(request: SummaryRequest): Promise<Summary> {
  const window = request.model.contextWindow ?? assumedWindow;
  const whole = renderTranscript(request.messages, Math.floor(window * transcriptShare * charactersPerToken));
  for (let halved = 0; ; halved += 1) {
    try {
      return await ask(capOutput(whole, Math.ceil(whole.length / 2 ** halved)), request);
    } catch (error) {
      if (halved === halvings || !isOverflow(error)) throw error;
    }
  }
}

async function ask(transcript: string, { instructions, model, signal }: SummaryRequest): Promise<Summary> {
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
