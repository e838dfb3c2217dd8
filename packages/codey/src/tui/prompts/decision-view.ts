// A question of the program itself as lines.
import { reveal } from '../../terminal/sanitise.ts';
import { wrapHanging } from '../screen/text.ts';
import { type OpenPrompt, sayEscape } from '../state/prompt.ts';
import { behind, type PromptView } from './approval-view.ts';
import { framePrompt } from './frame.ts';

type Decision = Extract<OpenPrompt, { kind: 'decision' }>;

export function decisionLines(prompt: Decision, view: PromptView): readonly string[] {
  const { request, state } = prompt;
  const { width, rows, waiting, style } = view;
  return framePrompt(
    {
      title: `${reveal(request.title, { oneLine: true })}${behind(waiting)}`,
      text: wrapHanging(reveal(request.text), width - 2),
      scroll: state.scroll,
      choices: request.choices.map(({ key, label }, index) =>
        index === state.choice ? style.inverse(`› ${key}  ${label} `) : `  ${key}  ${label}`,
      ),
      hint: `↑↓ Enter or the letter · PgUp PgDn scrolls${request.agent === undefined ? '' : ` · ${sayEscape(prompt)}`}`,
    },
    width,
    rows,
    style,
  );
}
