import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { govern } from './ai-sdk.ts';

it('holds a call back that a hook of the user blocks, and lets others run', async () => {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'governed-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(path.join(folder, '.codey'));
  const guard = { type: 'command', if: 'shell(git push*)', command: 'echo no pushes >&2; exit 2' };
  const settings = { hooks: { PreToolUse: [{ hooks: [guard] }] } };
  writeFileSync(path.join(folder, '.codey/settings.json'), JSON.stringify(settings));
  const shell = {
    execute: async ({ command }: { command: string }, _options: { toolCallId: string }) => `ran ${command}`,
  };

  const { tools, hooks } = await govern({ shell }, folder, folder);
  onTestFinished(() => hooks.close());

  const options = { toolCallId: 'call_1' };
  await expect(tools.shell.execute({ command: 'git push' }, options)).rejects.toThrow('no pushes');
  expect(await tools.shell.execute({ command: 'git status' }, options)).toBe('ran git status');
});
