// Any open prompt as lines.
import type { OpenPrompt } from '../state/prompt.ts';
import { approvalLines, type PromptView } from './approval-view.ts';
import { decisionLines } from './decision-view.ts';
import { questionLines } from './question-view.ts';

export function promptLines(prompt: OpenPrompt, view: PromptView): readonly string[] {
  switch (prompt.kind) {
    case 'approval':
      return approvalLines(prompt, view);
    case 'question':
      return questionLines(prompt, view);
    case 'decision':
      return decisionLines(prompt, view);
  }
}
