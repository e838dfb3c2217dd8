// The loop of the little agent: one prompt to its end.
import { type Attributed, sayReasons } from '../../src/index.ts';
import type { RunEnd } from '../../src/testing/index.ts';
import { executeCall } from './gate.ts';
import { contextOf, emit, type MiniAgent, type MiniWorld } from './world.ts';

const continuationLimit = 8;

export async function runPrompt(prompt: string, agent: MiniAgent, world: MiniWorld): Promise<RunEnd> {
  if (world.has('starts a run before it asks')) await emit('run_start', agent, world);
  if (world.has('stores a prompt that was blocked')) agent.told.push(prompt);
  const asked = await world.engine.dispatch('UserPromptSubmit', { prompt }, contextOf(agent, world));
  if (asked.verdict.kind === 'cancelled') return { kind: 'interrupted', message: 'interrupted' };
  if (asked.verdict.kind === 'deny' && !world.has('runs a prompt that was blocked')) {
    return { kind: 'refused', message: sayReasons(asked.verdict.reasons) };
  }
  agent.told.push(prompt);
  if (!world.has('drops what hooks say to a prompt')) tell(agent, asked.contexts);
  if (!world.has('starts a run before it asks')) await emit('run_start', agent, world);
  const end = await runToEnd(agent, world);
  if (!world.has('counts turns over all runs')) agent.turn = null;
  const { reason, error } = published(end);
  await emit('run_end', { ...agent, turn: null }, world, { reason, error });
  if (world.has('asks Stop when the run has ended')) await askStop('', 0, agent, world);
  return end;
}

/** How a run ended, and what of it may be published. */
type Ended = RunEnd & { readonly publicError?: string };

function published(end: Ended): { reason: string; error: string } {
  const reason = end.kind === 'refused' ? 'error' : end.kind;
  return { reason, error: end.publicError ?? end.message };
}

async function runToEnd(agent: MiniAgent, world: MiniWorld): Promise<Ended> {
  let continued = 0;
  for (;;) {
    const { text, error, halt } = await workTurns(agent, world);
    if (world.signal().aborted) return { kind: 'interrupted', message: 'interrupted' };
    if (error !== undefined) {
      const context = contextOf(agent, world);
      await world.engine.dispatch('StopFailure', { last_assistant_message: error }, context);
      if (world.has('asks Stop about a failure')) await askStop(error, continued, agent, world);
      return { kind: 'error', message: error };
    }
    if (halt !== undefined)
      return { kind: 'error', message: halt.text, publicError: `ended by ${halt.place}` };
    if (world.has('asks Stop when the run has ended')) return { kind: 'completed', message: '' };
    const { verdict } = await askStop(text, continued, agent, world);
    if (verdict.kind === 'deny' && !world.has('completes a run that Stop blocked')) {
      const places = verdict.reasons.map(({ place }) => place).join('; ');
      return {
        kind: 'error',
        message: sayReasons(verdict.reasons),
        publicError: `blocked by Stop hook ${places}`,
      };
    }
    if (verdict.kind !== 'continue') return { kind: 'completed', message: '' };
    continued += 1;
    if (continued >= continuationLimit && !world.has('can be sent back to work for ever')) {
      return { kind: 'error', message: 'sent back to work too often', publicError: 'stop_hook_limit' };
    }
    tell(agent, verdict.reasons);
  }
}

function askStop(text: string, continued: number, agent: MiniAgent, world: MiniWorld) {
  const active = continued > 0 && !world.has('forgets that it was sent back to work');
  return world.engine.dispatch(
    'Stop',
    {
      agent_type: agent.type,
      last_assistant_message: text,
      stop_hook_active: active,
      stop_hook_count: continued,
    },
    contextOf(agent, world),
  );
}

export interface Worked {
  /** The final answer. */
  readonly text: string;
  readonly error?: string;
  readonly halt?: Attributed;
}

/** Model calls and tool calls until there is an answer, a failure, a halt or an interrupt. */
export async function workTurns(agent: MiniAgent, world: MiniWorld): Promise<Worked> {
  for (;;) {
    if (world.signal().aborted) return { text: '' };
    const late = world.engine.takeLateContexts();
    if (!world.has('drops what background hooks say')) tell(agent, late);
    agent.turn = (agent.turn ?? 0) + 1;
    await emit('turn_start', agent, world);
    const {
      text = '',
      calls = [],
      error,
    } = await world.model({
      agent: agent.name,
      conversation: agent.told.join('\n'),
    });
    if (error !== undefined) return { text, error };
    agent.told.push(text, ...calls.map(({ input }) => JSON.stringify(input)));
    if (calls.length === 0) return { text };
    for (const [index, call] of calls.entries()) {
      const id = `${agent.name}-${agent.turn}-${index}`;
      const { output, contexts, halt } = await executeCall(call, id, agent, world);
      agent.told.push(output);
      tell(agent, contexts);
      if (halt !== undefined) return { text, halt };
      if (world.signal().aborted) return { text };
    }
  }
}

function tell(agent: MiniAgent, contexts: readonly Attributed[]): void {
  agent.told.push(...contexts.map(({ text, hook }) => `[${hook}] ${text}`));
}
