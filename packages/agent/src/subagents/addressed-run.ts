// Runs of a prompt that other agents answer: those it mentions, or the one the session was started for.
import { ownTurns, type RunWork } from '../loop/run.ts';
import { type EndedTurns, noTokens } from '../loop/turns.ts';
import type { Session } from '../session/session.ts';
import type { Crew, JoinRequest } from './crew.ts';
import type { LiveAgent } from './live-agent.ts';
import { mentionedAgents } from './mentions.ts';
import type { Returned } from './roster.ts';
import type { Subagents } from './subagents.ts';

export interface AddressedRunOptions {
  readonly crew: Crew;
  readonly subagents: Subagents;
  readonly main: LiveAgent;
  readonly stored: Session;
  /** `--agent`: who answers every prompt. */
  readonly answering?: string;
  /** The user wanted the agent, and is told why there is none. */
  readonly notice: (sentence: string) => void;
}

/** What the main agent's run of this prompt consists of. */
export function runWorkFor(prompt: string, options: AddressedRunOptions): RunWork {
  const { answering, crew, subagents } = options;
  if (answering !== undefined) return () => answerThrough(answering, prompt, options);
  const mentioned = mentionedAgents(prompt, crew.definitions);
  if (mentioned.length === 0) return ownTurns;
  return async (agent, session) => {
    await Promise.all(
      mentioned.map(async (type) => {
        const asked = await ask({ type, prompt }, options);
        if (asked.kind === 'refused') options.notice(asked.returned.text);
        tell(asked.returned, options);
      }),
    );
    subagents.deliver(agent.name);
    return ownTurns(agent, session);
  };
}

/** The conversation so far is the agent's too, and its answer becomes part of it. */
async function answerThrough(
  type: string,
  prompt: string,
  options: AddressedRunOptions,
): Promise<EndedTurns> {
  const { stored, main } = options;
  const { text, failed } = (await ask({ type, prompt, context: 'whole' }, options)).returned;
  const ended = { text: failed ? '' : text, turns: 0, usage: noTokens };
  if (main.agent.signal.aborted)
    return { ...ended, stop: 'interrupted', error: 'interrupted', publicError: 'interrupted' };
  if (failed)
    return { ...ended, stop: 'error', error: text, publicError: `the agent ${type} gave no answer` };
  stored.append({
    kind: 'answer',
    agent: 'main',
    text,
    calls: [],
    usage: noTokens,
    from: { kind: 'host' },
  });
  return { ...ended, stop: 'completed', error: '', publicError: '' };
}

interface Asked {
  readonly kind: 'ended' | 'refused';
  readonly returned: Returned;
}

/** Starts one and waits for it; an interrupt of the run ends it. */
async function ask(
  { type, ...request }: Pick<JoinRequest, 'prompt' | 'context'> & { readonly type: string },
  { crew, subagents, main }: AddressedRunOptions,
): Promise<Asked> {
  const refused = (text: string): Asked => ({
    kind: 'refused',
    returned: { name: type, text, failed: true },
  });
  const { signal } = main.agent;
  const definition = crew.find(type);
  if (typeof definition === 'string') return refused(definition);
  const spawned = await subagents.spawn({ definition, ...request, from: { kind: 'user' } }, main);
  if (spawned.kind === 'refused') return refused(`${type} was not started: ${spawned.reason}`);
  const { name } = spawned;
  const cancel = (): void => void crew.roster.cancel(name);
  signal.addEventListener('abort', cancel);
  if (signal.aborted) cancel();
  const waited = await crew.roster.wait(name, 'main', longest, signal);
  signal.removeEventListener('abort', cancel);
  if (waited.kind === 'returned') return { kind: 'ended', returned: waited.returned };
  const text = `${name} was cancelled before it had a result.`;
  return { kind: 'ended', returned: { name, text, failed: true } };
}

/** As far as timers reach: the user waits as long as they want to. */
const longest = 2 ** 31 - 1;

function tell({ name, text }: Returned, { stored }: AddressedRunOptions): void {
  stored.append({ kind: 'context', agent: 'main', text, source: `agent ${name}`, from: { kind: 'host' } });
}
