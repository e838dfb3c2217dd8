// Where agents put their prompts: one opens at once, is answered by the user or taken back by its signal, and is gone.
import type { FormAsker, Human } from '@codey/agent';
import type { OpenPrompt, PromptAnswer } from '../state/prompt.ts';
import type { TabEvent } from '../state/tab.ts';
import { newApproval } from './approval-state.ts';
import { type DecisionRequest, newDecision } from './decision-state.ts';
import { type AnswerCheck, type AskedQuestion, newQuestions } from './question-state.ts';

export interface PromptDesk {
  /** What the session asks through. */
  readonly human: Human;
  /** Questions whose answers are checked as they are given; resolves with those that passed. Rejects when the signal aborts or it is put off. */
  fill(
    questions: readonly AskedQuestion[],
    check: AnswerCheck,
    who: FormAsker & { readonly server: string },
    signal: AbortSignal,
  ): Promise<readonly string[]>;
  /** What the program itself asks; resolves with the id of the choice. Rejects like `fill`. */
  decide(request: DecisionRequest, signal: AbortSignal): Promise<string>;
  /** Nothing happens for a prompt that is gone. */
  answer(key: number, answer: PromptAnswer): void;
  /** Closes it without an answer: whoever asked is rejected. Nothing happens for a prompt that is gone. */
  putOff(key: number): void;
}

export interface DeskPorts {
  readonly tell: (event: TabEvent) => void;
  /** Counts prompts of all tabs, so that the oldest is known. */
  readonly nextKey: () => number;
  /** What the file of a writing call holds now. */
  readonly before: (tool: string, input: Readonly<Record<string, unknown>>) => string | undefined;
}

export function createPromptDesk({ tell, nextKey, before }: DeskPorts): PromptDesk {
  const open = new Map<number, { answer: (answer: PromptAnswer) => void; putOff: () => void }>();

  /** It is on screen when this returns, which is before `blocked` is told. */
  function put(prompt: OpenPrompt, signal: AbortSignal): Promise<PromptAnswer> {
    return new Promise((resolve, reject) => {
      const close = (): void => {
        open.delete(prompt.key);
        signal.removeEventListener('abort', takeBack);
        tell({ kind: 'prompt-closed', key: prompt.key });
      };
      const takeBack = (): void => {
        close();
        reject(signal.reason as Error);
      };
      open.set(prompt.key, {
        answer(answer) {
          close();
          resolve(answer);
        },
        putOff() {
          close();
          reject(new Error('put off'));
        },
      });
      signal.addEventListener('abort', takeBack);
      tell({ kind: 'prompt-opened', prompt });
      if (signal.aborted) takeBack();
    });
  }

  async function ask(
    asked: Pick<
      Extract<OpenPrompt, { kind: 'question' }>,
      'questions' | 'check' | 'agent' | 'oneOf' | 'server'
    >,
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    const state = newQuestions(asked.questions);
    const given = await put({ kind: 'question', key: nextKey(), ...asked, state }, signal);
    return given.kind === 'question' ? given.answers : [];
  }

  return {
    human: {
      async approve(request, signal) {
        const old = before(request.call.tool, request.call.input);
        const prompt: OpenPrompt = {
          kind: 'approval',
          key: nextKey(),
          request,
          state: newApproval,
          ...(old !== undefined && { before: old }),
        };
        const given = await put(prompt, signal);
        return given.kind === 'approval' ? given.answer : { kind: 'deny' };
      },
      answer: (questions, agent, signal) => ask({ questions, agent }, signal),
    },
    fill: (questions, check, who, signal) => ask({ questions, check, ...who }, signal),
    async decide(request, signal) {
      const prompt: OpenPrompt = { kind: 'decision', key: nextKey(), request, state: newDecision };
      const given = await put(prompt, signal);
      return given.kind === 'decision' ? given.chosen : '';
    },
    answer: (key, answer) => open.get(key)?.answer(answer),
    putOff: (key) => open.get(key)?.putOff(),
  };
}
