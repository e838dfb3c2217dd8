// The one sentence about a worktree that stays: where it is, on which branch, and why.
import type { Removed, Worktree } from './worktrees.ts';

/** Undefined where it was removed. */
export function sayKept({ path, branch }: Worktree, removed: Removed): string | undefined {
  if (removed.kind === 'removed') return undefined;
  return `its worktree ${path} (branch ${branch}) is kept: ${removed.why}`;
}
