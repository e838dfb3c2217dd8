import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeCall, parseRule, type PermissionMode } from '@codey/hooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runShell } from '../../tools/run-shell.ts';
import { decideCall } from './decide-call.ts';
import { rememberApprovals } from './remembered.ts';
import type { PermissionState } from './state.ts';

const agent = { workspace: '/work/project', cwd: '/work/project' };

async function state(): Promise<PermissionState> {
  const store = { load: async () => ({ rules: [] }), keep: async () => ({}) };
  return {
    mode: 'default',
    rules: { deny: [], ask: [], allow: [] },
    protectedPaths: { files: ['/work/project/.codey/settings.json'], folders: [] },
    extraDirs: ['/work/added'],
    remembered: await rememberApprovals({ store, notice: () => {} }),
  };
}

async function call(input: { command: string; cwd?: string }) {
  const view = await describeCall('run_shell', runShell.subject(input), agent);
  return { tool: runShell, input, view };
}

it('a call that asks offers the pattern a lasting yes would remember', async () => {
  expect(decideCall(await call({ command: 'make' }), { kind: 'none' }, agent, await state())).toMatchObject({
    kind: 'ask',
    rememberable: true,
    pattern: 'run_shell(make)',
  });
  expect(parseRule('run_shell(make)').ok).toBe(true);
});

it('a protected path is never remembered [contract.trust.files-protected]', async () => {
  const asked = decideCall(
    await call({ command: 'rm .codey/settings.json' }),
    { kind: 'none' },
    agent,
    await state(),
  );
  expect(asked).toMatchObject({ kind: 'ask', by: 'protected path', humanOnly: true, rememberable: false });
});

it.each([
  [undefined, 'allow'],
  ['src', 'allow'],
  ['/work/added', 'allow'],
  ['/etc', 'ask'],
  ['../..', 'ask'],
])('a reading command in %s: %s', async (cwd, expected) => {
  const asked = await call({ command: 'ls', ...(cwd !== undefined && { cwd }) });
  expect(decideCall(asked, { kind: 'none' }, agent, await state()).kind).toBe(expected);
});

it("a hook's reasons are kept", async () => {
  const verdict = {
    kind: 'ask',
    reasons: [{ text: 'pushes are announced', hook: 'PreToolUse:1', source: 'settings.json:1' }],
  } as const;
  const asked = decideCall(await call({ command: 'ls' }), verdict as never, agent, await state());
  expect(asked).toMatchObject({ kind: 'ask', by: 'PreToolUse', humanOnly: true });
  expect(asked.kind === 'ask' && asked.reason).toContain('pushes are announced');
});

describe('in a repository with links that lead out [contract.mode.plan-only-reads]', () => {
  let folder: string;
  let workspace: string;
  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'codey-decide-')));
    workspace = join(folder, 'project');
    await mkdir(join(workspace, 'src'), { recursive: true });
    await mkdir(join(workspace, '.git'));
    await mkdir(join(folder, 'outside/sub'), { recursive: true });
    await writeFile(join(folder, 'outside/passwd'), '');
    await writeFile(join(workspace, 'src/a.ts'), '');
    await symlink('../outside/sub', join(workspace, 'a'));
    await symlink('.git', join(workspace, 'g'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function decided(command: string, mode: PermissionMode, cwd = '.'): Promise<string> {
    const input = { command, cwd };
    const place = { workspace, cwd: workspace };
    const view = await describeCall('run_shell', runShell.subject(input), place);
    const given = { ...(await state()), mode };
    return decideCall({ tool: runShell, input, view }, { kind: 'none' }, place, given).kind;
  }

  it.each([
    ['cat a/../passwd', '.'],
    ['cat < a/../passwd', '.'],
    ['head src/../a/../passwd', '.'],
    ['ls a/..', '.'],
    ['find a/.. -name x', '.'],
    ['ls', 'a'],
    ['cat ../passwd', 'a'],
    ['cat ../../outside/passwd', 'src'],
    ['env -C / cat etc/group', '.'],
    ['echo x | uniq - src/a.ts', '.'],
    ['date -uf/etc/group', '.'],
    ['cat /proc/self/cwd/src/a.ts', '.'],
  ])('%s (in %s) is no reading', async (command, cwd) => {
    expect(await decided(command, 'plan', cwd)).toBe('deny');
    expect(await decided(command, 'default', cwd)).toBe('ask');
  });

  it.each([
    ['cat src/../src/a.ts', '.'],
    ['cat ../src/a.ts', 'src'],
    ['ls -lt src', '.'],
    ['diff src/a.ts none', '.'],
  ])('%s (in %s) is', async (command, cwd) => {
    expect(await decided(command, 'plan', cwd)).toBe('allow');
  });

  it.each(['echo x | uniq - g/config', 'echo x > g/config'])(
    '%s asks in every mode [contract.trust.files-protected]',
    async (command) => {
      expect(await decided(command, 'bypassPermissions')).toBe('ask');
    },
  );
});
