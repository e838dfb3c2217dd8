import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CallSubject, describeCall, guessSubject } from '@codey/hooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { followPath } from './follow-path.ts';
import { findProtected, type ProtectedPaths, protectedPaths } from './protected-paths.ts';

let root: string;
let project: string;
let paths: ProtectedPaths;

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'codey-protected-')));
  project = join(root, 'project');
  await mkdir(join(project, '.codey/hooks'), { recursive: true });
  await mkdir(join(project, 'scripts'));
  await mkdir(join(root, 'dotfiles'));
  await symlink(join(root, 'dotfiles'), join(root, '.codey'));
  await symlink('.codey/settings.json', join(project, 'innocent.json'));
  await writeFile(join(project, '.codey/settings.json'), '{}');
  await mkdir(join(project, '.git/hooks'), { recursive: true });
  await symlink('.git', join(project, 'g'));
  await symlink('../project/scripts', join(project, 's'));
  paths = await protectedPaths({ home: root, roots: [project], files: [join(project, 'scripts/guard.sh')] });
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function found(subject: CallSubject, cwd = project): Promise<string | undefined> {
  const view = await describeCall('tool', subject, { workspace: project, cwd });
  return findProtected(view, paths, { cwd, follow: followPath });
}

describe('file tools [contract.trust.files-protected]', () => {
  it.each([
    '.codey/settings.json',
    '.koder/settings.local.json',
    './src/../.codey/hooks/deep/guard.sh',
    '.codey/agents/reviewer.md',
    '.koder/skills/x/SKILL.md',
    '.agents/skills/x/SKILL.md',
    '.codey',
    '.git/config',
    '.git/hooks/pre-commit',
    '.git/commondir',
    '.git/modules/part/config',
    'nested/.git/config',
    'nested/.git',
    'scripts/guard.sh',
    'innocent.json',
    'g/config',
    'g/hooks/pre-commit',
    's/guard.sh',
    's/../.codey/settings.json',
    '../.codey/trust.json',
    '../.koder/managed-settings.json',
    '../.codey/cache/20.20.2-linux-x64/session-XKTOCg7E.cjs',
    '../dotfiles/settings.json',
  ])('%s is protected', async (path) => {
    expect(await found({ kind: 'path', path })).toMatch(/ is protected$/);
  });

  it.each([
    'src/settings.json',
    'settings.json',
    '.codey/worktrees/fix/src/a.ts',
    '.codey/events.jsonl',
    '.codeyx/hooks/a',
    '.git/refs/x',
    'scripts/other.sh',
    '.',
  ])('%s is not', async (path) => {
    expect(await found({ kind: 'path', path })).toBeUndefined();
  });
});

describe('shell lines [contract.trust.files-protected]', () => {
  it.each([
    ['cat .codey/settings.json', '.codey/settings.json is protected'],
    ['echo {} > .codey/settings.json', '.codey/settings.json is protected'],
    ['ls && echo "x" | tee ".koder/settings.local.json"', '.koder/settings.local.json is protected'],
    ['rm -rf .codey/', '.codey/ is protected'],
    ['cp a .codey/hooks', '.codey/hooks is protected'],
    ['dd of=scripts/guard.sh', 'scripts/guard.sh is protected'],
    ['curl -oscripts/guard.sh x', 'scripts/guard.sh is protected'],
    ['sed -i s/a/b/ --file=scripts/../scripts/guard.sh', '--file=scripts/../scripts/guard.sh is protected'],
    ['cd .codey && rm settings.json', '.codey is protected'],
    ['cd scripts; rm guard.sh', 'guard.sh is protected'],
    ['git -C scripts rm guard.sh', 'guard.sh is protected'],
    ['echo "$(( x > .codey/settings.json', '.codey/settings.json is protected'],
    ['eval "$X"; echo > .koder/settings.json', '.koder/settings.json is protected'],
    ["echo ' && codey hooks trust --yes", 'the line starts codey itself'],
    ['rm ~/.codey/trust.json', '…/.codey/trust.json is protected'],
    ['rm "$HOME"/.koder/settings.json', '…/.koder/settings.json is protected'],
    ['cp evil ~/.codey/cache/20.20.2-linux-x64/a.cjs', '…/.codey/cache/20.20.2-linux-x64/a.cjs is protected'],
    ['rm .codey/*', '.codey/… is protected'],
    ['rm .codey/sett*.json', '.codey/sett….json is protected'],
    ["bash -c 'echo > .codey/settings.json'", '.codey/settings.json is protected'],
    ['git config --file .git/config a.b c', '.git/config is protected'],
    ['codey hooks trust --yes', 'the line starts codey itself'],
    ['ls; env A=1 /usr/bin/koder -p x', 'the line starts codey itself'],
    ['npx -y codey@latest setup', 'the line starts codey itself'],
    ['node packages/codey/bin/codey.js', 'the line starts codey itself'],
    ['echo x > g/config', 'g/config is protected'],
    ['echo x | uniq - g/config', 'g/config is protected'],
    ['echo x > s/guard.sh', 's/guard.sh is protected'],
    ['rm s/../g/hooks', 's/../g/hooks is protected'],
    ['echo x > innocent.json', 'innocent.json is protected'],
    ['rm g/*', 'g/… is protected'],
    ['echo 1 >> /proc/self/cwd/.codey/settings.json', '/proc/self/cwd/.codey/settings.json is protected'],
    ['echo 1 >> /proc/self/cwd/scripts/guard.sh', '/proc/self/cwd/scripts/guard.sh is protected'],
    ['echo 1 >> /proc/$$/task/1/cwd/scripts/guard.sh', '/cwd/scripts/guard.sh is protected'],
    ['exec 3<.; echo 1 >> /dev/fd/3/scripts/guard.sh', '/dev/fd/3/scripts/guard.sh is protected'],
    ['tee -a .?odey/settings.json', '.…odey/settings.json is protected'],
    ['tee -a .[c]odey/settings.json', '.…odey/settings.json is protected'],
    ['tee -a ./.*y/settings.json', './.…y/settings.json is protected'],
    ['tee -a .c*/s*', '.c…/s… is protected'],
    ['tee -a {.codey,x}/settings.json', '.codey is protected'],
    ['tee -a .{codey,x}/settings.json', '.…/settings.json is protected'],
    ['tee -a .$X/settings.json', '.…/settings.json is protected'],
    ['tee -a ${A}codey/settings.json', '…codey/settings.json is protected'],
    ['cd .?ode? && echo >> settings.json', '.…ode… is protected'],
    ['ln -sfn . l && echo >> l/.codey/settings.json', 'l/.codey/settings.json is protected'],
    ['ln -sfn . l && echo >> l/.?it/config', 'l/.…it/config is protected'],
    ['rm -rf .*', '.… is protected'],
    ['git config core.hooksPath x', 'the line changes settings with which git runs programs'],
    ['git -C x config --global core.fsmonitor ./x', 'the line changes settings with which git runs programs'],
    ['git config --add alias.st "!make"', 'the line changes settings with which git runs programs'],
    ['git config set include.path ../x', 'the line changes settings with which git runs programs'],
    ['git config filter.x.clean ./x', 'the line changes settings with which git runs programs'],
    ['git config credential.helper ./x', 'the line changes settings with which git runs programs'],
    ['git config "$KEY" x', 'the line changes settings with which git runs programs'],
    ['git config -- core.pager -l', 'the line changes settings with which git runs programs'],
    ['git config -e', 'the line changes settings with which git runs programs'],
    ['git config --unset core.hooksPath', 'the line changes settings with which git runs programs'],
  ])('%s', async (line, why) => {
    const said = await found({ kind: 'command', line });
    expect(said === why || said?.endsWith(why.replace('--file=', ''))).toBe(true);
  });

  it.each([
    'cat *.json',
    'rm $X',
    'cat "$DIR"/settings.json',
    'ls .',
    'rm -rf src/*',
    'git add .gitignore *.md',
    'grep -r codey .',
    'cat .codey/events.jsonl',
    'ls .codey/worktrees/fix',
    'echo codey',
    'cat src/.env*',
    'rm -rf ./*',
    'ls */ **/*.md *.ts',
    'cat "$DIR"/a.$EXT',
    'cat /proc/cpuinfo',
    'cat /dev/fd/3',
    'cat s/other.sh',
    'git config user.name "A B"',
    'git config --get core.hooksPath',
    'git config core.hooksPath',
    'git config --list --show-origin',
    'git config init.defaultBranch main',
    'git config branch.main.remote origin',
  ])('%s is not about them', async (line) => {
    expect(await found({ kind: 'command', line })).toBeUndefined();
  });
});

it('an address and a call without an argument name none', async () => {
  expect(await found({ kind: 'url', url: 'https://example.com/.codey/settings.json' })).toBeUndefined();
  expect(await found({ kind: 'none' })).toBeUndefined();
});

describe('tools nobody knows [contract.trust.files-protected]', () => {
  it.each([
    { path: '.codey/settings.json', command: 'ls' },
    { destination: '.codey/settings.json', source: 'a' },
    { anything: ['a', '.codey'] },
    { edits: [{ where: { deep: 'scripts/guard.sh' } }] },
    { files: { 'scripts/guard.sh': 'text' } },
    { command: ['tee', '.codey/settings.json'] },
    { program: 'tee', args: ['-a', '.codey/settings.json'] },
    { cmd: 'cd .codey && rm settings.json' },
    { x: 's/guard.sh', y: 1 },
    { x: 'innocent.json' },
  ])('%j names one', async (input) => {
    expect(await found(guessSubject('mcp__fs__x', input))).toMatch(/ is protected$/);
  });

  it('a uri of a file names one', async () => {
    const uri = `file://${project}/.codey/settings.json`;
    expect(await found(guessSubject('mcp__fs__x', { uri, mode: 'w' }))).toMatch(/ is protected$/);
  });

  it.each([
    { path: 'src/a.ts', content: "import '.codey/settings.json'" },
    { query: 'settings.json' },
    { text: 'Write\n.codey/settings.json\nplease' },
  ])('%j names none', async (input) => {
    expect(await found(guessSubject('mcp__fs__x', input))).toBeUndefined();
  });
});
