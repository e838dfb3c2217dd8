import { afterEach, beforeEach, expect, it } from 'vitest';
import { createStage, type Stage } from './stage.ts';

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
