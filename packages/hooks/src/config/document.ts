// The text of a settings file as a tree whose every node knows its line: JSON with comments and trailing commas.
import {
  createScanner,
  findNodeAtOffset,
  getNodePath,
  type Node,
  type ParseError,
  parseTree,
} from 'jsonc-parser';

export type { Node } from 'jsonc-parser';

/** Lines and columns count from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** The keys and indexes that lead to an entry. */
export type EntryPath = readonly (string | number)[];

export interface SyntaxProblem {
  readonly offset: number;
  readonly message: string;
  readonly hint?: string;
}

export interface SettingsDocument {
  /** Absent where the file holds nothing but blanks and comments, or nothing that can be read. */
  readonly root: Node | undefined;
  readonly syntax: readonly SyntaxProblem[];
  /** Whether the tree can be relied on although there are syntax problems. */
  readonly readable: boolean;
  place(offset: number): Place;
}

/** Deeper than any sensible settings file and far from the end of the stack. */
const deepest = 200;

/** Never throws. A missing comma leaves the tree intact; after anything else the rest of the file is guesswork. */
export function parseDocument(text: string): SettingsDocument {
  const place = lineIndex(text);
  const tooDeep = firstTooDeep(text);
  if (tooDeep !== undefined) {
    const message = `more than ${deepest} levels of brackets`;
    return { root: undefined, syntax: [{ offset: tooDeep, message }], readable: false, place };
  }
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const codes: readonly number[] = errors.map(({ error }) => error);
  const readable = codes.every((code) => code === commaExpected);
  const reported = readable ? errors : errors.slice(0, 1);
  return { root, syntax: reported.map((error) => explain(error, text)), readable, place };
}

/** The plain value of a node. Of a key that stands twice the last one counts, as in every JSON reader. */
export function plainValue(node: Node): unknown {
  switch (node.type) {
    case 'object':
      return Object.fromEntries(properties(node).map(({ key, value }) => [key, plainValue(value)]));
    case 'array':
      return (node.children ?? []).map(plainValue);
    default:
      return node.value;
  }
}

/** The way to what stands at an offset; a key leads where its value does. */
export function pathAt(root: Node | undefined, offset: number): EntryPath {
  const node = root === undefined ? undefined : findNodeAtOffset(root, offset, true);
  return node === undefined ? [] : getNodePath(node);
}

export interface Property {
  readonly key: string;
  readonly keyNode: Node;
  readonly value: Node;
}

/** The `key: value` pairs that count: of a key that stands twice the last, in its own place. */
export function properties(node: Node): readonly Property[] {
  const written = allProperties(node);
  const last = new Map(written.map((property) => [property.key, property]));
  return last.size === written.length ? written : written.filter((one) => last.get(one.key) === one);
}

/** Properties anywhere in the tree that a later one of the same object replaces. */
export function replacedProperties(node: Node): readonly Property[] {
  const found: Property[] = [];
  const pending = [node];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next.type === 'object') {
      const counting = new Set(properties(next).map(({ keyNode }) => keyNode));
      for (const property of allProperties(next)) if (!counting.has(property.keyNode)) found.push(property);
    }
    for (const child of next.children ?? []) pending.push(child);
  }
  return found;
}

/** As written, doubles included. Properties without a value are left out. */
function allProperties(node: Node): readonly Property[] {
  return (node.children ?? []).flatMap((property) => {
    const [keyNode, value] = property.children ?? [];
    if (keyNode === undefined || value === undefined) return [];
    return [{ key: String(keyNode.value), keyNode, value }];
  });
}

/** Offset to line and column in logarithmic time, so that ten thousand entries stay cheap. */
function lineIndex(text: string): (offset: number) => Place {
  const starts = [0];
  for (const newline of text.matchAll(/\r\n|\r|\n/g)) starts.push(newline.index + newline[0].length);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}

// jsonc-parser declares these as `const enum`s, which isolated modules cannot read.
const endOfFile = 17;
const commaExpected = 6;

/** The parser calls itself once a level: a file of brackets would end the program instead of being refused. */
function firstTooDeep(text: string): number | undefined {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (let token: number = scanner.scan(); token !== endOfFile; token = scanner.scan()) {
    const written = text[scanner.getTokenOffset()];
    if (written === '{' || written === '[') depth++;
    else if (written === '}' || written === ']') depth--;
    if (depth > deepest) return scanner.getTokenOffset();
  }
  return undefined;
}

function explain(error: ParseError, text: string): SyntaxProblem {
  const offset = Math.min(error.offset, text.length);
  const [message, hint] = sentences[error.error] ?? ['this is not JSON'];
  return hint === undefined ? { offset, message } : { offset, message, hint };
}

const sentences: Readonly<Record<number, readonly [message: string, hint?: string]>> = {
  1: ['this is not JSON', 'text stands in double quotes; everything else is a number, true, false or null'],
  2: ['this is not a number'],
  3: ['a key was expected here', 'keys stand in double quotes'],
  4: ['a value was expected here'],
  5: ['a colon was expected here', 'write "key": value'],
  6: ['a comma is missing before this'],
  7: ['a closing } is missing'],
  8: ['a closing ] is missing'],
  9: ['nothing may follow the closing bracket'],
  10: ['this comment cannot stand here'],
  11: ['this comment does not end', 'close it with */'],
  12: ['this text does not end', 'close it with a double quote on the same line'],
  13: ['this number does not end'],
  14: ['this is not a valid \\u escape', 'it takes four hex digits; write a backslash as \\\\'],
  15: ['this escape does not exist in JSON', 'write a backslash as \\\\'],
  16: ['this character cannot stand in JSON text', 'write a tab as \\t and a line break as \\n'],
};
