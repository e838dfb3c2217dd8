// An approval as lines: who asks, why, exactly what would run, and what can be answered.
import type { ApprovalRequest } from '@codey/agent';
import { reveal } from '../../terminal/sanitise.ts';
import type { Style } from '../screen/style.ts';
import { wrap } from '../screen/text.ts';
import { type OpenPrompt, sayEscape } from '../state/prompt.ts';
import { callLines } from '../widgets/call-lines.ts';
import { fieldLine } from '../widgets/field-line.ts';
import { approvalChoices, type ApprovalState } from './approval-state.ts';
import { framePrompt } from './frame.ts';

type Approval = Extract<OpenPrompt, { kind: 'approval' }>;

export interface PromptView {
  readonly width: number;
  /** Rows the prompt may take. */
  readonly rows: number;
  /** How many other prompts of the tab wait behind this one. */
  readonly waiting: number;
  readonly style: Style;
}

export function approvalLines(
  prompt: Approval,
  { width, rows, waiting, style }: PromptView,
): readonly string[] {
  const { request, state } = prompt;
  return framePrompt(
    {
      title: `${askedBy(request.agent)}: may ${reveal(request.call.tool, { oneLine: true })} run?${behind(waiting)}`,
      text: [
        ...callLines(request.call, prompt.before, width - 2, style, reveal),
        ...wrap(style.dim(`asked because: ${reveal(request.reason, { oneLine: true })}`), width - 2),
      ],
      scroll: state.scroll,
      choices: answerLines(state, request, width - 2, style),
      hint: hintOf(state, sayEscape(prompt)),
    },
    width,
    rows,
    style,
  );
}

/** `main asks`, `reviewer (code-reviewer) asks`. */
export function askedBy(agent: ApprovalRequest['agent']): string {
  const name = reveal(agent.name, { oneLine: true });
  const type = reveal(agent.type, { oneLine: true });
  return name === type ? `${name} asks` : `${name} (${type}) asks`;
}

export function behind(waiting: number): string {
  return waiting === 0 ? '' : ` (${waiting} more behind this)`;
}

function answerLines(
  state: ApprovalState,
  request: ApprovalRequest,
  width: number,
  style: Style,
): readonly string[] {
  switch (state.step.kind) {
    case 'choose':
      return approvalChoices(request).map(({ key, label }, index) => {
        const text = `${key}  ${reveal(label, { oneLine: true })}`;
        return index === state.choice ? style.inverse(`› ${text} `) : `  ${text}`;
      });
    case 'reason':
      return [
        `Why not? The agent is told. ${style.dim('Nothing is fine too.')}`,
        fieldLine(state.step.field, width, style),
      ];
    case 'edit':
      return state.step.problem === undefined ? [] : wrap(style.red(state.step.problem), width);
  }
}

function hintOf(state: ApprovalState, onEscape: string): string {
  switch (state.step.kind) {
    case 'choose':
      return `↑↓ Enter or the letter · ${onEscape}`;
    case 'reason':
      return 'Enter denies · Esc goes back';
    case 'edit':
      return 'Enter asks again with this · Shift+Enter new line · Esc goes back';
  }
}
