// Markdown as styled lines. A renderer keeps what it drew, so that a text that only grows is not drawn again from its start.
import { Markdown, type MarkdownTheme } from '@earendil-works/pi-tui';
import type { Highlight } from './highlight.ts';
import type { Style } from './style.ts';

export interface MarkdownRenderer {
  /** The text must be clean already. */
  render(text: string, width: number): readonly string[];
}

export function createMarkdownRenderer(style: Style, highlight: Highlight): MarkdownRenderer {
  const markdown = new Markdown('', 0, 0, themeOf(style, highlight), undefined, { renderLatex: false });
  return {
    render(text, width) {
      markdown.setText(text);
      return markdown.render(width);
    },
  };
}

function themeOf(style: Style, highlight: Highlight): MarkdownTheme {
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
    highlightCode: (code, language) => highlight(code, language).split('\n'),
  };
}
