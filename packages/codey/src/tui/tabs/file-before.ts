// What a file holds before a call changes it: looked at without waiting, since the call or its prompt is about to begin.
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { editOf } from '../state/edit-of.ts';

/** Larger files are changed all the same; only their difference is not shown. */
const largestFile = 512 * 1024;

/** Undefined for a call that changes no file, and for a file that cannot be shown. A new file was empty. */
export function fileBefore(
  tool: string,
  input: Readonly<Record<string, unknown>>,
  cwd: string,
): string | undefined {
  const { path: named } = input;
  if (editOf(tool, input) === undefined || typeof named !== 'string') return undefined;
  try {
    const file = resolve(cwd, named);
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats === undefined) return '';
    // Only a regular file is opened: a pipe would wait for its writer.
    return stats.isFile() && stats.size <= largestFile ? readFileSync(file, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}
