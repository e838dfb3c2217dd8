import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Model, runAgent } from './agent.ts';

let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'embed-')));
  mkdirSync(path.join(folder, 'home/.codey'), { recursive: true });
  mkdirSync(path.join(folder, 'project'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the commands one after the other and keeps what the agent was told. */
async function run(settings: object, ...commands: readonly string[]) {
  writeFileSync(path.join(folder, 'home/.codey/settings.json'), JSON.stringify(settings));
  const waiting = [...commands];
  let seen: readonly string[] = [];
  const model: Model = async (told) => {
    seen = told;
    const command = waiting.shift();
    return command === undefined ? { text: 'done' } : { command };
  };
  const environment = { ...process.env, HOME: path.join(folder, 'home') };
  const projectRoot = path.join(folder, 'project');
  const answer = await runAgent('build it', { projectRoot, environment, model, notify: () => {} });
  return { answer, seen };
}

const hook = (command: string, more: object = {}) => [
  { matcher: 'shell', hooks: [{ type: 'command', command, ...more }] },
];

it('works without hooks', async () => {
  expect(await run({}, 'echo one', 'exit 3')).toEqual({
    answer: 'done',
    seen: ['build it', 'one\n', expect.stringMatching(/^failed: .*exit 3/)],
  });
});

it('is told why a hook or a rule keeps a command from running', async () => {
  const settings = {
    permissions: { deny: ['shell(npm publish*)'] },
    hooks: { PreToolUse: hook('echo "a person pushes here" >&2; exit 2', { if: 'shell(git push*)' }) },
  };
  const { seen } = await run(settings, 'touch ran; git push', 'npm publish', 'ls');
  expect(seen.slice(1)).toEqual([
    'refused: a person pushes here',
    expect.stringMatching(/^refused: a rule denies it/),
    '',
  ]);
});

it('sees what a hook made of a result, and journals it', async () => {
  const answer = { hookSpecificOutput: { updatedToolOutput: 'key=***' } };
  const { seen } = await run(
    { hooks: { PostToolUse: hook(`echo '${JSON.stringify(answer)}'`) } },
    'echo key=1',
  );
  expect(seen).toEqual(['build it', 'key=***']);
  expect(readFileSync(path.join(folder, 'project/.codey/events.jsonl'), 'utf8')).toContain('PostToolUse');
});

it('ends where a hook says so', async () => {
  const over = `echo '{"continue": false, "stopReason": "budget used up"}'`;
  expect((await run({ hooks: { PreToolUse: hook(over) } }, 'touch ran')).answer).toBe('budget used up');
});
