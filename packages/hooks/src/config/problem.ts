// A letter to whoever must fix a settings file: where, what, and what was probably meant.
import type { Scope } from './hook.ts';
import { printable } from './printable.ts';

/** Something wrong in a settings file, with the place where it can be put right. */
export interface Problem {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly column: number;
  readonly scope: Scope;
  /** One sentence on what is wrong. */
  readonly message: string;
  /** What was probably meant, or what to do. */
  readonly hint?: string;
  /** Which part of the file it is in: `-no-hooks` skips `hooks` problems only. */
  readonly area: 'syntax' | 'hooks' | 'permissions' | 'other';
}

/** `file:line:column  what  (did you mean …)`. */
export function formatProblem(problem: Problem): string {
  const hint = problem.hint === undefined ? '' : `  (${problem.hint})`;
  return `${printable(problem.file)}:${problem.line}:${problem.column}  ${problem.message}${hint}`;
}
