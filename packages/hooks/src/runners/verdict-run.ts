// One run of a hook that a model answers: ask, read, ask once more, all within the hook's deadline.
import { randomUUID } from 'node:crypto';
import { monotonicMs } from '../monotonic.ts';
import type { HookDefinition } from '../config/hook.ts';
import { dialects } from '../dialects/index.ts';
import { bounded } from './bounded.ts';
import type { RunEnd, RunRequest, RunResult } from './runner.ts';
import { readVerdictAnswer, type VerdictAnswer } from './verdict-answer.ts';
import { verdictPrompt } from './verdict-prompt.ts';

/** What a model is asked on behalf of a hook. */
export interface ModelHookRequest {
  readonly system: string;
  /** The one message of the user. */
  readonly text: string;
  /** The hook's `model`; absent where the host's own choice is meant. */
  readonly model?: string;
  /** Fires at the deadline and when the hook is cancelled; what comes later is not heard. */
  readonly signal: AbortSignal;
  /** Milliseconds that are left. */
  readonly deadlineMs: number;
}

/** What a model answered to a hook, with what it cost. */
export interface ModelHookReply {
  readonly text: string;
  readonly usage: ModelHookUsage;
}

/** Tokens; 0 where the provider does not say. */
export interface ModelHookUsage {
  readonly input: number;
  readonly output: number;
}

export interface ModelHookOptions {
  /** Told after each answer, late and unreadable ones included. Must not throw. */
  readonly onUsage?: (usage: ModelHookUsage, hook: HookDefinition) => void;
  /** Names the block with the event; a random one if not given. */
  readonly boundary?: () => string;
}

export interface VerdictRun extends ModelHookOptions {
  readonly prompt: string;
  readonly model: string | undefined;
  readonly tools: boolean;
  /** Rejects where there is no answer, with the reason in the provider's or host's own sentence. */
  readonly ask: (request: ModelHookRequest) => Promise<ModelHookReply>;
}

/** The answer stands in `stdout` of a run that exited 0, so that it is judged like every other hook's. */
export async function runForVerdict(request: RunRequest, run: VerdictRun): Promise<RunResult> {
  const begun = monotonicMs();
  const leftMs = () => Math.max(1, request.deadlineMs - (monotonicMs() - begun));
  const waited = await bounded(request, (stop) => askTwice(request, run, stop, leftMs));
  const said = waited.kind === 'said' ? waited : { end: waited, stdout: '' };
  return {
    end: said.end,
    stdout: said.stdout,
    stderr: '',
    stdoutTruncated: false,
    durationMs: monotonicMs() - begun,
  };
}

interface Said {
  readonly kind: 'said';
  readonly end: RunEnd;
  readonly stdout: string;
}

async function askTwice(
  request: RunRequest,
  run: VerdictRun,
  stop: AbortSignal,
  leftMs: () => number,
): Promise<Said> {
  const { hook, input: payload } = request;
  const boundary = (run.boundary ?? randomUUID)();
  const { system, text } = verdictPrompt({ prompt: run.prompt, payload, boundary, tools: run.tools });
  const ask = async (question: string): Promise<VerdictAnswer> => {
    const { text: answer, usage } = await run.ask({
      system,
      text: question,
      ...(run.model !== undefined && { model: run.model }),
      signal: stop,
      deadlineMs: leftMs(),
    });
    run.onUsage?.(usage, hook);
    return readVerdictAnswer(answer, (json) => dialects[hook.dialect].decode(hook.event, json));
  };
  request.onStart?.();
  try {
    const first = await ask(text);
    if (first.kind === 'answer' || stop.aborted) return weigh(first);
    return weigh(await ask(`${text}\n\n${askAgain(first.why)}`));
  } catch (error) {
    return failed(`the model gave no answer: ${oneLine(error)}`);
  }
}

/** The first answer is not quoted: what the event made the model say must not speak twice. */
function askAgain(why: string): string {
  return `You were asked this before, and your answer could not be used: it ${why}. Answer now with the one JSON object alone.`;
}

function weigh(answer: VerdictAnswer): Said {
  switch (answer.kind) {
    case 'answer':
    // Whoever judges the run finds it broken as well, and keeps of it what tightens.
    case 'half-read':
      return { kind: 'said', end: { kind: 'exited', code: 0 }, stdout: answer.json };
    case 'unreadable':
      return failed(`the model was asked twice and its answer ${answer.why}`);
  }
}

function failed(message: string): Said {
  return { kind: 'said', end: { kind: 'failed', cause: 'model', message }, stdout: '' };
}

function oneLine(error: unknown): string {
  const said = error instanceof Error ? error.message : String(error);
  return said.replace(/\s+/g, ' ').trim().slice(0, 300);
}
