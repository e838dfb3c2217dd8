// Whether a worktree may stand where a hook wants it.
import { lstat, readdir } from 'node:fs/promises';
import { isAbsolute, resolve, sep } from 'node:path';
import { isInside, resolveLinks } from '@codey/hooks';
import type { Repository } from './repository.ts';

export type CheckedPath =
  /** Absolute, links resolved. */
  | { readonly kind: 'usable'; readonly path: string }
  /** Half a sentence that goes on from the path. */
  | { readonly kind: 'refused'; readonly why: string };

/**
 * Outside the project is fine: that is what relocating is for. Inside a `.git`, on top of something that is there, or
 * around the repository itself it would destroy what it should isolate from.
 *
 * @param written absolute, or relative to `workspace`
 */
export async function checkWorktreePath(
  written: string,
  workspace: string,
  { top, commonDir }: Pick<Repository, 'top' | 'commonDir'>,
): Promise<CheckedPath> {
  if (written.trim() === '') return refused('is empty');
  if (/\p{Cc}/u.test(written)) return refused('holds a control character');
  const absolute = isAbsolute(written) ? resolve(written) : resolve(workspace, written);
  const path = await resolveLinks(absolute).catch(() => undefined);
  if (path === undefined) return refused('leads through a link or folder that cannot be followed');
  if ([absolute, path].some((name) => name.split(sep).includes('.git')) || isInside(path, [commonDir]))
    return refused("lies inside git's own folder");
  if (isInside(top, [path])) return refused('holds the repository itself');
  return (await isFree(absolute)) ? { kind: 'usable', path } : refused('exists and is not an empty folder');
}

/** Nothing, or an empty folder that is no link. */
async function isFree(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isDirectory() && (await readdir(path)).length === 0;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

function refused(why: string): CheckedPath {
  return { kind: 'refused', why };
}
