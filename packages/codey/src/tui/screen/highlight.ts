// Colours source code in the terminal's own colours; languages are loaded behind the first frame.
import type { Paint, Style } from './style.ts';

/** The same text with styles; the text itself never changes. */
export type Highlight = (code: string, language?: string) => string;

/** What highlight.js gives for a language it knows, undefined for one it does not. */
export type ToHtml = (code: string, language: string) => string | undefined;

export interface Highlighter {
  readonly highlight: Highlight;
  /** Resolves when languages are there; until then code is plain. */
  load(): Promise<void>;
}

/** Code beyond this stays plain: nobody reads it for its colours, and colouring it would be seen as a pause. */
const longestCode = 50_000;

export function createHighlighter(style: Style): Highlighter {
  let toHtml: ToHtml = () => undefined;
  return {
    highlight(code, language = '') {
      if (language === '' || code.length > longestCode) return code;
      const html = toHtml(code, language);
      return html === undefined ? code : paintHtml(html, paintsOf(style));
    },
    async load() {
      ({ toHtml } = await import('./highlight-languages.ts'));
    },
  };
}

type Paints = Readonly<Record<string, Paint>>;

function paintsOf(style: Style): Paints {
  return {
    keyword: style.magenta,
    built_in: style.cyan,
    type: style.cyan,
    literal: style.cyan,
    number: style.cyan,
    string: style.green,
    regexp: style.green,
    comment: style.dim,
    meta: style.dim,
    title: style.yellow,
    attr: style.yellow,
    name: style.yellow,
    addition: style.green,
    deletion: style.red,
  };
}

/** Styles end before each line break and begin again behind it: every line stands for itself. */
export function paintHtml(html: string, paints: Paints): string {
  const open: (Paint | undefined)[] = [];
  return html.replace(
    /<span class="([^"]*)">|<\/span>|([^<]+)/g,
    (_match, classes?: string, text?: string) => {
      if (text !== undefined)
        return paintLines(
          unescapeHtml(text),
          open.findLast((paint) => paint !== undefined),
        );
      if (classes === undefined) open.pop();
      else open.push(paintFor(classes, paints));
      return '';
    },
  );
}

function paintFor(classes: string, paints: Paints): Paint | undefined {
  const name = /hljs-([\w]+)/.exec(classes)?.[1] ?? '';
  return Object.hasOwn(paints, name) ? paints[name] : undefined;
}

function paintLines(text: string, paint: Paint | undefined): string {
  return paint === undefined ? text : text.split('\n').map(paint).join('\n');
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#x27': "'", amp: '&' };

function unescapeHtml(text: string): string {
  return text.replace(/&(lt|gt|quot|#x27|amp);/g, (_match, name: string) => entities[name] ?? '');
}
