// Compiles the regular expression of a search so that no pattern, however made, can stop the program.
import { createContext, Script } from 'node:vm';
import { RE2JS } from 're2js';

export type CompiledPattern =
  | { readonly kind: 'pattern'; readonly pattern: LinePattern }
  | { readonly kind: 'refused'; readonly message: string };

export interface LinePattern {
  /** Indexes of the lines that match, ascending. Throws PatternTooSlow. */
  matching(lines: readonly string[]): readonly number[];
}

export class PatternTooSlow extends Error {
  override readonly name = 'PatternTooSlow';
}

/**
 * Linear time where the pattern allows it; with lookaround or backreferences the native engine, which is given up after
 * a second for each batch of lines.
 */
export function compilePattern(source: string, ignoreCase: boolean): CompiledPattern {
  if (source.length > longestPattern) {
    return { kind: 'refused', message: `The pattern is longer than ${longestPattern} characters.` };
  }
  const linear = compileLinear(source, ignoreCase);
  if (linear !== null) return { kind: 'pattern', pattern: linear };
  try {
    return { kind: 'pattern', pattern: limited(new RegExp(source, ignoreCase ? 'iu' : 'u')) };
  } catch (error) {
    const why = (error as Error).message;
    const message = `The pattern does not compile: ${why}. Escape characters that stand for themselves with a backslash.`;
    return { kind: 'refused', message };
  }
}

/** Bounds what compiling costs; counted repetitions are bounded by the engine itself. */
const longestPattern = 1_000;

function compileLinear(source: string, ignoreCase: boolean): LinePattern | null {
  try {
    const pattern = RE2JS.compile(source, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
    return { matching: (lines) => lines.flatMap((line, index) => (pattern.test(line) ? index : [])) };
  } catch {
    return null;
  }
}

/** A script's time limit also ends a regular expression that is busy backtracking; nothing else in Node does. */
const search = new Script('lines.flatMap((line, index) => (pattern.test(line) ? index : []))');
const limitMs = 1_000;

function limited(pattern: RegExp): LinePattern {
  return {
    matching(lines) {
      try {
        return search.runInContext(createContext({ pattern, lines }), { timeout: limitMs });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
        throw new PatternTooSlow(
          'The pattern takes too long. Write it without repetitions inside repetitions, or without lookaround and backreferences.',
        );
      }
    },
  };
}
