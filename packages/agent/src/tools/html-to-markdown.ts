// Turns a web page into Markdown in one pass: time grows with the page's length, however deep or broken it is.
import { Parser } from 'htmlparser2';
import { createMarkdownWriter } from './markdown-writer.ts';

/**
 * A page nested deeper than any written for people is given up there and told to be cut.
 * @param base what relative links are relative to
 */
export function htmlToMarkdown(html: string, base: URL): string {
  const page = createPage(base);
  let depth = 0;
  const parser = new Parser({
    onopentag(name, attributes) {
      depth += 1;
      if (depth > deepest) throw new TooDeep();
      page.open(name, attributes);
    },
    ontext: (text) => page.text(text),
    onclosetag(name) {
      depth -= 1;
      page.close(name);
    },
  });
  try {
    parser.end(html);
    return page.markdown();
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
    return `${page.markdown()}\n\n[The page is nested too deeply; the rest was left out.]`.trim();
  }
}

/** The parser's work for each element grows with the depth it is at. */
const deepest = 1_000;

class TooDeep extends Error {}

type Attributes = Readonly<Record<string, string>>;

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

/** Content that is not the page's text. */
const hidden = words('script style noscript template svg iframe object select textarea title');
/** Elements that stand on lines of their own, with an empty line between. */
const blocks = words(
  'address article aside blockquote body caption details div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html legend main nav ol p pre section summary table ul',
);
/** The same without the empty line. */
const lines = words('dd dt li tr');
const marks: ReadonlyMap<string, string> = new Map([
  ['b', '**'],
  ['strong', '**'],
  ['em', '_'],
  ['i', '_'],
  ['del', '~~'],
  ['s', '~~'],
  ['code', '`'],
]);

function createPage(base: URL) {
  const out = createMarkdownWriter();
  const lists: { readonly ordered: boolean; items: number }[] = [];
  const rows: { cells: number; headings: number }[] = [];
  /** Where each open link leads. */
  const links: (string | null)[] = [];
  let title = '';
  let inTitle = false;
  let hiddenDepth = 0;
  let quoteDepth = 0;
  let preDepth = 0;

  function openBlock(name: string, attributes: Attributes): void {
    if (name === 'blockquote') quoteDepth += 1;
    startLine(name);
    if (/^h[1-6]$/.test(name)) out.open(`${'#'.repeat(Number(name[1]))} `);
    else if (name === 'hr') out.text('---');
    else if (name === 'ul' || name === 'ol')
      lists.push({ ordered: name === 'ol', items: firstItem(attributes) - 1 });
    else if (name === 'li') out.open(bullet());
    else if (name === 'tr') rows.push({ cells: 0, headings: 0 });
    else if (name === 'pre') {
      preDepth += 1;
      if (preDepth === 1) out.verbatim('```\n');
    }
  }

  function closeBlock(name: string): void {
    if (name === 'ul' || name === 'ol') lists.pop();
    else if (name === 'blockquote') quoteDepth -= 1;
    else if (name === 'tr') endRow();
    else if (name === 'pre') {
      preDepth -= 1;
      if (preDepth === 0) out.verbatim('\n```');
    }
    startLine(name);
  }

  function startLine(name: string): void {
    // Bounded, so that nesting cannot multiply the text.
    const quotes = '> '.repeat(Math.min(quoteDepth, 8));
    const indent = '  '.repeat(Math.min(Math.max(lists.length - 1, 0), 8));
    out.startLine(quotes + indent, lines.has(name) || lists.length > 0 ? 'next' : 'after-empty');
  }

  function endRow(): void {
    const row = rows.pop();
    if (row === undefined || row.cells === 0) return;
    out.close(' |');
    if (row.headings < row.cells) return;
    startLine('tr');
    out.text(`|${' --- |'.repeat(row.cells)}`);
  }

  function openInline(name: string, attributes: Attributes): void {
    const mark = marks.get(name);
    if (name === 'br') startLine('li');
    else if (name === 'td' || name === 'th') openCell(name);
    else if (name === 'img' && attributes.alt) out.text(` [image: ${attributes.alt}] `);
    else if (name === 'a') {
      const target = linkTarget(attributes.href, base);
      links.push(target);
      if (target !== null) out.open('[');
    } else if (mark !== undefined && preDepth === 0) out.open(mark);
  }

  function openCell(name: 'td' | 'th'): void {
    const row = rows.at(-1);
    if (row === undefined) return;
    row.cells += 1;
    if (name === 'th') row.headings += 1;
    out.cell(row.cells === 1 ? '| ' : ' | ');
  }

  function closeInline(name: string): void {
    const mark = marks.get(name);
    if (name === 'a') {
      const target = links.pop();
      if (typeof target === 'string') out.close(`](${target})`);
    } else if (mark !== undefined && preDepth === 0) out.close(mark);
  }

  function bullet(): string {
    const list = lists.at(-1);
    if (list === undefined) return '- ';
    list.items += 1;
    return list.ordered ? `${list.items}. ` : '- ';
  }

  return {
    open(name: string, attributes: Attributes): void {
      if (name === 'title' && hiddenDepth === 0) inTitle = true;
      if (hidden.has(name)) hiddenDepth += 1;
      if (hiddenDepth > 0) return;
      if (blocks.has(name) || lines.has(name)) openBlock(name, attributes);
      else openInline(name, attributes);
    },
    text(text: string): void {
      if (inTitle) title += text;
      if (hiddenDepth > 0) return;
      if (preDepth > 0) out.verbatim(text);
      else out.text(text);
    },
    close(name: string): void {
      if (name === 'title') inTitle = false;
      if (hidden.has(name)) hiddenDepth -= 1;
      else if (hiddenDepth > 0) return;
      else if (blocks.has(name) || lines.has(name)) closeBlock(name);
      else closeInline(name);
    },
    markdown(): string {
      const heading = title.replace(/\s+/g, ' ').trim();
      const text = out.whole();
      return heading === '' || text.startsWith('# ') ? text : `# ${heading}\n\n${text}`.trim();
    },
  };
}

function firstItem(attributes: Attributes): number {
  const start = Number(attributes.start ?? 1);
  return Number.isSafeInteger(start) ? start : 1;
}

/** Null for a link that only means something inside a browser. */
function linkTarget(href: string | undefined, base: URL): string | null {
  if (href === undefined || href.startsWith('#') || !URL.canParse(href, base.href)) return null;
  const target = new URL(href, base);
  return target.protocol === 'http:' || target.protocol === 'https:' ? target.href : null;
}
