import { describeCall, parseRule } from '@codey/hooks';
import { expect, it } from 'vitest';
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
