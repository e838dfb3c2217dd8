// JavaScript's own regular expressions under a time limit, for patterns the linear-time engine does not know.
import type { Context, Script } from 'node:vm';

/** What one test may take before its answer is `unknown`. */
export const nativeLimitMs = 50;

export type NativeRegex =
  | { readonly ok: true; readonly test: (value: string) => 'yes' | 'no' | 'unknown' }
  | { readonly ok: false };

/**
 * Backtracking can take years and cannot be interrupted from the thread it runs on, except inside a `vm` script: there
 * the engine's own watchdog ends it. That costs about 0.2 ms a test, which only such patterns pay.
 */
export function compileNative(text: string): NativeRegex {
  let pattern: RegExp;
  try {
    pattern = new RegExp(text);
  } catch {
    return { ok: false };
  }
  return { ok: true, test: (value) => testWithin(pattern, value) };
}

function testWithin(pattern: RegExp, value: string): 'yes' | 'no' | 'unknown' {
  sandbox ??= createSandbox();
  const { context, script } = sandbox;
  context.pattern = pattern;
  context.value = value;
  try {
    return script.runInContext(context, { timeout: nativeLimitMs }) === true ? 'yes' : 'no';
  } catch {
    return 'unknown';
  } finally {
    context.pattern = undefined;
    context.value = undefined;
  }
}

interface Sandbox {
  readonly context: Context & { pattern?: RegExp | undefined; value?: string | undefined };
  readonly script: Script;
}

/** Made at the first test that needs it; holds nothing between tests. */
let sandbox: Sandbox | undefined;

function createSandbox(): Sandbox {
  const vm = process.getBuiltinModule('node:vm');
  return { context: vm.createContext(Object.create(null)), script: new vm.Script('pattern.test(value)') };
}
