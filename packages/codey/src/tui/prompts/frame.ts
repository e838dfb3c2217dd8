// How every prompt is put before the user: a title, a text that scrolls where it does not fit, then what can be answered.
import type { Style } from '../screen/style.ts';
import { columnsOf, cut } from '../screen/text.ts';
import { scrolledLines } from '../widgets/scrolled-lines.ts';

export interface PromptParts {
  readonly title: string;
  /** Shown whole; where there is no room it scrolls. */
  readonly text: readonly string[];
  /** First line of the text to show; more than there is means its end. */
  readonly scroll: number;
  /** Always shown. */
  readonly choices: readonly string[];
  readonly hint: string;
}

/** At most `rows` lines where that is possible, but never without the choices. */
export function framePrompt(
  parts: PromptParts,
  width: number,
  rows: number,
  style: Style,
): readonly string[] {
  const { title, text, choices, hint } = parts;
  const room = Math.max(1, rows - choices.length - 2);
  const shown = text.length <= room ? text : scrolledLines(text, parts.scroll, room, style);
  return [
    titleLine(title, width, style),
    ...[...shown, ...choices].map((line) => cut(` ${line}`, width)),
    style.dim(cut(` ${hint}`, width)),
  ];
}

function titleLine(title: string, width: number, style: Style): string {
  const shown = cut(title, width - 6);
  return style.yellow(`── ${style.bold(shown)} ${'─'.repeat(Math.max(0, width - 4 - columnsOf(shown)))}`);
}
