// Compacts one agent's conversation: asks the hooks, has its first part summarised, and puts the summary in its place.
import { type Attributed, type MergedVerdict, sayReasons } from '@codey/hooks';
import type { RunningAgent, SessionScope } from '../loop/scope.ts';
import type { Message } from '../model/model.ts';
import type { SessionState } from '../session/state.ts';
import { estimateTokens, tokensOf } from './measure.ts';
import { type NewestExchange, splitConversation } from './split.ts';
import { type Summary, summarise } from './summarise.ts';

/** Who wants it: the user; the program, before the window is full; the provider, which takes no more of the conversation. */
export type Occasion = 'asked' | 'filling' | 'refused';

export interface CompactOptions {
  readonly occasion: Occasion;
  /** What the user wants kept; empty where they said nothing. */
  readonly instructions: string;
  readonly agent: Pick<
    RunningAgent,
    'name' | 'model' | 'signal' | 'messages' | 'dispatchContext' | 'addContexts'
  >;
  readonly session: Pick<SessionScope, 'engine' | 'append'>;
  readonly sizes: () => SessionState['sizes'];
}

export interface CompactionStats {
  readonly tokens: number;
  readonly messages: number;
}

export type CompactResult =
  | { readonly kind: 'compacted'; readonly before: CompactionStats; readonly after: CompactionStats }
  /** A hook said no; nothing was changed. */
  | { readonly kind: 'blocked'; readonly reason: string; readonly reasons: readonly Attributed[] }
  /** Nothing was changed; `why` is a sentence for the user. */
  | { readonly kind: 'unchanged'; readonly why: string };

/** Recent messages that stay word for word, in tokens, and as a share of what there is where that is less. */
const keepTokens = 20_000;
const keepShare = 0.25;
/** Characters of the user's last words that are kept beside a summary that replaces them. */
const promptCap = 4_000;

const newestExchange: Readonly<Record<Occasion, NewestExchange>> = {
  asked: 'all-may-go',
  filling: 'stays',
  refused: 'calls-may-go',
};

/** Why a conversation of one exchange stays as it is: news only to whoever asked for a compaction. */
export const nothingToCompact = 'There is nothing to compact yet.';

/** Never rejects. Until the one entry that does it is in the log, everything stays as it was. */
export async function compact(options: CompactOptions): Promise<CompactResult> {
  const { occasion, agent, session, sizes } = options;
  const measure = (): CompactionStats => {
    const messages = agent.messages();
    return { tokens: tokensOf(messages, sizes().get(agent.name)), messages: messages.length };
  };
  const before = measure();
  const messages = agent.messages();
  const split = splitConversation(
    { messages, origins: sizes().get(agent.name)?.origins ?? [] },
    {
      keepTokens: Math.min(keepTokens, estimateTokens(messages) * keepShare),
      newest: newestExchange[occasion],
    },
  );
  if (split === undefined) return unchanged(nothingToCompact);

  const trigger: 'manual' | 'auto' = occasion === 'asked' ? 'manual' : 'auto';
  const stats = { trigger, tokens_before: before.tokens, messages_before: before.messages };
  const asked = await session.engine.dispatch('PreCompact', stats, agent.dispatchContext());
  const refusal = refused(asked.verdict);
  if (refusal !== undefined) return refusal;

  const summary = await trySummarise(options, split.replaced);
  if (summary.kind === 'unchanged') return summary;
  const text = withLastPrompt(summary.text, split.replaced, split.kept);
  const left = estimateTokens([{ role: 'context', text, source: 'compaction' }, ...split.kept]);
  if (occasion !== 'asked' && left >= before.tokens)
    return unchanged('The conversation was not compacted: with the summary it would be no shorter.');

  session.append({
    kind: 'compacted',
    agent: agent.name,
    summary: text,
    keptFrom: split.keptFrom,
    usage: summary.usage,
    from: { kind: 'model', model: agent.model.id },
  });
  const after = measure();
  const told = await session.engine.dispatch(
    'PostCompact',
    { ...stats, tokens_after: after.tokens, messages_after: after.messages },
    agent.dispatchContext(),
  );
  agent.addContexts(told.contexts, 'PostCompact');
  return { kind: 'compacted', before, after };
}

/** A hook's `ask` is a no: what is lost by compacting cannot be shown in a question. */
function refused(verdict: MergedVerdict): CompactResult | undefined {
  switch (verdict.kind) {
    case 'cancelled':
      return unchanged('The conversation was not compacted: it was interrupted.');
    case 'deny':
    case 'ask':
      return { kind: 'blocked', reason: sayReasons(verdict.reasons), reasons: verdict.reasons };
    case 'none':
    case 'allow':
    case 'continue':
      return undefined;
  }
}

async function trySummarise(
  { instructions, agent }: CompactOptions,
  messages: readonly Message[],
): Promise<Extract<Summary, { kind: 'summary' }> | Extract<CompactResult, { kind: 'unchanged' }>> {
  try {
    const summary = await summarise({ messages, instructions, model: agent.model, signal: agent.signal });
    if (summary.kind === 'summary') return summary;
    return unchanged(`The conversation was not compacted: the summary ${summary.why}.`);
  } catch (error) {
    if (agent.signal.aborted) return unchanged('The conversation was not compacted: it was interrupted.');
    return unchanged(
      `The conversation was not compacted: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** In the middle of a long run the user's words lie far back, and they are what it is all about. */
function withLastPrompt(summary: string, replaced: readonly Message[], kept: readonly Message[]): string {
  if (kept.some(({ role }) => role === 'user')) return summary;
  const prompt = replaced.findLast((message) => message.role === 'user')?.text;
  if (prompt === undefined) return summary;
  const words = prompt.length > promptCap ? `${prompt.slice(0, promptCap)} […]` : prompt;
  return `${summary}\n\nThe user's last message, word for word:\n${words}`;
}

function unchanged(why: string): Extract<CompactResult, { kind: 'unchanged' }> {
  return { kind: 'unchanged', why };
}
