// The text of the script a hook runs, where its command names one that is easily found.
import { closeSync, openSync, readSync } from 'node:fs';
import { resolve } from 'node:path';
import { type HookDefinition, readSimpleCommand } from '@codey/hooks';

/** A script that is longer is searched as far as this. */
const mostBytes = 256 * 1024;

/** Empty where there is none. `environment` is what the hook's variables stand for. */
export function scriptText(
  { handler }: HookDefinition,
  root: string,
  environment: Readonly<Record<string, string>>,
): string {
  if (handler.type !== 'command') return '';
  const words =
    handler.args === undefined
      ? readSimpleCommand(handler.command, environment)?.words
      : [handler.command, ...handler.args];
  const files = (words ?? []).flatMap((word) =>
    word?.includes('/') || /\.\w+$/.test(word ?? '') ? [word ?? ''] : [],
  );
  return files.map((file) => beginningOf(resolve(root, file))).join('\n');
}

/** Binary programs hold no words of anybody. */
function beginningOf(file: string): string {
  try {
    const descriptor = openSync(file, 'r');
    try {
      const buffer = Buffer.alloc(mostBytes);
      const text = buffer.toString('utf8', 0, readSync(descriptor, buffer, 0, mostBytes, 0));
      return text.includes('\0') ? '' : text;
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return '';
  }
}
