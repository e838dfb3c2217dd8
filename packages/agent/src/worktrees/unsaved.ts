// What would be lost with a worktree: everything that stands nowhere else.
import { access, lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { count } from '../tools/output.ts';
import type { Git } from '../git/git.ts';

/**
 * Half sentences; none means that nothing would be lost. A question git does not answer counts as something that
 * would: only what is known to be clean is.
 */
export async function findUnsaved(
  { path, branch }: { readonly path: string; readonly branch: string },
  git: Git,
): Promise<readonly string[]> {
  const ask = (...args: readonly string[]) => git(args, path);
  const [status, hidden, commits, history, directory] = await Promise.all([
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
    ask('log', '--walk-reflogs', '--format=%H', 'HEAD'),
    ask('rev-parse', '--absolute-git-dir'),
  ]);
  if (status.kind !== 'ok' || hidden.kind !== 'ok' || commits.kind !== 'ok' || directory.kind !== 'ok')
    return unknown;
  // Without a record of where HEAD was git has an error for an answer; then there is none to lose.
  const visited = history.kind === 'ok' ? [...new Set(linesOf(history.output))] : [];
  const left = visited.length === 0 ? undefined : await ask(...onlyHere(branch, visited));
  if (left !== undefined && left.kind !== 'ok') return unknown;
  const changes = status.output.split('\0').filter((line) => line !== '');
  const marked = (mark: string) => changes.filter((line) => line.startsWith(mark)).length;
  const untracked = marked('??');
  const ignored = marked('!!');
  const changed = changes.length - untracked - ignored;
  const unseen = await countUnseen(path, hidden.output);
  const alone = linesOf(commits.output).length;
  const behind = left === undefined ? 0 : linesOf(left.output).length - alone;
  return [
    ...(changed > 0 ? [`${count(changed, 'uncommitted change')}`] : []),
    ...(untracked > 0 ? [`${count(untracked, 'untracked file')}`] : []),
    ...(ignored > 0 ? [`${count(ignored, 'ignored file')}`] : []),
    ...(unseen > 0 ? [`${count(unseen, 'file')} whose changes git was told not to see`] : []),
    ...(alone > 0 ? [`${count(alone, 'commit')} that no other branch has`] : []),
    ...(behind > 0 ? [`${count(behind, 'commit')} that was made here and stands on no branch`] : []),
    ...(await underWay(directory.output.trim())),
  ];
}

const unknown = ['git could not say what is in it'];

/** Files git looks past: assumed unchanged (a small letter), or skipped (S) although they are there, as in no sparse checkout. */
async function countUnseen(path: string, listed: string): Promise<number> {
  const files = listed.split('\0');
  const skipped = files.filter((line) => line.startsWith('S '));
  const there = await Promise.all(
    skipped.map((line) =>
      lstat(join(path, line.slice(2))).then(
        () => true,
        () => false,
      ),
    ),
  );
  return files.filter((line) => /^[a-z]/.test(line)).length + there.filter(Boolean).length;
}

function linesOf(output: string): readonly string[] {
  return output.split('\n').filter((line) => line !== '');
}

/** Commits that can be reached from here, or from `visited`, and from no other branch, remote branch or tag. */
function onlyHere(branch: string, visited: readonly string[] = []): readonly string[] {
  const others = [`--exclude=${branch}`, '--branches', '--remotes', '--tags'];
  return ['rev-list', 'HEAD', `refs/heads/${branch}`, ...visited, '--not', ...others];
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
