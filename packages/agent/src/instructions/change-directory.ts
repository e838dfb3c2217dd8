// Where a session may go when its working directory is changed.
import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { failureReason, isInside } from '@codey/hooks';

export type FoundDirectory =
  | { readonly kind: 'directory'; readonly path: string }
  /** A sentence on why not. */
  | { readonly kind: 'refused'; readonly message: string };

/** `roots` are the workspace and what was added to it: relative paths of tools must not begin outside of them. */
export async function findDirectory(
  target: string,
  cwd: string,
  roots: readonly string[],
): Promise<FoundDirectory> {
  const wanted = resolve(cwd, target);
  try {
    const real = await realpath(wanted);
    if (!(await stat(real)).isDirectory()) return refused(`${wanted} is not a directory.`);
    if (isInside(real, roots)) return { kind: 'directory', path: real };
    return refused(`${real} lies outside the workspace. Start codey there, or give it with --add-dir.`);
  } catch (error) {
    return refused(`${wanted} cannot be entered: ${failureReason(error)}.`);
  }
}

function refused(message: string): FoundDirectory {
  return { kind: 'refused', message };
}
