// Print mode with agents beside the main one: a fork as the prompt, and the wait for those that still work.
import { type LiveSession, parseFork, type Returned, type RunOutcome } from '@codey/agent';
import type { Notices } from '../terminal/notices.ts';
import { printableJson } from '../terminal/printable-json.ts';

/** `/fork …` is answered by the fork; everything else by the session. Never rejects. */
export async function runOrFork(prompt: string, session: LiveSession): Promise<RunOutcome> {
  const fork = parseFork(prompt);
  if (fork === undefined) return session.prompt(prompt);
  const nothing = { text: '', turns: 0, usage: { input: 0, output: 0 } };
  const spawned = await session.agents.fork(fork);
  if (spawned.kind === 'refused') return { ...nothing, stop: 'error', error: spawned.reason };
  await session.agents.settled(new AbortController().signal);
  const returned = session.agents.takeResults().find(({ name }) => name === spawned.name);
  if (returned === undefined || returned.failed)
    return { ...nothing, stop: 'error', error: returned?.text ?? 'the fork gave no answer' };
  return { ...nothing, stop: 'completed', text: returned.text, error: '' };
}

/** Nobody comes back to look, so a program that ended at once would throw their work away. */
const longestWaitMs = 10 * 60 * 1_000;

/**
 * Waits for agents that work on after the answer, at most ten minutes; then they are ended with the session. Gives
 * back the results nobody asked for.
 */
export async function awaitAgents({ agents }: LiveSession, notices: Notices): Promise<readonly Returned[]> {
  const working = (): readonly string[] =>
    agents.list().flatMap(({ name, state }) => (state === 'working' ? [name] : []));
  if (working().length > 0) {
    notices.note(`waiting for ${working().join(', ')}, at most ${longestWaitMs / 60_000} minutes`);
    await agents.settled(AbortSignal.timeout(longestWaitMs));
  }
  if (working().length > 0) notices.warn(`still at work and ended now: ${working().join(', ')}`);
  return agents.takeResults();
}

/** Of agents whose results nobody asked for. */
export function noteResults(results: readonly Returned[], notices: Notices): void {
  for (const { name, text } of results) notices.note(`agent ${name}, not asked for its result: ${text}`);
}

/** Of a command that started agents: what they returned is what it came to. */
export function withResults(outcome: RunOutcome, results: readonly Returned[]): RunOutcome {
  if (results.length === 0) return outcome;
  const text = [outcome.text, ...results.map((result) => `${result.name}: ${result.text}`)].join('\n');
  const failed = results.filter((result) => result.failed);
  if (outcome.stop !== 'completed' || failed.length === 0) return { ...outcome, text };
  return { ...outcome, text, stop: 'error', error: failed.map((result) => result.text).join('\n') };
}

/** A change of an agent as a line of `stream-json`. */
export function agentLine(status: ReturnType<LiveSession['agents']['list']>[number]): string {
  const { name, type, parent, state, worktree, team } = status;
  return `${printableJson({ type: 'agent', agent: name, agent_type: type, parent, state, worktree, team })}\n`;
}
