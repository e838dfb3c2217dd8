// A question of the program itself as lines.
import { reveal } from '../../terminal/sanitise.ts';
import { wrap } from '../screen/text.ts';
import type { OpenPrompt } from '../state/prompt.ts';
import type { PromptView } from './approval-view.ts';
import { framePrompt } from './frame.ts';

type Decision = Extract<OpenPrompt, { kind: 'decision' }>;

export function decisionLines({ request, state }: Decision, view: PromptView): readonly string[] {
  const { width, rows, style } = view;
  return framePrompt(
    {
      title: reveal(request.title, { oneLine: true }),
      text: wrap(reveal(request.text), width - 2),
      scroll: state.scroll,
      choices: request.choices.map(({ key, label }, index) =>
        index === state.choice ? style.inverse(`› ${key}  ${label} `) : `  ${key}  ${label}`,
      ),
      hint: '↑↓ Enter or the letter · PgUp PgDn scrolls',
    },
    width,
    rows,
    style,
  );
}
