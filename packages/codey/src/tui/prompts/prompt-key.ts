// What a key does to the prompt before the user. Pure.
import type { Key } from '../screen/keys.ts';
import type { OpenPrompt, PromptAnswer } from '../state/prompt.ts';
import { approvalKey } from './approval-state.ts';
import { decisionKey } from './decision-state.ts';
import { questionKey } from './question-state.ts';

export type PromptStep =
  | { readonly kind: 'changed'; readonly prompt: OpenPrompt }
  | { readonly kind: 'answered'; readonly answer: PromptAnswer };

/** Undefined for a key the prompt has no use for. */
export function promptKey(prompt: OpenPrompt, key: Key): PromptStep | undefined {
  switch (prompt.kind) {
    case 'approval': {
      const step = approvalKey(prompt.state, prompt.request, key);
      if (step === undefined) return undefined;
      if (step.kind === 'state') return { kind: 'changed', prompt: { ...prompt, state: step.state } };
      return { kind: 'answered', answer: { kind: 'approval', answer: step.answer } };
    }
    case 'question': {
      const step = questionKey(prompt.state, prompt.questions, key, prompt.check);
      if (step === undefined) return undefined;
      if (step.kind === 'state') return { kind: 'changed', prompt: { ...prompt, state: step.state } };
      return { kind: 'answered', answer: { kind: 'question', answers: step.answers } };
    }
    case 'decision': {
      const step = decisionKey(prompt.state, prompt.request, key);
      if (step === undefined) return undefined;
      if (step.kind === 'state') return { kind: 'changed', prompt: { ...prompt, state: step.state } };
      return { kind: 'answered', answer: { kind: 'decision', chosen: step.id } };
    }
  }
}
