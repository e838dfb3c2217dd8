// Plugins through the whole program: installed, turned on, used, changed under a running session, removed.
import { existsSync, readdirSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bypass, play } from './play.ts';
import { createStage, shellScript, type Stage } from './stage.ts';
import { until } from './waiting.ts';

let stage: Stage;
beforeEach(() => {
  stage = createStage();
});
afterEach(() => stage.remove());

/** A plugin that denies pushes, greets with a command and brings an agent and a skill. */
async function makePlugin(folder: string, version = '1.0.0', says = 'no pushes'): Promise<void> {
  stage.write(`${folder}/plugin.json`, { name: 'guard', version });
  stage.write(`${folder}/hooks/hooks.json`, {
    hooks: {
      PreToolUse: [
        {
          matcher: 'run_shell',
          hooks: [{ type: 'command', command: '"$KODER_SKILL_DIR/guard.sh"', if: 'run_shell(git push*)' }],
        },
      ],
      SessionStart: [
        { hooks: [{ type: 'command', command: 'echo "$CODEY_SKILL_DIR|$KODER_SKILL_DIR" >> "$HOME/dirs"' }] },
      ],
    },
  });
  await chmod(stage.write(`${folder}/guard.sh`, `#!/bin/sh\necho '${says}' >&2\nexit 2\n`), 0o755);
  stage.write(`${folder}/commands/greet.md`, 'Say hello to $ARGUMENTS.');
  stage.write(`${folder}/skills/look/SKILL.md`, '---\nname: look\ndescription: Look twice.\n---\nLook.\n');
  stage.write(
    `${folder}/agents/critic.md`,
    '---\nname: critic\ndescription: Finds fault.\n---\nFind fault.\n',
  );
}

const plugin = (...args: readonly string[]) => stage.codey(['plugin', ...args]);
const installed = () => path.join(stage.home, '.codey/plugins/guard');

describe('codey plugin', () => {
  it('installs without running anything, and what it turns on counts from the next start [koder.scope.plugin-file] [koder.scope.plugin-disabled] [koder.env.skill-dir-plugin]', async () => {
    await makePlugin('~/source');
    const added = await plugin('install', path.join(stage.home, 'source'));
    expect(added).toMatchObject({ code: 0, stderr: '' });
    expect(added.stdout).toContain('  hook PreToolUse (run_shell): "$KODER_SKILL_DIR/guard.sh"\n');
    expect(added.stdout).toContain('to turn it on: codey plugin enable guard');
    expect((await play(stage, shellScript('git push'))).denied).toEqual([]);
    expect(await plugin('enable', 'guard')).toMatchObject({ code: 0 });
    expect((await plugin('list')).stdout).toMatch(/^guard {2}1\.0\.0 {2}on {2}/);
    const { denied } = await play(stage, shellScript('git push', 'echo fine'));
    expect(denied).toEqual(['no pushes']);
    const root = path.join(installed(), readdirSync(installed()).find((name) => !name.endsWith('.held'))!);
    expect(stage.read('~/dirs')).toBe(`${root}|${root}\n`);
    const listed = await stage.codey(['hooks', 'list', '--json']);
    expect(JSON.parse(listed.stdout)).toMatchObject([
      { scope: 'plugin', state: 'active' },
      { scope: 'plugin' },
    ]);
    expect(await plugin('disable', 'guard')).toMatchObject({ code: 0 });
    expect((await play(stage, shellScript('git push'))).denied).toEqual([]);
    expect(await plugin('remove', 'guard')).toMatchObject({ code: 0 });
    expect(readdirSync(installed())).toEqual([]);
    expect(JSON.parse(stage.read('~/.codey/settings.json'))).toEqual({ plugins: {} });
  });

  it('brings commands, skills and agents as well', async () => {
    await makePlugin('~/source');
    await plugin('install', path.join(stage.home, 'source'));
    await plugin('enable', 'guard');
    stage.write('~/.koder/settings.json', {
      hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command: 'cat >> "$HOME/prompts"' }] }] },
    });
    const script = stage.write('script.json', {
      main: [
        { calls: [{ tool: 'get_skill', input: { name: 'look' } }] },
        { calls: [{ tool: 'spawn_agent', input: { agent: 'critic', prompt: 'go' } }] },
        { text: 'done' },
      ],
      agents: { critic: [{ text: 'all bad' }] },
    });
    const run = await stage.codey([
      '-p',
      '/guard:greet Ann',
      '--model',
      `script:${script}`,
      '--output-format',
      'stream-json',
      ...bypass,
    ]);
    expect(run.code).toBe(0);
    expect(JSON.parse(stage.read('~/prompts').split('\n')[0]!)).toMatchObject({
      prompt: 'Say hello to Ann.',
    });
    expect(run.stdout).toContain('Look.');
    expect(run.stderr).toBe('codey: agent critic, not asked for its result: all bad\n');
  });

  it('keeps a running session on the version it began with', async () => {
    await makePlugin('~/source');
    await plugin('install', path.join(stage.home, 'source'));
    await plugin('enable', 'guard');
    await makePlugin('~/source', '2.0.0', 'never');
    const { denied } = await play(
      stage,
      shellScript('touch waiting; while ! test -e go; do sleep 0.05; done', 'git push'),
      bypass,
      {
        async onStart() {
          await until(() => stage.has('waiting'));
          expect(await plugin('install', path.join(stage.home, 'source'))).toMatchObject({ code: 0 });
          stage.write('go', '');
        },
      },
    );
    expect(denied).toEqual(['no pushes']);
    expect((await play(stage, shellScript('git push'))).denied).toEqual(['never']);
    await plugin('remove', 'guard');
    expect(readdirSync(installed())).toEqual([]);
  });

  it('of a repository waits for the review [contract.trust.repo-hooks-held]', async () => {
    await makePlugin('tools/guard');
    stage.write('.codey/settings.json', { plugins: { guard: { path: 'tools/guard' } } });
    const held = await play(stage, shellScript('git push'));
    expect(held.denied).toEqual([]);
    expect(held.stderr).toContain('held back until you agree');
    const trusted = await play(stage, shellScript('git push'), [...bypass, '--trust-project-hooks']);
    expect(trusted.denied).toEqual(['no pushes']);
  });

  it.each([
    ['install', './x'],
    ['enable', 'x'],
    ['disable', 'x'],
    ['remove', 'x'],
  ])('%s is not for an agent [contract.trust.agent-cannot]', async (...args) => {
    const run = await stage.codey(['plugin', ...args], {
      environment: { CODEY_SESSION_MARKER: 'some-session' },
    });
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toContain(`codey plugin ${args[0]} does not work inside a codey session`);
    expect(existsSync(path.join(stage.home, '.codey'))).toBe(false);
  });

  it('tells an author everything that is wrong, with exit code 2', async () => {
    await makePlugin('mine');
    stage.write('mine/hooks/hooks.json', { hooks: { PreTolUse: [] } });
    stage.write('mine/mcp.json', { mcpServers: { one: { url: 'ftp://x' } } });
    stage.write('mine/skills/look/SKILL.md', 'no frontmatter');
    const run = await plugin('validate', 'mine');
    expect(run.code).toBe(2);
    expect(run.stdout).toContain('guard 1.0.0');
    for (const problem of [
      'unknown event "PreTolUse"',
      'the MCP server one: "url" must begin with',
      'skills/look/SKILL.md',
    ])
      expect(run.stderr).toContain(problem);
    stage.write('mine/plugin.json', {});
    expect((await plugin('validate', 'mine')).stderr).toContain('needs a "name"');
  });
});
