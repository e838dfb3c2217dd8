// Whether a worktree can be made of the place an agent stands in, and what git calls that place.
import type { Git } from '../git/git.ts';

export interface Repository {
  /** Of the worktree the agent stands in. Absolute, real. */
  readonly top: string;
  /** From there to the workspace: empty where that is its top. */
  readonly prefix: string;
  /** The directory all worktrees of the repository share. Absolute, real. */
  readonly commonDir: string;
  /** The commit that is checked out. */
  readonly head: string;
}

export type FoundRepository =
  | { readonly kind: 'repository'; readonly repository: Repository }
  /** A sentence that says what to do. */
  | { readonly kind: 'unusable'; readonly message: string };

export async function findRepository(workspace: string, git: Git): Promise<FoundRepository> {
  const asked = await git(
    ['rev-parse', '--path-format=absolute', '--git-common-dir', '--show-prefix', '--show-toplevel'],
    workspace,
  );
  switch (asked.kind) {
    case 'missing':
      return unusable('git is not installed, and a worktree is a feature of git. Work without isolation.');
    case 'failed':
      return unusable(
        `${workspace} is no working tree of git (${asked.message}). Run "git init" and commit, or work without isolation.`,
      );
    case 'ok': {
      const [commonDir = '', prefix = '', top = ''] = asked.output.split('\n');
      const head = await git(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], workspace);
      if (head.kind === 'ok')
        return { kind: 'repository', repository: { top, prefix, commonDir, head: head.output.trim() } };
      return unusable(
        'this git repository has no commits yet, and a worktree starts from one. Commit something first, or work without isolation.',
      );
    }
  }
}

function unusable(message: string): FoundRepository {
  return { kind: 'unusable', message };
}
