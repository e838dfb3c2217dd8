import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Decision, DispatchContext, Dispatcher } from '@codey/hooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGit } from '../git/git.ts';
import { createWorktrees, type Worktree, type Worktrees } from './worktrees.ts';

let folder: string;
let project: string;
let asked: { event: string; payload: Readonly<Record<string, unknown>> }[];
let answers: Partial<Record<string, Partial<Decision>>>;
let worktrees: Worktrees;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'worktrees-')));
  project = join(folder, 'project');
  mkdirSync(project);
  asked = [];
  answers = {};
  worktrees = open(project);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const environment = () => ({ ...process.env }) as Record<string, string>;

function open(root: string, env = environment): Worktrees {
  return createWorktrees({ projectRoot: root, git: createGit(env) });
}

const hooks: Dispatcher = {
  dispatch: async (event, payload) => {
    asked.push({ event, payload });
    return {
      verdict: { kind: 'none' },
      rewrittenBy: [],
      contexts: [],
      watchPaths: [],
      reports: [],
      ...answers[event],
    };
  },
};
const attributed = (text: string) => ({ hook: 'guard, settings.json:3', place: 'settings.json:3', text });
const block = (text: string): Partial<Decision> => ({
  verdict: { kind: 'deny', reasons: [attributed(text)] },
});

function asker(workspace = project) {
  return { hooks, context: { workspace } as DispatchContext };
}

function git(where: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: where, encoding: 'utf8', stdio: 'pipe' }).trim();
}

function repository(root = project): void {
  git(root, 'init', '--quiet');
  write(join(root, 'a.txt'), 'one\n');
  write(join(root, '.gitignore'), 'build/\n');
  git(root, 'add', '.');
  git(root, 'commit', '--quiet', '-m', 'first');
}

function commit(where: string): void {
  git(where, 'commit', '--quiet', '--allow-empty', '-m', 'more');
}

function write(file: string, text: string): void {
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text);
}

async function create(name = 'reviewer'): Promise<Worktree> {
  const created = await worktrees.create(name, asker());
  if (created.kind === 'refused') throw new Error(created.reason);
  return created.worktree;
}

describe('a worktree that is created', () => {
  it('stands in .codey/worktrees on a branch of its own, out of sight of git, after the hooks were asked [koder.event.worktreecreate-on-create] [koder.event.worktreecreate-payload]', async () => {
    repository();
    const worktree = await create();
    const path = join(project, '.codey/worktrees/reviewer');
    expect(worktree).toEqual({
      path,
      workspace: path,
      cwd: path,
      branch: 'codey/reviewer',
      start: git(project, 'rev-parse', 'HEAD'),
    });
    expect(asked).toEqual([
      { event: 'WorktreeCreate', payload: { branch: 'codey/reviewer', worktree_path: path } },
    ]);
    expect(readFileSync(join(path, 'a.txt'), 'utf8')).toBe('one\n');
    expect(git(path, 'branch', '--show-current')).toBe('codey/reviewer');
    expect(git(project, 'status', '--porcelain')).toBe('');
  });

  it('takes the next free name where path or branch is taken, also when two are made at once', async () => {
    repository();
    git(project, 'branch', 'codey/reviewer');
    write(join(project, '.codey/worktrees/reviewer-2/kept.txt'), 'mine');
    const [one, other] = await Promise.all([create(), create()]);
    expect([one.branch, other.branch]).toEqual(['codey/reviewer-3', 'codey/reviewer-4']);
    expect(readFileSync(join(project, '.codey/worktrees/reviewer-2/kept.txt'), 'utf8')).toBe('mine');
  });

  it('is not created where a hook blocks [koder.event.worktreecreate-block]', async () => {
    repository();
    answers.WorktreeCreate = block('no worktrees on Fridays');
    expect(await worktrees.create('reviewer', asker())).toEqual({
      kind: 'refused',
      reason: 'no worktrees on Fridays',
    });
    expect(git(project, 'worktree', 'list').split('\n')).toHaveLength(1);
    expect(git(project, 'branch', '--list', 'codey/*')).toBe('');
  });

  it('stands where a hook wants it, also outside the project [koder.output.worktreepath-relocates]', async () => {
    repository();
    for (const [name, wanted] of [
      ['absolute', join(folder, 'elsewhere/deep')],
      ['relative', '../beside'],
    ] as const) {
      answers.WorktreeCreate = { worktreePath: attributed(wanted) };
      const worktree = await create(name);
      expect(worktree.path).toBe(name === 'absolute' ? wanted : join(folder, 'beside'));
      expect(existsSync(join(worktree.path, 'a.txt'))).toBe(true);
    }
  });

  it('is refused with the hook named where the path a hook gives cannot hold one', async () => {
    repository();
    write(join(folder, 'full/file'), 'x');
    symlinkSync(join(project, '.git'), join(folder, 'link'));
    symlinkSync(join(folder, 'nowhere'), join(folder, 'dangling'));
    const cases = [
      [join(project, '.git/worktrees/mine'), "lies inside git's own folder"],
      [join(folder, 'link/inside'), "lies inside git's own folder"],
      [join(folder, 'other/.git/x'), "lies inside git's own folder"],
      [join(folder, 'full'), 'exists and is not an empty folder'],
      [join(folder, 'full/file'), 'exists and is not an empty folder'],
      [join(folder, 'dangling'), 'exists and is not an empty folder'],
      [project, 'holds the repository itself'],
      [folder, 'holds the repository itself'],
      ['two\nlines', 'holds a control character'],
      ['  ', 'is empty'],
    ] as const;
    for (const [wanted, why] of cases) {
      answers.WorktreeCreate = { worktreePath: attributed(wanted) };
      const created = await worktrees.create('reviewer', asker());
      expect(created).toMatchObject({ kind: 'refused', reason: expect.stringContaining(why) });
      expect(created).toMatchObject({ reason: expect.stringContaining('guard, settings.json:3') });
    }
    expect(git(project, 'worktree', 'list').split('\n')).toHaveLength(1);
  });

  // Nobody can make a folder there, root included.
  it.runIf(process.platform === 'linux')(
    'leaves no branch where git cannot make it, and one that somebody else made alone',
    async () => {
      repository();
      answers.WorktreeCreate = { worktreePath: attributed('/proc/nope/x') };
      const refused = { kind: 'refused', reason: expect.stringContaining('could not make the worktree') };
      expect(await worktrees.create('reviewer', asker())).toMatchObject(refused);
      expect(git(project, 'branch', '--list', 'codey/*')).toBe('');
      expect(git(project, 'worktree', 'list').split('\n')).toHaveLength(1);
      const making: Dispatcher = {
        async dispatch(event, payload, context) {
          git(project, 'branch', 'codey/reviewer');
          return hooks.dispatch(event, payload, context);
        },
      };
      expect(await worktrees.create('reviewer', { ...asker(), hooks: making })).toMatchObject(refused);
      expect(git(project, 'branch', '--list', 'codey/*')).toBe('codey/reviewer');
    },
  );

  it('is refused in plain words without git, without a repository, without commits and in a bare one', async () => {
    const reason = async (using = worktrees) => {
      const created = await using.create('reviewer', asker());
      return created.kind === 'refused' ? created.reason : '';
    };
    const none = environment();
    none.PATH = join(folder, 'empty');
    expect(await reason(open(project, () => none))).toMatch(/git is not installed/);
    expect(await reason()).toMatch(/is no working tree of git.*git init/);
    git(project, 'init', '--quiet');
    expect(await reason()).toMatch(/no commits yet.*Commit something first/);
    git(project, 'config', 'core.bare', 'true');
    expect(await reason()).toMatch(/is no working tree of git/);
    expect(asked).toEqual([]);
  });

  it('is of the repository it stands in, whatever variables say', async () => {
    repository();
    const other = join(folder, 'other');
    mkdirSync(other);
    repository(other);
    worktrees = open(project, () => ({
      ...environment(),
      GIT_DIR: join(other, '.git'),
      GIT_WORK_TREE: other,
    }));
    await create();
    expect(git(project, 'worktree', 'list').split('\n')).toHaveLength(2);
    expect(git(other, 'worktree', 'list').split('\n')).toHaveLength(1);
  });

  it('has its workspace where the project lies in a larger repository', async () => {
    repository();
    const inner = join(project, 'packages/app');
    write(join(inner, 'b.txt'), 'two\n');
    git(project, 'add', '.');
    git(project, 'commit', '--quiet', '-m', 'second');
    const created = await open(inner).create('reviewer', asker(inner));
    if (created.kind === 'refused') throw new Error(created.reason);
    const { path, workspace } = created.worktree;
    expect(path).toBe(join(inner, '.codey/worktrees/reviewer'));
    expect(readFileSync(join(workspace, 'b.txt'), 'utf8')).toBe('two\n');
  });

  it('is refused where .codey leads out of the project', async () => {
    repository();
    mkdirSync(join(folder, 'outside'));
    symlinkSync(join(folder, 'outside'), join(project, '.codey'));
    expect(await worktrees.create('reviewer', asker())).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('leads out of the project'),
    });
    expect(existsSync(join(folder, 'outside/worktrees'))).toBe(false);
  });
});

describe('a worktree whose agent is done', () => {
  it('is removed with its branch when it is clean [koder.event.worktreeremove-when-clean] [koder.event.worktreeremove-payload]', async () => {
    repository();
    const worktree = await create();
    expect(await worktrees.remove(worktree, asker())).toEqual({ kind: 'removed' });
    expect(asked.at(-1)).toEqual({ event: 'WorktreeRemove', payload: { worktree_path: worktree.path } });
    expect(existsSync(worktree.path)).toBe(false);
    expect(git(project, 'branch', '--list', 'codey/*')).toBe('');
  });

  it.each([
    ['in a sparse checkout', (path: string) => git(path, 'sparse-checkout', 'set', '--no-cone', '/nothing')],
    [
      'where git keeps no record of HEAD',
      (path: string) =>
        rmSync(join(git(path, 'rev-parse', '--absolute-git-dir').trim(), 'logs'), { recursive: true }),
    ],
  ])('is removed when it is clean %s', async (_, arrange) => {
    repository();
    const worktree = await create();
    arrange(worktree.path);
    expect(await worktrees.remove(worktree, asker())).toEqual({ kind: 'removed' });
  });

  it('is removed when its commits are on another branch as well', async () => {
    repository();
    const worktree = await create();
    write(join(worktree.path, 'a.txt'), 'two\n');
    git(worktree.path, 'commit', '--quiet', '-am', 'second');
    git(project, 'merge', '--quiet', 'codey/reviewer');
    expect(await worktrees.remove(worktree, asker())).toEqual({ kind: 'removed' });
  });

  it.each<[string, (path: string) => void, RegExp]>([
    ['uncommitted', (path) => write(join(path, 'a.txt'), 'changed\n'), /1 uncommitted change$/],
    ['deleted', (path) => rmSync(join(path, 'a.txt')), /1 uncommitted change$/],
    ['untracked', (path) => write(join(path, 'b.txt'), 'new'), /1 untracked file/],
    ['ignored', (path) => write(join(path, 'build/out'), 'made'), /1 ignored file/],
    ['committed and unmerged', commit, /1 commit that no other/],
    ['without the branch it came on', (path) => git(path, 'branch', '-m', 'mine'), /git could not say/],
    [
      'staged',
      (path) => {
        write(join(path, 'b.txt'), 'b');
        git(path, 'add', 'b.txt');
      },
      /1 uncommitted change$/,
    ],
    [
      'detached and unmerged',
      (path) => {
        git(path, 'checkout', '--quiet', '--detach');
        commit(path);
      },
      /1 commit that no other/,
    ],
    [
      'hidden from git',
      (path) => {
        git(path, 'update-index', '--assume-unchanged', 'a.txt');
        write(join(path, 'a.txt'), 'changed\n');
      },
      /git was told not to see/,
    ],
    [
      'skipped by git',
      (path) => {
        git(path, 'update-index', '--skip-worktree', 'a.txt');
        write(join(path, 'a.txt'), 'changed\n');
      },
      /git was told not to see/,
    ],
    [
      'committed beside the branch and left there',
      (path) => {
        git(path, 'checkout', '--quiet', '--detach');
        commit(path);
        git(path, 'checkout', '--quiet', 'codey/reviewer');
      },
      /^1 commit that was made here and stands on no branch$/,
    ],
    [
      'committed and taken back',
      (path) => {
        commit(path);
        git(path, 'reset', '--hard', '--quiet', 'HEAD~1');
      },
      /^1 commit that was made here and stands on no branch$/,
    ],
    [
      'in the middle of a merge',
      (path) => {
        git(path, 'checkout', '--quiet', '-b', 'side');
        commit(path);
        git(path, 'checkout', '--quiet', 'codey/reviewer');
        git(path, 'merge', '--no-ff', '--no-commit', '--quiet', 'side');
      },
      /a merge that is under way/,
    ],
  ])('is kept with work that is %s [koder.event.worktreeremove-when-clean]', async (_, work, why) => {
    repository();
    const worktree = await create();
    work(worktree.path);
    expect(await worktrees.remove(worktree, asker())).toEqual({
      kind: 'kept',
      why: expect.stringMatching(why),
    });
    expect(existsSync(join(worktree.path, '.git'))).toBe(true);
    expect(asked.map(({ event }) => event)).toEqual(['WorktreeCreate']);
  });

  it('is kept where a hook blocks, or leaves something there [koder.event.worktreeremove-block]', async () => {
    repository();
    const worktree = await create();
    answers.WorktreeRemove = block('I want to look at it');
    expect(await worktrees.remove(worktree, asker())).toEqual({ kind: 'kept', why: 'I want to look at it' });
    answers.WorktreeRemove = {};
    const writing: Dispatcher = {
      dispatch: async (event, payload, context) => {
        write(join(worktree.path, 'report.txt'), 'from a hook');
        return hooks.dispatch(event, payload, context);
      },
    };
    expect(await worktrees.remove(worktree, { ...asker(), hooks: writing })).toEqual({
      kind: 'kept',
      why: '1 untracked file',
    });
    expect(existsSync(worktree.path)).toBe(true);
  });
});
