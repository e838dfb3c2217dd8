// Hooks in another agent's files: those that never fire are listed, and those that watch files are asked.
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { bypass, play } from './play.ts';
import { createStage, shellScript, type Stage } from './stage.ts';

let stage: Stage;
beforeEach(() => {
  stage = createStage();
});
afterEach(() => stage.remove());

it('hooks of another agent’s file whose moment does not come here are listed with the reason', async () => {
  stage.write('~/.codey/settings.json', { claudeHooks: true });
  const hook = { hooks: [{ type: 'command', command: 'true' }] };
  stage.write('~/.claude/settings.json', {
    hooks: { MessageDisplay: [hook], PreToolUse: [{ matcher: 'Bash', ...hook }] },
  });
  const listed = await stage.codey(['hooks', 'list']);
  expect(listed.code).toBe(0);
  expect(listed.stdout).toMatch(/^PreToolUse {2}\(matcher Bash\) {2}\[active\]/m);
  expect(listed.stdout).toMatch(/^MessageDisplay {2}\[never fires: /m);
  const { stdout } = await stage.codey(['hooks', 'list', '--json']);
  expect(JSON.parse(stdout)).toMatchObject([
    { event: 'PreToolUse', state: 'active' },
    { event: 'MessageDisplay', state: 'never-fires' },
  ]);
});

it('a hook whose matcher names files is asked when one of them changes, be it in a plugin or not', async () => {
  const hook = (log: string) => ({
    matcher: '.env|.envrc',
    hooks: [
      { type: 'command', command: `node -p 'JSON.parse(fs.readFileSync(0)).file_path' >> "$HOME/${log}"` },
    ],
  });
  stage.write('~/.claude/settings.json', { hooks: { FileChanged: [hook('own')] } });
  const plugin = stage.write('~/plugin/.claude-plugin/plugin.json', { name: 'watcher' });
  stage.write('~/plugin/hooks/hooks.json', { hooks: { FileChanged: [hook('theirs')] } });
  stage.write('~/.codey/settings.json', {
    claudeHooks: true,
    plugins: { watcher: { path: path.dirname(path.dirname(plugin)) } },
  });
  await play(stage, shellScript('echo A=1 > .env', 'echo other > other'), bypass);
  for (const log of ['~/own', '~/theirs']) expect(stage.read(log)).toBe(`${stage.project}/.env\n`);
});

it('a plugin of another agent in the repository waits for a yes, and again when a file of it changes [contract.trust.script-change]', async () => {
  stage.write('~/.codey/settings.json', { claudeHooks: true });
  stage.write('.codey/settings.json', { plugins: { guard: { path: 'tools/guard' } } });
  stage.write('tools/guard/.claude-plugin/plugin.json', { name: 'guard' });
  stage.write('tools/guard/hooks/hooks.json', {
    hooks: {
      PreToolUse: [
        { matcher: 'Bash', hooks: [{ type: 'command', command: '"${CLAUDE_PLUGIN_ROOT}"/guard.sh' }] },
      ],
    },
  });
  stage.write('tools/guard/guard.sh', '#!/bin/sh\n. "$(dirname "$0")/lib"\n');
  stage.write('tools/guard/lib', 'echo never >&2; exit 2\n');
  const denied = async () => (await play(stage, shellScript('true'), bypass)).denied;
  const agree = () => stage.codey(['hooks', 'trust', '--yes']);
  expect(await denied()).toEqual([]);
  // The plugin first, then what it brings.
  await agree();
  expect((await agree()).stdout).toContain('tools/guard/: covered');
  expect(await denied()).toEqual(['never']);
  stage.write('tools/guard/lib', 'echo other >&2; exit 2\n');
  expect(await denied()).toEqual([]);
  await agree();
  expect(await denied()).toEqual(['other']);
});
