// What would be lost with a worktree: everything that stands nowhere else.
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { count } from '../tools/output.ts';
import type { Git } from './git.ts';

/**
 * Half sentences; none means that nothing would be lost. A question git does not answer counts as something that
 * would: only what is known to be clean is.
 */
export async function findUnsaved(
  { path, branch }: { readonly path: string; readonly branch: string },
  git: Git,
): Promise<readonly string[]> {
  const ask = (...args: readonly string[]) => git(args, path);
  const [status, hidden, commits, directory] = await Promise.all([
    ask(
      'status',
      '--porcelain=v1',
      '-z',
      '--untracked-files=normal',
      '--ignored=traditional',
      '--no-renames',
    ),
    ask('ls-files', '-v', '-z'),
    ask(...onlyHere(branch)),
    ask('rev-parse', '--absolute-git-dir'),
  ]);
  if (status.kind !== 'ok' || hidden.kind !== 'ok' || commits.kind !== 'ok' || directory.kind !== 'ok')
    return ['git could not say what is in it'];
  const changes = status.output.split('\0').filter((line) => line !== '');
  const marked = (mark: string) => changes.filter((line) => line.startsWith(mark)).length;
  const untracked = marked('??');
  const ignored = marked('!!');
  const changed = changes.length - untracked - ignored;
  const unseen = hidden.output.split('\0').filter((line) => /^[a-z]/.test(line)).length;
  const alone = commits.output.split('\n').filter((line) => line !== '').length;
  return [
    ...(changed > 0 ? [`${count(changed, 'uncommitted change')}`] : []),
    ...(untracked > 0 ? [`${count(untracked, 'untracked file')}`] : []),
    ...(ignored > 0 ? [`${count(ignored, 'ignored file')}`] : []),
    ...(unseen > 0 ? [`${count(unseen, 'file')} whose changes git was told not to see`] : []),
    ...(alone > 0 ? [`${count(alone, 'commit')} that no other branch has`] : []),
    ...(await underWay(directory.output.trim())),
  ];
}

/** Commits that can be reached from here and from no other branch, remote branch or tag. */
function onlyHere(branch: string): readonly string[] {
  const others = [`--exclude=${branch}`, '--branches', '--remotes', '--tags'];
  return ['rev-list', 'HEAD', `refs/heads/${branch}`, '--not', ...others];
}

const operations = {
  'rebase-merge': 'a rebase',
  'rebase-apply': 'a rebase',
  MERGE_HEAD: 'a merge',
  CHERRY_PICK_HEAD: 'a cherry-pick',
  REVERT_HEAD: 'a revert',
  BISECT_LOG: 'a bisection',
} as const;

async function underWay(gitDirectory: string): Promise<readonly string[]> {
  const found = await Promise.all(
    Object.entries(operations).map(([name, what]) =>
      access(join(gitDirectory, name)).then(
        () => [`${what} that is under way`],
        () => [],
      ),
    ),
  );
  return [...new Set(found.flat())];
}
