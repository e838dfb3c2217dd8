import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGit } from './git.ts';
import { withoutRepositoryPrograms } from './repository-programs.ts';

let folder: string;
let project: string;
const environment = () => ({ PATH: process.env.PATH, HOME: folder });

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'git-')));
  project = join(folder, 'project');
  mkdirSync(project);
  plain('init', '--quiet');
  writeFileSync(join(project, 'a.txt'), 'one\n');
  plain('add', '.');
  plain('-c', 'user.name=a', '-c', 'user.email=a@localhost', 'commit', '--quiet', '-m', 'first');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function plain(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: project, env: environment(), encoding: 'utf8' });
}

/** A repository whose .git came with it: everything that git runs by itself leaves a trace. */
function makeHostile(): void {
  const program = join(folder, 'program');
  writeFileSync(program, `#!/bin/sh\necho "$0 $*" >> '${folder}/ran'\ncat 2>/dev/null\n`);
  chmodSync(program, 0o755);
  for (const hook of ['post-checkout', 'post-index-change', 'reference-transaction', 'pre-commit']) {
    writeFileSync(join(project, '.git/hooks', hook), `#!/bin/sh\necho ${hook} >> '${folder}/ran'\n`);
    chmodSync(join(project, '.git/hooks', hook), 0o755);
  }
  plain('config', 'core.fsmonitor', program);
  for (const [key, value] of [
    ['filter.a.b.clean', program],
    ['filter.a.b.smudge', program],
    ['filter.a.b.required', 'true'],
    ['diff.a.textconv', program],
    ['diff.b.command', program],
  ] as const)
    plain('config', key, value);
  writeFileSync(join(project, '.git/info/attributes'), '*.txt filter=a.b diff=a\n');
  writeFileSync(join(project, 'a.txt'), 'two\n');
}

describe('git, asked by the program itself', () => {
  it.each<readonly [string, readonly string[]]>([
    ['status', ['status', '--porcelain=v1']],
    ['diff', ['diff', '--no-ext-diff', '--no-textconv', 'HEAD', '--']],
    ['ls-files', ['ls-files', '--cached', '--others', '--exclude-standard']],
    ['worktree add', ['worktree', 'add', '--quiet', '-b', 'new', '../new']],
    ['branch', ['branch', 'other']],
  ])('runs nothing that the repository names: %s', async (_, args) => {
    makeHostile();
    expect(await createGit(environment)(args, project)).toMatchObject({ kind: 'ok' });
    expect(existsSync(join(folder, 'ran'))).toBe(false);
    // Without our care: the trap works.
    plain('status');
    expect(existsSync(join(folder, 'ran'))).toBe(true);
  });

  it('runs what the user named', async () => {
    writeFileSync(join(project, '.gitattributes'), '*.txt filter=mine\n');
    plain('config', '--global', 'filter.mine.smudge', 'sed s/one/mine/');
    await createGit(environment)(['worktree', 'add', '--quiet', '-b', 'new', '../new'], project);
    plain('-C', '../new', 'checkout', '--quiet', '--', '.');
    expect(existsSync(join(folder, 'new/a.txt'))).toBe(true);
    expect(withoutRepositoryPrograms('global\0filter.mine.smudge\0')).toEqual(withoutRepositoryPrograms(''));
  });
});
