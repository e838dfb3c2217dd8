// Markdown as styled lines. A renderer keeps what it drew, so that a text that only grows is not drawn again from its start.
import { Markdown, type MarkdownTheme } from '@earendil-works/pi-tui';
import type { Highlight } from './highlight.ts';
import type { Style } from './style.ts';
import { columnsOf, wrapHanging } from './text.ts';

export interface MarkdownRenderer {
  /** The text must be clean already. */
  render(text: string, width: number): readonly string[];
}

export function createMarkdownRenderer(style: Style, highlight: Highlight): MarkdownRenderer {
  let drawnAt = 0;
  const make = (width: number): Markdown =>
    new Markdown('', 0, 0, themeOf(style, highlight, width), undefined, { renderLatex: false });
  let markdown = make(drawnAt);
  return {
    render(text, width) {
      // It keeps lines of code as they were wrapped for the width before.
      if (width !== drawnAt) markdown = make(width);
      drawnAt = width;
      markdown.setText(text);
      return markdown.render(width);
    },
  };
}

function themeOf(style: Style, highlight: Highlight, width: number): MarkdownTheme {
  return {
    heading: (text) => style.bold(style.cyan(text)),
    link: style.underline,
    linkUrl: style.dim,
    code: style.cyan,
    codeBlock: (text) => text,
    // The fences are no part of what is said; what they name is.
    codeBlockBorder: (fence) => style.dim(fence.replace(/^[`~]+/, '')),
    quote: style.italic,
    quoteBorder: style.dim,
    hr: style.dim,
    listBullet: style.cyan,
    bold: style.bold,
    italic: style.italic,
    strikethrough: style.strike,
    underline: style.underline,
    highlightCode: (code, language) =>
      highlight(code, language)
        .split('\n')
        .flatMap((line) => wrapCode(line, width)),
  };
}

/** By which the renderer sets off a block of code. */
const codeIndent = 2;
/** Code stands further in where it is part of a list: what must be wrapped anyway leaves room for that. */
const listIndent = 6;

/** Before the renderer does it, which begins what is left of a line in the first column. */
function wrapCode(line: string, width: number): readonly string[] {
  const room = width - codeIndent;
  return columnsOf(line) <= room ? [line] : wrapHanging(line, room - listIndent);
}
