// The prompts that are open before the user: of agents, at most one each, and of the program itself.
import type { ApprovalAnswer, ApprovalRequest } from '@codey/agent';
import type { ApprovalState } from '../prompts/approval-state.ts';
import type { DecisionRequest, DecisionState } from '../prompts/decision-state.ts';
import type { AnswerCheck, AskedQuestion, QuestionState } from '../prompts/question-state.ts';

export type OpenPrompt =
  | {
      readonly kind: 'approval';
      readonly key: number;
      readonly request: ApprovalRequest;
      /** What the file holds now, where the call writes one and it can be read. */
      readonly before?: string;
      readonly state: ApprovalState;
    }
  | {
      readonly kind: 'question';
      readonly key: number;
      readonly agent: ApprovalRequest['agent'];
      /** As in `FormAsker`. */
      readonly oneOf?: readonly string[];
      /** The server of MCP whose form it is. */
      readonly server?: string;
      readonly questions: readonly AskedQuestion[];
      /** What may not be sent; absent where every answer may. */
      readonly check?: AnswerCheck;
      readonly state: QuestionState;
    }
  /** The program's own, as a review of what a repository supplies, or what an agent's call to a server of MCP comes to. */
  | {
      readonly kind: 'decision';
      readonly key: number;
      readonly request: DecisionRequest;
      readonly state: DecisionState;
    };

export type PromptAnswer =
  | { readonly kind: 'approval'; readonly answer: ApprovalAnswer }
  | { readonly kind: 'question'; readonly answers: readonly string[] }
  | { readonly kind: 'decision'; readonly chosen: string };

export function whoAsks(prompt: OpenPrompt): ApprovalRequest['agent'] {
  switch (prompt.kind) {
    case 'approval':
      return prompt.request.agent;
    case 'question':
      return prompt.agent;
    case 'decision':
      return prompt.request.agent ?? { name: 'codey', type: 'codey' };
  }
}

export type Escape =
  | { readonly kind: 'ends'; readonly agent: string }
  /** Of the main agent. */
  | { readonly kind: 'stops-run' }
  /** Closes the prompt: nobody knows for sure who waits for it. */
  | { readonly kind: 'puts-off' };

/** What Esc does before a prompt. */
export function escapeOf(prompt: OpenPrompt): Escape {
  if (isForOneOf(prompt)) return { kind: 'puts-off' };
  if (prompt.kind === 'decision' && prompt.request.agent === undefined) return { kind: 'stops-run' };
  const { name } = whoAsks(prompt);
  return name === 'main' ? { kind: 'stops-run' } : { kind: 'ends', agent: name };
}

/** The same, for the hint below a prompt. */
export function sayEscape(prompt: OpenPrompt): string {
  const does = escapeOf(prompt);
  switch (does.kind) {
    case 'ends':
      return `Esc ends ${does.agent}`;
    case 'stops-run':
      return 'Esc stops the run';
    case 'puts-off':
      return 'Esc puts it off';
  }
}

function isForOneOf(prompt: OpenPrompt): boolean {
  switch (prompt.kind) {
    case 'approval':
      return false;
    case 'question':
      return prompt.oneOf !== undefined;
    case 'decision':
      return prompt.request.oneOf !== undefined;
  }
}

/** One line on what is waited for. */
export function whatIsAsked(prompt: OpenPrompt): string {
  switch (prompt.kind) {
    case 'approval':
      return prompt.request.message;
    case 'question':
      return `asked about ${prompt.questions.map(({ header }) => header).join(', ')}`;
    case 'decision':
      return prompt.request.title;
  }
}
