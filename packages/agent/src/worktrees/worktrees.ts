// Gives an agent a worktree of its own and takes it away again when nothing would be lost.
import { mkdir, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  type DispatchContext,
  type Dispatcher,
  ensureIgnored,
  failureReason,
  isInside,
  resolveLinks,
} from '@codey/hooks';
import { type ProtectedPaths, protectedPaths } from '../gate/permissions/protected-paths.ts';
import type { PermissionState } from '../gate/permissions/state.ts';
import type { Place } from '../loop/place.ts';
import { refusalOf } from '../loop/refusal.ts';
import { checkWorktreePath } from './check-path.ts';
import { chooseName, hasBranch } from './choose-name.ts';
import type { Git } from '../git/git.ts';
import { findRepository, type Repository } from './repository.ts';
import { findUnsaved } from './unsaved.ts';

export interface Worktree extends Place {
  /** Its root; the workspace lies below it where the project is a folder of its repository. */
  readonly path: string;
  readonly branch: string;
  /** The commit it started from. */
  readonly start: string;
}

/** Whose hooks are asked, and from where. */
export interface Asker {
  readonly hooks: Dispatcher;
  readonly context: DispatchContext;
}

export type Created =
  | { readonly kind: 'created'; readonly worktree: Worktree }
  /** A sentence for the agent that wanted it. */
  | { readonly kind: 'refused'; readonly reason: string };

export type Removed =
  | { readonly kind: 'removed' }
  /** Half a sentence: what would be lost, or which hook keeps it. */
  | { readonly kind: 'kept'; readonly why: string };

export interface Worktrees {
  /** `name` becomes part of path and branch, with a number where one of them is taken. Never rejects. */
  create(name: string, asker: Asker): Promise<Created>;
  /** Uncommitted, untracked, ignored or unmerged work is never deleted. Never rejects. */
  remove(worktree: Worktree, asker: Asker): Promise<Removed>;
  /** What is protected in a project is protected in each of its worktrees. */
  protect(state: PermissionState): PermissionState;
}

export function createWorktrees({
  projectRoot,
  git,
}: {
  readonly projectRoot: string;
  readonly git: Git;
}): Worktrees {
  const guarded = new Map<string, ProtectedPaths>();
  // One after another: two that are made at once would choose the same name.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };

  async function create(name: string, asker: Asker): Promise<Created> {
    const found = await findRepository(asker.context.workspace, git);
    if (found.kind === 'unusable') return refused(found.message);
    const { repository } = found;
    const folder = await ownFolder(projectRoot);
    const { path, branch } = await chooseName(folder, name, asker.context.workspace, git);
    const placed = await askHooks({ path, branch }, repository, asker);
    if (placed.kind === 'refused') return placed;
    // Hooks may have made it since it was free.
    const foreign = await hasBranch(branch, asker.context.workspace, git);
    const made = await git(
      ['worktree', 'add', '--quiet', '-b', branch, '--', placed.path, repository.head],
      asker.context.workspace,
    );
    if (made.kind !== 'ok') {
      // git makes the branch first. It keeps one that has other commits or is checked out.
      if (!foreign) await git(['branch', '--quiet', '-d', '--', branch], asker.context.workspace);
      return refused(
        `git could not make the worktree ${placed.path}: ${made.kind === 'failed' ? made.message : 'git is gone'}`,
      );
    }
    const real = await realpath(placed.path);
    const workspace = resolve(real, repository.prefix);
    // A folder of the project that no commit holds is not there.
    await mkdir(workspace, { recursive: true });
    guarded.set(real, await protectedPaths({ home: workspace, roots: [workspace, real] }));
    return {
      kind: 'created',
      worktree: { path: real, branch, start: repository.head, workspace, cwd: workspace },
    };
  }

  async function remove(worktree: Worktree, { hooks, context }: Asker): Promise<Removed> {
    const unsaved = await findUnsaved(worktree, git);
    if (unsaved.length > 0) return kept(unsaved.join(', '));
    const asked = await hooks.dispatch('WorktreeRemove', { worktree_path: worktree.path }, context);
    const no = refusalOf(asked);
    if (no !== undefined) return kept(no);
    // Hooks may have written there meanwhile, and git itself passes over ignored files.
    const since = await findUnsaved(worktree, git);
    if (since.length > 0) return kept(since.join(', '));
    const head = await git(['rev-parse', '--verify', `refs/heads/${worktree.branch}`], projectRoot);
    const gone = await git(['worktree', 'remove', '--', worktree.path], projectRoot);
    if (gone.kind !== 'ok') return kept(gone.kind === 'failed' ? gone.message : 'git is gone');
    guarded.delete(worktree.path);
    // Only the commit that was looked at: one that came meanwhile keeps the branch.
    if (head.kind === 'ok')
      await git(['update-ref', '-d', `refs/heads/${worktree.branch}`, head.output.trim()], projectRoot);
    return { kind: 'removed' };
  }

  return {
    create: (name, asker) =>
      inTurn(() => create(name, asker)).catch((error: unknown) =>
        refused(`the worktree could not be made: ${failureReason(error)}`),
      ),
    remove: (worktree, asker) =>
      inTurn(() => remove(worktree, asker)).catch((error: unknown) => kept(failureReason(error))),
    protect(state) {
      if (guarded.size === 0) return state;
      const all = [state.protectedPaths, ...guarded.values()];
      const paths = {
        files: all.flatMap(({ files }) => files),
        folders: all.flatMap(({ folders }) => folders),
      };
      return { ...state, protectedPaths: paths };
    },
  };
}

/** `.codey/worktrees`, which git ignores. A link that leads out of the project would carry the worktrees with it. */
async function ownFolder(projectRoot: string): Promise<string> {
  const directory = join(projectRoot, '.codey');
  const folder = join(directory, 'worktrees');
  const real = await resolveLinks(folder);
  if (!isInside(real, [await realpath(projectRoot)]))
    throw new Error(`${folder} leads out of the project through a link; make it a folder`);
  await mkdir(real, { recursive: true });
  await ensureIgnored(directory);
  return real;
}

type Placed =
  | { readonly kind: 'placed'; readonly path: string }
  | Extract<Created, { readonly kind: 'refused' }>;

async function askHooks(
  { path, branch }: { readonly path: string; readonly branch: string },
  repository: Repository,
  { hooks, context }: Asker,
): Promise<Placed> {
  const asked = await hooks.dispatch('WorktreeCreate', { branch, worktree_path: path }, context);
  const no = refusalOf(asked);
  if (no !== undefined) return refused(no);
  const wanted = asked.worktreePath;
  if (wanted === undefined) return { kind: 'placed', path };
  const checked = await checkWorktreePath(wanted.text, context.workspace, repository);
  if (checked.kind === 'usable') return { kind: 'placed', path: checked.path };
  return refused(
    `WorktreeCreate hook ${wanted.hook} wants the worktree at ${JSON.stringify(wanted.text)}, which ${checked.why}`,
  );
}

function refused(reason: string): Extract<Created, { readonly kind: 'refused' }> {
  return { kind: 'refused', reason };
}

function kept(why: string): Removed {
  return { kind: 'kept', why };
}
