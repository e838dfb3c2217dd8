// Skills through the whole program: where they are found, how they are used, and how long their hooks are in force.
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createStage, type ScriptEntry, type Stage } from './stage.ts';

let stage: Stage;
beforeEach(() => {
  stage = createStage();
});
afterEach(() => stage.remove());

const bypass = ['--permission-mode', 'bypassPermissions'];

/** A skill whose hook writes down the tool it was asked about and where the skill lies. */
function writeSkill(folder: string, name: string): void {
  stage.write(
    `${folder}/${name}/SKILL.md`,
    `---
name: ${name}
description: Watches what runs.
hooks:
  PreToolUse:
    - hooks:
        - type: command
          command: printf '%s %s %s\\n' "$KODER_SKILL_DIR" "$CODEY_SKILL_DIR" "$(cat | sed 's/.*"tool_name":"\\([a-z_]*\\)".*/\\1/')" >> "$HOME/seen"
---

Watch closely.
`,
  );
}

const shell = (command: string): ScriptEntry => ({ calls: [{ tool: 'run_shell', input: { command } }] });
const getSkill = (name: string): ScriptEntry => ({ calls: [{ tool: 'get_skill', input: { name } }] });
const done: ScriptEntry = { text: 'done' };

describe('a skill', () => {
  it('has its hooks in force from its use on, and they know its folder [koder.scope.skill-frontmatter] [koder.scope.skill-only-then] [koder.env.skill-dir-skill] [codey.skill.personal-folder]', async () => {
    writeSkill('~/.agents/skills', 'watcher');
    const run = await stage.prompt([shell('true'), getSkill('watcher'), shell('true'), done], {
      args: bypass,
    });
    expect(run).toMatchObject({ code: 0, stdout: 'done\n', stderr: '' });
    const folder = path.join(stage.home, '.agents/skills/watcher');
    expect(stage.read('~/seen')).toBe(`${folder} ${folder} run_shell\n`);
  });

  it('is used by its name in a prompt as well, from the first call on [codey.skill.invoked-like-others]', async () => {
    writeSkill('~/.agents/skills', 'watcher');
    stage.write('~/story.json', [shell('true'), done]);
    const run = await stage.codey([
      '-p',
      '/watcher have a look',
      '--model',
      `script:${stage.home}/story.json`,
      ...bypass,
    ]);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(stage.read('~/seen')).toMatch(/run_shell\n$/);
  });

  it('has no hooks in force where nobody used it [koder.scope.skill-only-then]', async () => {
    writeSkill('~/.agents/skills', 'watcher');
    await stage.prompt([shell('true'), done], { args: bypass });
    expect(stage.has('~/seen')).toBe(false);
  });

  it('of the repository is read, but its hooks wait for the user to agree [contract.trust.repo-hooks-held]', async () => {
    writeSkill('.codey/skills', 'watcher');
    const story = [getSkill('watcher'), shell('true'), done];
    const run = await stage.prompt(story, { args: bypass });
    expect(run).toMatchObject({ code: 0, stderr: expect.stringMatching(/^codey: 1 .*codey hooks trust/) });
    expect(stage.has('~/seen')).toBe(false);
    const trust = await stage.codey(['hooks', 'trust', '--yes']);
    expect(trust).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('.codey/skills/watcher/SKILL.md:7'),
    });
    expect(await stage.prompt(story, { args: bypass })).toMatchObject({ code: 0, stderr: '' });
    expect(stage.read('~/seen')).toMatch(/run_shell\n$/);
  });

  it('that cannot be used is named and hides no other', async () => {
    writeSkill('~/.agents/skills', 'watcher');
    stage.write('~/.agents/skills/page/SKILL.md', '<html>');
    const run = await stage.prompt([getSkill('watcher'), shell('true'), done], { args: bypass });
    expect(run.stderr).toMatch(/^codey: skill \S+\/page\/SKILL\.md: it does not begin with a frontmatter/);
    expect(stage.has('~/seen')).toBe(true);
  });
});
