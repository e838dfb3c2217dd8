// Whether git, started in a directory, would obey the workspace's own repository, and run nothing but itself there.
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isInside } from '@codey/hooks';
import { namesNoProgram } from './repository-settings.ts';

/**
 * Git runs programs that the settings of a repository name, `git status` included, and takes any folder that looks like
 * a repository for one. The workspace's own may have come out of an archive, so its settings are looked at; one further
 * down may have come as ordinary files of a stranger, or have been written by the agent. Roots are absolute and without
 * links. Never throws.
 */
export function obeysOwnRepository(directory: string, roots: readonly string[]): boolean {
  let here: string;
  try {
    here = realpathSync(directory);
  } catch {
    return false;
  }
  if (!isInside(here, roots)) return false;
  for (; !roots.includes(here); here = dirname(here)) if (looksLikeRepository(here)) return false;
  return namesNoProgram(here);
}

/** As git finds one: a `.git` of any kind, or the parts of a bare repository. */
function looksLikeRepository(folder: string): boolean {
  const has = (name: string): boolean => existsSync(join(folder, name));
  return has('.git') || (has('HEAD') && (has('objects') || has('commondir')));
}
