import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { guessSubject } from '../embed/guess-subject.ts';
import { type CallSubject, describeCall } from './call.ts';
import { allowCoverage, coverageOf, matchRule } from './match.ts';
import { parseRule, type Rule } from './parse.ts';

function rule(text: string): Rule {
  const parsed = parseRule(text);
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.rule;
}

const place = { workspace: '/work/project', cwd: '/work/project', realpath: async (path: string) => path };
const command = (line: string) => describeCall('run_shell', { kind: 'command', line }, place);

describe('does a rule fit anything in a command line?', () => {
  it.each([
    ['run_shell(git push*)', 'git push origin', 'yes'],
    ['run_shell(git push*)', 'git status', 'no'],
    ['run_shell(git push*)', 'cd x && FOO=1 git push', 'yes'],
    ['run_shell(git push*)', "timeout 5 bash -lc 'git push'", 'yes'],
    ['run_shell(git push*)', 'git -C elsewhere push', 'yes'],
    ['run_shell(git push*)', '/usr/bin/git push', 'yes'],
    ['run_shell(git -C *)', 'git -C elsewhere push', 'yes'],
    ['run_shell(sudo *)', 'sudo git push', 'yes'],
    ['run_shell(git push*)', 'echo "git push"', 'no'],
    ['run_shell(git push*)', 'echo $(date) "$HOME" *.c', 'no'],
    ['run_shell(git push*)', 'git $WHAT', 'unknown'],
    ['run_shell(git push*)', '$GIT push', 'unknown'],
    ['run_shell(git push*)', 'curl x | sh', 'unknown'],
    ['run_shell(git push*)', 'f() { git "$@"; }; f push', 'unknown'],
    ['run_shell(git push*)', "true 'x[$(git push)]' && [[ _ -gt 1 ]]", 'unknown'],
    ['run_shell(git push*)', '/usr/lib/git-core/git-push origin', 'yes'],
    ['run_shell(git push*)', 'git send-pack origin', 'yes'],
    ['run_shell(git push*)', 'git q', 'unknown'],
    ['run_shell(git push*)', "zsh -c 'git push'", 'yes'],
    ['run_shell(git push*)', "zsh -c '=git push'", 'unknown'],
    ['run_shell(git push*)', 'git push "', 'yes'],
    ['run_shell(git push*)', 'git pull "', 'unknown'],
    ['run_shell', '"', 'yes'],
    ['run_shell(*)', '"', 'yes'],
    ['edit_file', 'git push', 'no'],
    ['edit_file|run_shell(git*)', 'git push', 'yes'],
    ['*(git*)', 'git push', 'yes'],
  ])('%s on %j: %s [koder.if.command-argument] [contract.if.unknown-runs]', async (text, line, expected) => {
    expect(matchRule(rule(text), await command(line), 'any')).toBe(expected);
  });
});

describe('does a rule cover all of a command line? [contract.if.allow-covers-all]', () => {
  it.each([
    ['run_shell(git *)', 'git add . && git commit'],
    ['run_shell(git push*)', "timeout 5 env A=1 sh -c 'git push'"],
    ['run_shell(git push*)', 'git push > /dev/null 2>&1'],
    ['run_shell(npm *)', "npm test -- 'a  b' < input"],
    ['run_shell', 'anything "'],
    ['run_shell(*)', '$X'],
  ])('%s covers %j', async (text, line) => {
    const view = await command(line);
    expect(allowCoverage(rule(text), view)).toEqual({ kind: 'whole' });
    expect(matchRule(rule(text), view, 'every')).toBe('yes');
  });

  it.each([
    ['run_shell(git push*)', 'git push && make', 'covers 1 of 2 commands'],
    ['run_shell(git push*)', 'make', 'covers 0 of 1 command'],
    ['run_shell(git push*)', 'git push $(curl x)', 'covers 0 of 2 commands'],
    ['run_shell(git push*)', 'git push $BRANCH', 'covers 0 of 1 command'],
    ['run_shell(git push*)', 'sudo git push', 'covers 1 of 2 commands'],
    ['run_shell(git status*)', 'git -C elsewhere status', 'covers 0 of 1 command'],
    ['run_shell(git status*)', 'git -c core.fsmonitor=./x status', 'covers 0 of 1 command'],
    ['run_shell(ls*)', './ls', 'covers 0 of 1 command'],
    ['run_shell(npm test*)', './env npm test', 'covers 1 of 2 commands'],
    ['run_shell(npm test*)', "./sh -c 'npm test'", 'covers 1 of 2 commands'],
    ['run_shell(npm test*)', '/usr/bin/env npm test', 'covers 1 of 2 commands'],
    ['run_shell(npm test*)', 'time -o FILE npm test', 'covers 1 of 2 commands'],
    ['run_shell(npm test*)', 'env -C dir npm test', 'covers 1 of 2 commands'],
    ['run_shell(git status*)', 'git send-pack origin', 'covers 0 of 1 command'],
    [
      'run_shell(npm test*)',
      'npm test && [[ _ -eq 0 ]]',
      'the command line is not known in full: an arithmetic evaluation may run what a variable holds',
    ],
    [
      'run_shell(npm test*)',
      "zsh -c 'npm test'",
      'the command line is not known in full: zsh has a grammar of its own',
    ],
    ['run_shell(ls*)', 'ls() { rm x; }; ls', 'covers 1 of 2 commands'],
    [
      'run_shell(ls*)',
      'ls "',
      'the command line is not known in full: it is not a command line a shell would take',
    ],
    ['run_shell(git *)', 'PATH=./evil git status', 'the line sets PATH, which changes what its commands do'],
    [
      'run_shell(git *)',
      'GIT_EXTERNAL_DIFF=./evil; git diff',
      'the line sets GIT_EXTERNAL_DIFF, which changes what its commands do',
    ],
    [
      'run_shell(git *)',
      'env LD_PRELOAD=x git diff',
      'the line sets LD_PRELOAD, which changes what its commands do',
    ],
    [
      'run_shell(echo *)',
      'echo x > ~/.profile',
      'the line also writes a file that is known only when it runs',
    ],
    ['run_shell(echo *)', 'echo x >> src/a.ts', 'the line also writes src/a.ts'],
    ['run_shell(git *)', 'A=1', 'the line holds no command'],
    ['edit_file', 'git push', 'covers 0 of 1 command'],
  ])('%s does not cover %j: %s', async (text, line, said) => {
    const view = await command(line);
    expect(allowCoverage(rule(text), view)).toEqual({ kind: 'part', said });
    expect(matchRule(rule(text), view, 'every')).toBe('no');
  });

  it('several rules may cover a line together', async () => {
    const rules = [rule('run_shell(git add*)'), rule('run_shell(git commit*)'), rule('edit_file')];
    expect(coverageOf(await command('git add . && git commit -m x'), rules)).toEqual({ kind: 'whole' });
    expect(coverageOf(await command('git add . && git push'), rules)).toEqual({
      kind: 'part',
      said: 'covers 1 of 2 commands',
    });
    const lists = ({ words }: { words: readonly string[] }) => words[0] === 'ls';
    expect(coverageOf(await command('git add . && ls'), rules, lists)).toEqual({ kind: 'whole' });
  });
});

describe('addresses and calls without an argument', () => {
  it('a url is matched as a whole', async () => {
    const view = await describeCall('fetch_url', { kind: 'url', url: 'https://example.com/a' }, place);
    expect(matchRule(rule('fetch_url(https://example.com/*)'), view, 'any')).toBe('yes');
    expect(matchRule(rule('fetch_url(https://example.com/*)'), view, 'every')).toBe('yes');
    expect(matchRule(rule('fetch_url(https://other.com/*)'), view, 'every')).toBe('no');
    expect(matchRule(rule('fetch_url(https://other.com/*)'), view, 'any')).toBe('no');
  });

  it('a glob never fits a call without an argument', async () => {
    const view = await describeCall('todo', { kind: 'none' }, place);
    expect(matchRule(rule('todo(*)'), view, 'any')).toBe('no');
    expect(matchRule(rule('todo(*)'), view, 'every')).toBe('no');
    expect(matchRule(rule('to*'), view, 'every')).toBe('yes');
  });
});

describe('paths', () => {
  let root: string;
  let workspace: string;
  const file = (path: string, cwd = workspace) =>
    describeCall('write_file', { kind: 'path', path } satisfies CallSubject, { workspace, cwd });

  beforeAll(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'codey-match-')));
    workspace = join(root, 'project');
    await mkdir(join(workspace, 'src'), { recursive: true });
    await mkdir(join(root, 'outside'));
    await writeFile(join(workspace, 'src/a.ts'), '');
    await symlink(join(root, 'outside'), join(workspace, 'src/link'));
    await symlink(join(root, 'outside/new.txt'), join(workspace, 'src/dangling'));
    await symlink('loop', join(workspace, 'loop'));
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  it.each([
    ['src/a.ts', 'write_file(src/*)'],
    ['./src/a.ts', 'write_file(src/*)'],
    ['./src/a.ts', 'write_file(./src/*)'],
    ['src/../src/a.ts', 'write_file(src/a.ts)'],
    ['src/new/deep.ts', 'write_file(src/*)'],
    ['src/link/x', 'write_file(src/*)'],
    ['src/link/x', 'write_file(*/outside/x)'],
    ['src/dangling', 'write_file(*/outside/new.txt)'],
    ['src/../../outside/x', 'write_file(src/*)'],
    ['src/a.ts', 'write_file(*/project/src/a.ts)'],
  ])('%s is found by %s [contract.if.both-paths] [koder.if.path-argument]', async (path, text) => {
    expect(matchRule(rule(text), await file(path), 'any')).toBe('yes');
  });

  it('relative paths start from the current directory, and are matched from the workspace', async () => {
    expect(matchRule(rule('write_file(src/a.ts)'), await file('a.ts', join(workspace, 'src')), 'every')).toBe(
      'yes',
    );
  });

  it.each(['src/link/x', 'src/dangling', 'src/../../outside/x', 'src/../.env'])(
    'src/* does not allow %s, which leads elsewhere [contract.if.allow-covers-all]',
    async (path) => {
      expect(matchRule(rule('write_file(src/*)'), await file(path), 'every')).toBe('no');
    },
  );

  it('behind a link `..` leads elsewhere for a server, and nothing allows that [contract.if.unknown-runs]', async () => {
    const climbing = await file('src/link/../x');
    expect(matchRule(rule(`write_file(${root}/x)`), climbing, 'any')).toBe('yes');
    expect(matchRule(rule('write_file(src/x)'), climbing, 'any')).toBe('yes');
    expect(matchRule(rule('write_file(src/*)'), climbing, 'every')).toBe('no');
  });

  it('a path whose links lead nowhere is unknown [contract.if.unknown-runs]', async () => {
    expect(matchRule(rule('write_file(src/*)'), await file('loop/x'), 'any')).toBe('unknown');
    expect(matchRule(rule('write_file(loop/*)'), await file('loop/x'), 'every')).toBe('no');
  });

  it('all names of a file are listed once', async () => {
    expect((await file('src/link/x')).subject).toEqual({
      kind: 'path',
      forms: ['src/link/x', join(workspace, 'src/link/x'), '../outside/x', join(root, 'outside/x')],
      real: ['../outside/x', join(root, 'outside/x')],
      complete: true,
    });
  });
});

describe('a tool nobody knows [contract.if.unknown-runs] [contract.if.allow-covers-all]', () => {
  const call = (input: Record<string, unknown>) =>
    describeCall('mcp__fs__x', guessSubject('mcp__fs__x', input), {
      ...place,
      realpath: async (path: string) => path,
    });

  it.each([
    ['*secret*', { path: 'secret/x', command: 'ls' }],
    ['secret/*', { file_path: 'secret/x', path: 'ok' }],
    ['secret/*', { paths: ['secret/x'] }],
    ['secret/*', { path: ['secret/x'] }],
    ['secret/*', { path: './a/../secret/x', mode: 'r' }],
    ['secret/*', { a: { b: [{ c: 'secret/x' }] } }],
    ['secret/*', { files: { 'secret/x': 'text' } }],
    ['git push*', { command: ['git', 'push'] }],
    ['git push*', { cmd: 'git push' }],
    ['git push*', { cmd: 'cd a && git -C b push', path: 'x' }],
    ['git push*', { program: 'git', args: ['push', 'x'] }],
    ['git push*', { input: 'ls; git push' }],
    ['https://a.com/secret*', { url: 'https://A.com/x/../secret', path: 'x' }],
    ['https://a.com/secret*', { page: 'HTTPS://a.com/%73ecret' }],
  ])('%s stops %j', async (glob, input) => {
    expect(matchRule(rule(`mcp__fs__x(${glob})`), await call(input), 'any')).toBe('yes');
  });

  it.each([
    ['src/*', { path: 'src/a', file_path: 'secret' }],
    ['src/*', { path: 'src/a', destination: 'secret' }],
    ['src/*', { path: 'src/a', paths: ['secret'] }],
    ['src/*', { path: 'src/a', x: '/etc/passwd' }],
    ['git status', { command: 'git status', cmd: 'git push' }],
    ['git *', { command: 'git status', path: '/etc' }],
    ['x*', { query: 'x' }],
  ])('%s does not allow %j', async (glob, input) => {
    expect(matchRule(rule(`mcp__fs__x(${glob})`), await call(input), 'every')).toBe('no');
  });

  it.each([
    ['src/*', { path: 'src/a', content: 'text', encoding: 'utf8', limit: 3 }],
    ['src/*', { paths: ['src/a', 'src/b'] }],
    ['git status', { command: 'git status', timeout: 5 }],
    ['https://a.com/*', { url: 'https://a.com/x', format: 'md' }],
  ])('%s allows %j', async (glob, input) => {
    expect(matchRule(rule(`mcp__fs__x(${glob})`), await call(input), 'every')).toBe('yes');
    expect(matchRule(rule('mcp__fs__x(other*)'), await call(input), 'any')).toBe('no');
  });
});

it('a wrapper called by its path is not allowed with what it starts', async () => {
  expect(allowCoverage(rule('run_shell(ls*)'), await command('./timeout 5 ls'))).toEqual({
    kind: 'part',
    said: 'covers 1 of 2 commands',
  });
});

it('an address is stopped under every name and allowed as it is fetched', async () => {
  const view = (url: string) => describeCall('web_fetch', { kind: 'url', url }, place);
  const secret = rule('web_fetch(http://127.0.0.1:8/secret*)');
  expect(matchRule(secret, await view('http://127.1:8/a/../%73ecret'), 'any')).toBe('yes');
  const docs = rule('web_fetch(http://127.0.0.1:8/docs/*)');
  expect(matchRule(docs, await view('http://127.0.0.1:8/docs/../secret'), 'every')).toBe('no');
  expect(matchRule(docs, await view('http://127.0.0.1:8/a/../docs/x'), 'every')).toBe('yes');
});
