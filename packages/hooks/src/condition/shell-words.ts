// What a word of a command line comes to once quotes and backslashes are gone; parts known only at run time are marked.
import type { Node } from 'web-tree-sitter';
import { unknownPart } from './glob.ts';
import { patternPart, splitPart } from './marks.ts';

/** A word's text, and which of its characters stood outside quotes: only those can be patterns. */
interface Spelled {
  readonly text: string;
  /** One character for each of the text: `u` unquoted, `q` quoted, `s` for an unknown part that a shell splits. */
  readonly quoting: string;
}

/** The word a node of the tree stands for. Never fails: what it does not know is marked, see `marks.ts`. */
export function readWord(node: Node): string {
  return expandPatterns(spell(node));
}

/** The word a piece of a line without quotes and backslashes stands for. */
export function readBareWord(text: string): string {
  return expandPatterns(unquoted(text));
}

/** Text between double quotes, or of a heredoc that expands, without its backslashes. */
export function unescapeDoubleQuoted(text: string): string {
  return text.replace(/\\([$`"\\\n])/g, (_, char: string) => (char === '\n' ? '' : char));
}

function spell(node: Node): Spelled {
  switch (node.type) {
    case 'raw_string':
      return quoted(node.text.slice(1, -1));
    case 'ansi_c_string':
      return quoted(readAnsiC(node.text.slice(2, -1)));
    case 'string':
      return readString(node);
    case 'concatenation':
    case 'command_name':
      return spellChildren(node, readUnquoted);
    default:
      if (node.namedChildCount === 0 && !expansions.has(node.type)) return readUnquoted(node.text);
      return isOneWord(node) ? unknown : split;
  }
}

/** What stays one word without quotes: a number, a path that stands for a pipe, the list of an array. */
function isOneWord(node: Node): boolean {
  return (
    ['arithmetic_expansion', 'process_substitution', 'array'].includes(node.type) ||
    /^\$(?:[#?$]|\{#\w+(?:\[[@*]\])?\})$/.test(node.text)
  );
}

const expansions = new Set([
  'simple_expansion',
  'expansion',
  'command_substitution',
  'process_substitution',
  'arithmetic_expansion',
  'brace_expression',
]);

const unknown = quoted(unknownPart);
const split: Spelled = { text: unknownPart, quoting: 's' };

function quoted(text: string): Spelled {
  return { text, quoting: 'q'.repeat(text.length) };
}

function unquoted(text: string): Spelled {
  return { text, quoting: 'u'.repeat(text.length) };
}

/** The parts of a word in a row, with the text that the grammar left between them. */
function spellChildren(node: Node, between: (text: string) => Spelled): Spelled {
  if (node.childCount === 0) return readUnquoted(node.text);
  const parts: Spelled[] = [];
  let end = 0;
  for (const child of node.children) {
    parts.push(between(node.text.slice(end, child.startIndex - node.startIndex)));
    parts.push(isTranslated(child) ? split : spell(child));
    end = child.endIndex - node.startIndex;
  }
  return concat([...parts, between(node.text.slice(end))]);
}

/**
 * `$"…"` within a word: bash drops the dollar sign and may translate the rest, to a plain shell both are text. Where it
 * is the whole word it is one node, as unknown as an expansion.
 */
function isTranslated({ type, previousSibling, nextSibling }: Node): boolean {
  return (
    (type === '$' && nextSibling?.type === 'string') || (type === 'string' && previousSibling?.type === '$')
  );
}

function concat(parts: readonly Spelled[]): Spelled {
  return {
    text: parts.map((part) => part.text).join(''),
    quoting: parts.map((part) => part.quoting).join(''),
  };
}

/** `"…"`: what stands between the expansions is text, whatever the grammar made of it. */
function readString(node: Node): Spelled {
  const inner = node.text;
  const parts: Spelled[] = [];
  let end = inner.indexOf('"') + 1;
  for (const child of node.children) {
    if (!expansions.has(child.type)) continue;
    parts.push(quoted(unescapeDoubleQuoted(inner.slice(end, child.startIndex - node.startIndex))));
    parts.push(listsWords(child) ? split : unknown);
    end = child.endIndex - node.startIndex;
  }
  return concat([
    ...parts,
    quoted(unescapeDoubleQuoted(inner.slice(end, inner.endsWith('"') ? -1 : undefined))),
  ]);
}

/** `"$@"` and `"${x[@]}"` are as many words as there are, in quotes too. */
function listsWords({ type, text }: Node): boolean {
  return (type === 'simple_expansion' || type === 'expansion') && text.includes('@');
}

function readUnquoted(text: string): Spelled {
  const parts: Spelled[] = [];
  for (const [piece] of text.matchAll(/\\\n|\\[\s\S]|[^\\]+|\\$/g)) {
    if (piece === '\\\n') continue;
    parts.push(piece.startsWith('\\') && piece.length > 1 ? quoted(piece.slice(1)) : unquoted(piece));
  }
  return concat(parts);
}

/** `$'…'` with its C-like escapes. */
function readAnsiC(text: string): string {
  return text.replace(
    /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|c([\s\S])|([\s\S]))/g,
    (whole, hex, short, long, octal, control, letter) => {
      if (control !== undefined) return String.fromCharCode(control.charCodeAt(0) & 0x1f);
      if (letter !== undefined) return ansiLetters[letter] ?? whole;
      const code =
        octal === undefined ? Number.parseInt(hex ?? short ?? long, 16) : Number.parseInt(octal, 8) & 0xff;
      return fromCode(code, hex !== undefined || octal !== undefined);
    },
  );
}

/** A zero ends the string in a shell, and a lone byte above 127 is half a character: both are better called unknown. */
function fromCode(code: number, isByte: boolean): string {
  return code === 0 || code > 0x10ffff || (isByte && code > 0x7f) ? unknownPart : String.fromCodePoint(code);
}

const ansiLetters: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '?': '?',
};

/**
 * Marks what the shell may replace by file names, several words or a home folder. From the first to the last bracket of
 * a pattern everything is unknown: that covers more than it must and never less.
 */
function expandPatterns({ text, quoting }: Spelled): string {
  if (!/[*?[{~\0]/.test(text)) return text;
  const bare = [...quoting].map((mark, at) => (mark === 'u' ? text[at] : ' ')).join('');
  return cover(text, [
    ...spans(bare, /^~[^/]*|[=:]~[^/:]*/g, unknownPart),
    ...spans(bare, /\{.*(?:,|\.\.).*\}/gs, patternPart),
    ...spans(bare, /\[.*\]/gs, patternPart),
    ...spans(bare, /[*?]+/g, patternPart),
    ...spans(text, /\0/g, unknownPart),
    ...spans(quoting, /s/g, splitPart),
  ]);
}

interface Span {
  readonly start: number;
  readonly end: number;
  readonly mark: string;
}

function spans(text: string, pattern: RegExp, mark: string): readonly Span[] {
  return [...text.matchAll(pattern)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    mark,
  }));
}

/** Spans that meet are one, under the strongest of their marks. */
function cover(text: string, covered: readonly Span[]): string {
  let result = '';
  let mark = '';
  let end = 0;
  for (const span of [...covered].sort((one, other) => one.start - other.start)) {
    if (span.start > end) {
      result += mark + text.slice(end, span.start);
      mark = '';
    }
    if (span.mark.length > mark.length) mark = span.mark;
    end = Math.max(end, span.end);
  }
  return result + mark + text.slice(end);
}
