// A path and a branch for a new worktree that nothing has yet.
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git } from '../git/git.ts';

/** `name`, `name-2`, `name-3` … : the first that is free both as a folder and as a branch below `codey/`. */
export async function chooseName(
  folder: string,
  name: string,
  workspace: string,
  git: Git,
): Promise<{ readonly path: string; readonly branch: string }> {
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${name}-${number}`;
    const path = join(folder, candidate);
    const branch = `codey/${candidate}`;
    if (!(await exists(path)) && !(await hasBranch(branch, workspace, git))) return { path, branch };
  }
}

function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

export async function hasBranch(branch: string, workspace: string, git: Git): Promise<boolean> {
  return (await git(['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`], workspace)).kind === 'ok';
}
