// Makes a module with hooks the program that a settings file names.
import { Console } from 'node:console';
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Hook } from './define-hook.ts';
import { serveHooks } from './serve-hooks.ts';

/**
 * Called as the last statement, `await runHooks(import.meta.url, hook)`. Answers on stdin and stdout and ends the process
 * where the module was started by itself; does nothing where it was imported, for instance by its test. What the hook
 * prints with `console` goes to stderr, since stdout holds the answer.
 */
export async function runHooks(moduleUrl: string, ...hooks: readonly Hook[]): Promise<void> {
  if (typeof moduleUrl !== 'string')
    throw new TypeError('runHooks takes import.meta.url first, then the hooks');
  if (!isProgram(moduleUrl)) return;
  globalThis.console = new Console(process.stderr);
  const { stdin: input, stdout: output, stderr: errors } = process;
  const code = await serveHooks(hooks, { input, output, errors });
  // A timer or socket the hook left open would keep it from ending.
  process.exit(code);
}

function isProgram(moduleUrl: string): boolean {
  const [, script] = process.argv;
  if (script === undefined || !moduleUrl.startsWith('file:')) return false;
  try {
    return realpathSync(script) === realpathSync(fileURLToPath(moduleUrl));
  } catch {
    return false;
  }
}
