// Walks the grammar's tree of one line and hands out what a shell would run, open and set.
import type { Node } from 'web-tree-sitter';
import { checkArithmetic } from './arithmetic.ts';
import { changesWords, readBuiltin } from './builtins.ts';
import { plainMarks } from './marks.ts';
import type { Findings } from './shell.ts';
import { readWord } from './shell-words.ts';
import { checkGaps, checkLeaf } from './shell-certainty.ts';
import { shells } from './read-shell.ts';
import { baseName } from './wrappers.ts';

/** Where the walk hands what it finds. */
export interface TreeSink {
  readonly findings: Findings;
  /** A simple command as words. */
  readonly command: (words: readonly string[]) => void;
  /** Text that a shell reads as a command line of its own. */
  readonly nested: (line: string) => void;
}

/** Hands out everything in a tree, in the order of the line. What may be missing is added to the doubts. */
export function readTree(root: Node, sink: TreeSink): void {
  if (root.hasError) sink.findings.doubts.add('it is not a command line a shell would take');
  visit(root, { sink, strayWords: new Map() }, 0);
}

interface Walk {
  readonly sink: TreeSink;
  /** Words of a command, by its node, that the grammar hung elsewhere. */
  readonly strayWords: Map<number, Node[]>;
}

/** The call stack bounds how deep a walk may go; no line written by hand comes near. */
const depthLimit = 400;

function visit(node: Node, walk: Walk, depth: number): void {
  const { findings, nested } = walk.sink;
  if (depth > depthLimit) {
    findings.doubts.add('it is nested too deep to be read');
    return;
  }
  for (const doubt of [checkLeaf(node), checkGaps(node), checkArithmetic(node)])
    if (doubt !== undefined) findings.doubts.add(doubt);
  switch (node.type) {
    case 'command':
      readCommand(node, walk);
      break;
    case 'declaration_command':
    case 'unset_command':
      readDeclaration(node, walk.sink);
      break;
    case 'redirected_statement':
      gatherStrayWords(node, walk);
      break;
    case 'file_redirect':
      readFileRedirect(node, findings);
      break;
    case 'heredoc_redirect':
    case 'herestring_redirect':
      readInput(node, walk.sink);
      break;
    case 'variable_assignment':
      readAssignment(node, findings);
      break;
    case 'for_statement':
      findings.assigned.add(node.childForFieldName('variable')?.text ?? '');
      break;
    case 'function_definition':
      findings.doubts.add('it defines a function');
      break;
    case 'compound_statement':
      // `((…))` is arithmetic to bash and a group in a group to a plain shell.
      if (node.text.startsWith('((')) nested(node.text.slice(2, -2));
      break;
    case 'test_command':
      if (!node.text.startsWith('[['))
        for (const doubt of readBuiltin(['[', ...wordsOfTest(node)]).doubts) findings.doubts.add(doubt);
      break;
    case 'command_substitution':
      if (node.text.startsWith('`')) readBackticks(node.text, walk.sink);
      break;
    case 'expansion':
      if (/(?:@[A-Za-z]|:)\}$/.test(node.text))
        findings.doubts.add('an expansion evaluates what a variable holds');
      readAssigningExpansion(node, findings);
      break;
  }
  for (const child of node.children) visit(child, walk, depth + 1);
}

function readAssignment(node: Node, { assigned, doubts }: Findings): void {
  const name = node.childForFieldName('name')?.text.replace(/\[.*/s, '') ?? node.text;
  assigned.add(name);
  const command = node.parent?.type === 'command' ? node.parent.childForFieldName('name')?.text : undefined;
  if (name === 'IFS' && command !== 'read') doubts.add(changesWords);
}

/** `${x:=value}` sets x. */
function readAssigningExpansion({ text }: Node, { assigned, doubts }: Findings): void {
  const name = /^\$\{(\w+)(?:\[[^\]]*\])?:?=/.exec(text)?.[1];
  if (name === undefined) return;
  assigned.add(name);
  if (name === 'IFS') doubts.add(changesWords);
}

/** The words between the brackets of `[ … ]`, which the grammar makes an expression of. */
function wordsOfTest(node: Node): readonly string[] {
  return expressions.has(node.type) ? node.children.flatMap(wordsOfTest) : [readWord(node)];
}

const expressions = new Set([
  'test_command',
  'binary_expression',
  'unary_expression',
  'negation_expression',
  'parenthesized_expression',
]);

function readCommand(node: Node, { sink, strayWords }: Walk): void {
  const stray = [...(strayWords.get(node.id) ?? []), ...node.children.flatMap(wordsBehindTarget)];
  const own = node.children.filter((child) => !besideWords.has(child.type));
  const nodes = [...own, ...stray].sort((one, other) => one.startIndex - other.startIndex);
  if (nodes.some((word, at) => word.startIndex === nodes[at - 1]?.endIndex)) {
    sink.findings.doubts.add('where one of its words ends is not certain');
  }
  if (node.children.some(redirectsBoth)) sink.findings.doubts.add(bothStreams);
  sink.command(nodes.map(readWord));
}

/** What stands among the words of a command without being one. */
const besideWords = new Set([
  'variable_assignment',
  'variable_assignments',
  'file_redirect',
  'heredoc_redirect',
  'herestring_redirect',
  'comment',
  'subshell',
]);

/**
 * In `git > out push` and `git << END push` the grammar takes what stands behind the target for part of the redirect;
 * to a shell it is an argument of the last command before it.
 */
function gatherStrayWords(node: Node, { sink, strayWords }: Walk): void {
  const stray = node.children.flatMap((child) => [...wordsBehindTarget(child), ...wordsBehindHeredoc(child)]);
  if (stray.length === 0) return;
  if (node.descendantsOfType('file_redirect').some(redirectsBoth)) sink.findings.doubts.add(bothStreams);
  const owner = lastCommand(node.childForFieldName('body'));
  if (owner === undefined) sink.findings.doubts.add('words stand where a shell expects none');
  else strayWords.set(owner.id, [...(strayWords.get(owner.id) ?? []), ...stray]);
}

/** To a plain shell `a &> f b` is a in the background, and then b. */
function redirectsBoth({ type, text }: Node): boolean {
  return type === 'file_redirect' && text.startsWith('&');
}

const bothStreams = 'shells disagree on what follows &>';

function lastCommand(node: Node | null): Node | undefined {
  if (node === null || node.type === 'command') return node ?? undefined;
  if (node.type === 'redirected_statement') return lastCommand(node.childForFieldName('body'));
  return ['list', 'pipeline', 'negated_command'].includes(node.type)
    ? lastCommand(node.lastNamedChild)
    : undefined;
}

function wordsBehindTarget(node: Node): readonly Node[] {
  return node.type === 'file_redirect' ? targetsOf(node).slice(1) : [];
}

function wordsBehindHeredoc(node: Node): readonly Node[] {
  if (node.type !== 'heredoc_redirect') return [];
  const words = node.namedChildren.filter((child) => !besideHeredocWords.has(child.type));
  return [...words, ...node.children.flatMap(wordsBehindTarget)];
}

const besideHeredocWords = new Set([
  'heredoc_start',
  'heredoc_body',
  'heredoc_end',
  'file_descriptor',
  'file_redirect',
  'herestring_redirect',
  'command',
  'pipeline',
  'list',
  'redirected_statement',
  'comment',
]);

function targetsOf(redirect: Node): readonly Node[] {
  return redirect.namedChildren.filter((child) => child.type !== 'file_descriptor');
}

function readFileRedirect(node: Node, findings: Findings): void {
  const target = targetsOf(node)[0];
  if (target === undefined) return;
  const operator = node.text.slice(0, target.startIndex - node.startIndex).replace(/[^<>&|]/g, '');
  const word = readWord(target);
  // `2>&1` and `>&-` copy or close a descriptor; `>&name` opens a file.
  if (/[<>]&$/.test(operator) && /^(?:\d+-?|-)$/.test(word)) return;
  findings.redirects.push({ direction: /^<&?$/.test(operator) ? 'in' : 'out', target: plainMarks(word) });
}

/** A heredoc expands unless its mark is quoted. What a shell gets as input it may run, so it is read as well. */
function readInput(node: Node, { nested }: TreeSink): void {
  const body = node.namedChildren.find((child) => child.type === 'heredoc_body');
  const mark = node.namedChildren.find((child) => child.type === 'heredoc_start');
  if (body !== undefined && mark !== undefined && !/['"\\]/.test(mark.text)) {
    for (const inside of insideBackticks(body.text)) nested(inside);
  }
  const statement =
    node.parent?.descendantsOfType('command').flatMap((command) => command.children.map(readWord)) ?? [];
  if (!statement.some((word) => shells.has(baseName(word)))) return;
  const input = body?.text ?? node.lastNamedChild;
  if (input !== null) nested(typeof input === 'string' ? input : readWord(input));
}

/**
 * Between backticks a backslash may hide further ones, which the grammar takes for text; and two substitutions in a row
 * it may take for one inside the other.
 */
function readBackticks(text: string, { findings, nested }: TreeSink): void {
  const parts = insideBackticks(text);
  if (parts.length > 1) findings.doubts.add('which backticks belong together is not certain');
  if (parts.length > 1 || text.includes('\\')) for (const part of parts) nested(part);
}

/** What each pair of backticks in a text holds, as the shell that runs it sees it. */
function insideBackticks(text: string): readonly string[] {
  const pairs = [...text.matchAll(/\\[\s\S]|`((?:[^`\\]|\\[\s\S])*)`/g)].flatMap(
    ([, inside]) => inside ?? [],
  );
  return pairs.map((inside) => inside.replace(/\\([$`\\])/g, '$1'));
}

function readDeclaration(node: Node, sink: TreeSink): void {
  for (const child of node.namedChildren)
    if (child.type === 'variable_name') sink.findings.assigned.add(child.text);
  sink.command(node.children.filter((child) => child.type !== 'comment').map(declaredWord));
}

function declaredWord(node: Node): string {
  const value = node.type === 'variable_assignment' ? node.childForFieldName('value') : null;
  if (value === null) return readWord(node);
  return node.text.slice(0, value.startIndex - node.startIndex) + readWord(value);
}
