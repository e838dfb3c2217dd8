// Hooks that never run because the same hook stands before them with the same conditions.
import { basename } from 'node:path';
import type { AnyHook, Suspicion } from './suspicions.ts';

/** `hooks` in the order in which they run. A copy with other conditions may run where the first one does not. */
export function hiddenCopies(hooks: readonly AnyHook[]): readonly Suspicion[] {
  const first = new Map<string, AnyHook>();
  return hooks.flatMap((hook) => {
    const key = keyOf(hook);
    const before = first.get(key);
    if (before === undefined) {
      first.set(key, hook);
      return [];
    }
    const { file, line } = before.source;
    const place =
      file === hook.source.file ? `line ${line}` : `${basename(file)}:${line} (${before.source.scope})`;
    return [
      {
        source: hook.source,
        message: `the same ${hook.event} hook stands in ${place} and runs in place of this one`,
        hint: 'remove one of them',
      },
    ];
  });
}

function keyOf(hook: AnyHook): string {
  const conditions = 'handler' in hook ? [hook.matcher.text, hook.condition?.text ?? ''] : [];
  return JSON.stringify([hook.event, hook.identity, ...conditions]);
}
