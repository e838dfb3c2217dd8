import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CallSubject, describeCall } from '@codey/hooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
  paths = await protectedPaths({ home: root, roots: [project], files: [join(project, 'scripts/guard.sh')] });
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function found(subject: CallSubject, cwd = project): Promise<string | undefined> {
  const view = await describeCall('tool', subject, { workspace: project, cwd });
  return findProtected(view, paths, cwd);
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
    '../.codey/trust.json',
    '../.koder/managed-settings.json',
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
    ['rm .codey/*', '.codey/… is protected'],
    ['rm .codey/sett*.json', '.codey/sett….json is protected'],
    ["bash -c 'echo > .codey/settings.json'", '.codey/settings.json is protected'],
    ['git config --file .git/config a.b c', '.git/config is protected'],
    ['codey hooks trust --yes', 'the line starts codey itself'],
    ['ls; env A=1 /usr/bin/koder -p x', 'the line starts codey itself'],
    ['npx -y codey@latest setup', 'the line starts codey itself'],
    ['node packages/codey/bin/codey.js', 'the line starts codey itself'],
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
  ])('%s is not about them', async (line) => {
    expect(await found({ kind: 'command', line })).toBeUndefined();
  });
});

it('an address and a call without an argument name none', async () => {
  expect(await found({ kind: 'url', url: 'https://example.com/.codey/settings.json' })).toBeUndefined();
  expect(await found({ kind: 'none' })).toBeUndefined();
});
