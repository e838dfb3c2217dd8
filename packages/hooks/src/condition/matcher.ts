// A group's `matcher`: an unanchored regular expression, compiled once and never able to hang the session.
import { RE2JS } from 're2js';
import { compileNative } from './native-regex.ts';

/** Whether a value matches; `unknown` when that could not be decided within its limit: the hook then runs. */
export type Answer3 = 'yes' | 'no' | 'unknown';

/** A compiled `matcher`, tested on the match value of an event. */
export interface Matcher {
  /** As written; empty, missing and `*` match everything. */
  readonly text: string;
  /** `unknown` when it could not be decided within its limit: the hook then runs. */
  test(value: string): Answer3;
}

export type CompiledMatcher =
  | { readonly ok: true; readonly matcher: Matcher }
  | { readonly ok: false; readonly message: string };

/**
 * Compiles what a settings file says. Most matchers name tools (`edit_file|write_file`) and need no engine at all; a
 * pattern goes to the linear-time engine where that reads it as JavaScript would, else to the native one under a limit.
 */
export function compileMatcher(text: string | undefined): CompiledMatcher {
  const written = text ?? '';
  const known = compiled.get(written);
  if (known !== undefined) return known;
  const result = compile(written);
  if (compiled.size >= cacheLimit) compiled.clear();
  compiled.set(written, result);
  return result;
}

/** Compiled matchers hold no state a session could see, so all sessions of a process may share them. */
const compiled = new Map<string, CompiledMatcher>();
const cacheLimit = 4096;

function compile(text: string): CompiledMatcher {
  if (text === '' || text === '*') return matcher(text, () => 'yes');
  if (isListOfWords(text)) {
    const words = text.split('|');
    return matcher(text, (value) => (words.some((word) => value.includes(word)) ? 'yes' : 'no'));
  }
  const native = compileNative(text);
  const linear = native.ok && !readAlike(text) ? undefined : compileLinear(text);
  if (linear?.ok) return matcher(text, linear.test);
  if (native.ok) return matcher(text, remember(native.test));
  return { ok: false, message: describeSyntaxError(text, linear?.problem) };
}

function matcher(text: string, test: (value: string) => Answer3): CompiledMatcher {
  return { ok: true, matcher: { text, test } };
}

/** No character with a meaning beside `|`: then matching is a search for one of the words. */
function isListOfWords(text: string): boolean {
  return !/[\\^$.*+?()[\]{}]/.test(text);
}

/**
 * Whether both engines read the pattern alike. Escapes beyond the common ones are the native engine's (`\A` is the
 * letter A there), as is `\s` (it knows more spaces there) and the empty class.
 */
function readAlike(text: string): boolean {
  const escapes = text.match(/\\[\s\S]/g) ?? [];
  return escapes.every((pair) => /^\\[dDwWbBntrfv\W]$/.test(pair)) && !/\[\^?\]|\[\[?:/.test(text);
}

type Linear =
  | { readonly ok: true; readonly test: (value: string) => Answer3 }
  | { readonly ok: false; readonly problem: Problem };

interface Problem {
  readonly what: string;
  /** The part of the pattern the engine stumbled over. */
  readonly part: string;
}

function compileLinear(text: string): Linear {
  try {
    const pattern = RE2JS.compile(text);
    return { ok: true, test: (value) => (pattern.test(value) ? 'yes' : 'no') };
  } catch (error) {
    const { error: what, input } = error as { error?: string; input?: string | null };
    return { ok: false, problem: { what: what ?? String(error), part: input ?? '' } };
  }
}

/** A value that once used up the native engine's limit must not do so at every event. */
function remember(test: (value: string) => Answer3): (value: string) => Answer3 {
  const answers = new Map<string, Answer3>();
  return (value) => {
    const known = answers.get(value);
    if (known !== undefined) return known;
    const answer = test(value);
    if (answers.size >= 256) answers.clear();
    answers.set(value, answer);
    return answer;
  };
}

function describeSyntaxError(text: string, problem: Problem | undefined): string {
  const what = problem?.what ?? 'not a regular expression';
  return `matcher "${text}" is not a regular expression: ${what} at character ${positionOf(text, problem)}`;
}

/** Where the pattern goes wrong, from 1. */
function positionOf(text: string, problem: Problem | undefined): number {
  const bracket = unbalancedBracket(text);
  if (bracket !== undefined) return bracket + 1;
  if (problem === undefined || problem.part === '') return text.length;
  return Math.max(0, text.indexOf(problem.part)) + 1;
}

/** Index of the first bracket without its partner. */
function unbalancedBracket(text: string): number | undefined {
  const open: number[] = [];
  let classStart: number | undefined;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '\\') at++;
    else if (classStart !== undefined) {
      if (char === ']') classStart = undefined;
    } else if (char === '[') classStart = at;
    else if (char === '(') open.push(at);
    else if (char === ')' && open.pop() === undefined) return at;
  }
  return open[0] ?? classStart;
}
