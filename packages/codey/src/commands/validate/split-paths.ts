// Commands whose path falls apart: a variable without quotes whose value here has a space in it.
import { speaksSh } from '@codey/hooks';
import type { AnyHook, Suspicion, SuspicionFacts } from './suspicions.ts';

/** Folders that this program names to hooks; what other variables hold is the user's own affair. */
const folders = ['CODEY_PROJECT_DIR', 'KODER_PROJECT_DIR', 'CODEY_SKILL_DIR', 'KODER_SKILL_DIR'] as const;

export function splitPaths(hook: AnyHook, { root }: SuspicionFacts): readonly Suspicion[] {
  const command = shellLineOf(hook);
  if (command === undefined) return [];
  const { source } = hook;
  const bare = withoutQuoted(command);
  return folders.flatMap((name) => {
    const value = name.endsWith('PROJECT_DIR') ? root : (source.root ?? '');
    const written = new RegExp(`\\$(?:${name}\\b|\\{${name}\\})`).exec(bare)?.[0];
    if (written === undefined || !/\s/.test(value)) return [];
    const message = `the shell splits ${written} at the space in ${value}`;
    return [{ source, message, hint: `put it in quotes: "${written}"` }];
  });
}

/** Where a shell reads the line, and by the rules of sh. */
function shellLineOf(hook: AnyHook): string | undefined {
  if (!('handler' in hook)) return hook.command;
  const { handler } = hook;
  if (handler.type !== 'command' && handler.type !== 'worker') return undefined;
  return handler.args === undefined && speaksSh(handler.shell) ? handler.command : undefined;
}

/** What stands in quotes or behind a backslash is not split. */
function withoutQuoted(line: string): string {
  return line.replace(/\\[\s\S]|'[^']*'|"(?:\\[\s\S]|[^"\\])*"/g, '_');
}
