// Where the grammar may have read a line otherwise than a shell does: it is made for editors and forgives a lot.
import type { Node } from 'web-tree-sitter';

/** A doubt about a node without children; undefined where its text holds nothing that a shell could still act on. */
export function checkLeaf(node: Node): string | undefined {
  if (node.childCount > 0 || !node.isNamed || inertLeaves.has(node.type)) return undefined;
  // A plain shell knows no `$'…'`: to it the quote ends at the first `'`, with or without a backslash.
  if (node.type === 'ansi_c_string')
    return node.text.includes("\\'") ? 'shells disagree on where a quote ends' : undefined;
  if (node.type === 'heredoc_start')
    return plainMark.test(node.text) ? undefined : 'where a heredoc ends is not certain';
  const active = activeCharacters.get(node.type) ?? substitution;
  return active.test(node.text.replace(/\\[\s\S]/g, ''))
    ? 'part of it could not be told from plain text'
    : undefined;
}

/** Leaves in which no character means anything. */
const inertLeaves = new Set(['raw_string', 'comment', 'heredoc_end']);

/** The mark of a heredoc as nearly everybody writes it; what more there may be in one is read in several ways. */
const plainMark = /^(?:'[\w.-]+'|"[\w.-]+"|\\?[\w.-]+)$/;

const substitution = /`|\$[({[]/;
/** Backticks in a heredoc are found by whoever reads it. */
const insideHeredoc = /\$\(/;

const activeCharacters = new Map([
  ['word', /[ \t\n;|&<>()`]|\$[({[]/],
  ['heredoc_body', insideHeredoc],
  ['heredoc_content', insideHeredoc],
]);

/**
 * A doubt about text that lies between a node's children and so belongs to none of them. Only blanks and continued lines
 * may: a carriage return, say, is part of a word to a shell.
 */
export function checkGaps(node: Node): string | undefined {
  if (node.childCount === 0 || textInGaps.has(node.type)) return undefined;
  const { text, startIndex } = node;
  let end = 0;
  for (const child of node.children) {
    if (!isBlank(text.slice(end, child.startIndex - startIndex))) return skipped;
    end = child.endIndex - startIndex;
  }
  return isBlank(text.slice(end)) ? undefined : skipped;
}

const skipped = 'it holds characters the grammar passes over';

/** Nodes whose text the grammar leaves between their children. */
const textInGaps = new Set(['string', 'translated_string', 'heredoc_body', 'expansion', 'regex']);

/** A continued line with no blank beside it joins two words into one, and the grammar parts them. */
function isBlank(text: string): boolean {
  return /^(?:[ \t\n]|\\\n)*$/.test(text) && !/^(?:\\\n)+$/.test(text);
}
