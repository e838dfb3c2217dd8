// `codey hooks why` after real sessions: one call, every hook with its reason, and what the gate said.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bypass, play } from './play.ts';
import { command, group } from './settings.ts';
import { createStage, shellScript, type Stage } from './stage.ts';

let stage: Stage;
beforeEach(() => {
  stage = createStage();
});
afterEach(() => stage.remove());

const why = (...args: readonly string[]) => stage.codey(['hooks', 'why', ...args]);
const userHooks = (hooks: object): void => void stage.write('~/.codey/settings.json', { hooks });

describe('codey hooks why', () => {
  it('tells why each hook of the latest call did or did not run', async () => {
    userHooks({
      PreToolUse: [
        group('true', 'edit_file'),
        { hooks: [command('true', { if: 'run_shell(git push*)' })] },
        {
          matcher: 'run_shell',
          hooks: [command('printf "no \\033[2Jpushes" >&2; exit 2'), command('echo next')],
        },
        group('true', 'run_shell', { once: true }),
      ],
    });
    await play(stage, shellScript('git status', 'git log'), bypass);
    const { code, stdout } = await why('--last');
    expect(code).toBe(0);
    expect(stdout).toContain('denied by: PreToolUse');
    expect(stdout).toContain('because its matcher "edit_file" does not match run_shell');
    expect(stdout).toContain('because its "if" "run_shell(git push*)" does not match this call');
    expect(stdout).toContain('because a hook before it in its group blocked');
    expect(stdout).toContain('because it runs once a session and has already run');
    expect(stdout).toMatch(/blocked {2}settings\.json:\d+ {2}PreToolUse:[0-9a-f]{8} {2}said deny, exit 2/);
    expect(stdout).toContain('    | no pushes');
    expect(stdout).not.toContain('\u001b');
  });

  it('tells who expected a block why a guard that broke or was not understood let the call run', async () => {
    userHooks({
      PreToolUse: [
        group('echo "no pushes" >&2; exit 1'),
        group('echo Welcome; echo \'{"decision": "block", "reason": "no"}\''),
        group('echo \'{"decision": "deny"}\''),
      ],
    });
    await play(stage, shellScript('git push'), bypass);
    const { stdout } = await why();
    expect(stdout).toContain(
      'because it ended with another code than 0 and 2; exit 2 is the one that blocks',
    );
    expect(stdout).toContain('an answer among other text was not read: print the JSON alone');
    expect(stdout).toContain('because what it printed is no answer to this event; codey hooks test says');
    expect(stdout).toContain('A hook that fails blocks nothing: exit 2 blocks, and "onFailure": "block"');

    const tested = await stage.codey([
      'hooks',
      'test',
      'PreToolUse',
      '--tool',
      'run_shell',
      '--input',
      '{"command": "git push"}',
    ]);
    expect(tested.stdout).toContain('note: an answer among other text was not read: print the JSON alone');
    expect(tested.stdout).toContain('why: decision is "deny"; at the top level it can only be "block"');
    expect(tested.stdout).toContain('A hook that fails blocks nothing: exit 2 blocks');

    userHooks({ PreToolUse: [group('exit 1', undefined, { onFailure: 'block' })], Stop: [group('exit 1')] });
    await play(stage, shellScript('git push'), bypass);
    expect((await why()).stdout).not.toContain('blocks nothing');
  });

  it('finds a call by its id and names who let it run', async () => {
    stage.write('~/.codey/settings.json', { permissions: { allow: ['run_shell(echo *)'] } });
    await play(stage, shellScript('echo one', 'touch two'), []);
    const calls = stage.journal().filter((line) => line.kind === 'gate');
    const [first, second] = calls.map((line) => String(line.call));
    expect((await why(first!)).stdout).toContain('allowed by: ');
    expect((await why(second!)).stdout).toContain('denied by: nobody to ask');
    expect(JSON.parse((await why(second!, '--json')).stdout)).toMatchObject({
      call: second,
      tool: 'run_shell',
      gates: [{ decision: 'denied', by: 'nobody to ask' }],
      dispatches: [{ event: 'PreToolUse' }, { event: 'PermissionRequest' }, { event: 'PermissionDenied' }],
    });
  });

  it('says so where nothing is known, and works beside settings that do not load', async () => {
    expect(await why()).toMatchObject({ code: 1, stderr: expect.stringContaining('holds no tool call yet') });
    await play(stage, shellScript('true'), bypass);
    stage.write('.codey/settings.json', '{ broken');
    expect((await why()).code).toBe(0);
    expect(await why('call_99')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('holds no call call_99'),
    });
  });

  it('reads no file that a journal of the repository points to', async () => {
    stage.write('~/secret', 'do not show');
    const hook = {
      id: 'PreToolUse:1',
      scope: 'user',
      source: 'a:1',
      outcome: 'passed',
      output: '../../../../../../secret',
    };
    const line = {
      time: '2026-01-01T00:00:00.000Z',
      session: '..',
      pid: 1,
      n: 1,
      kind: 'dispatch',
      dispatch: 'd',
      event: 'PreToolUse',
      agent: 'main',
      turn: '1',
      tool: 'run_shell',
      call: 'c',
      verdict: 'none',
      ms: 1,
      hooks: [hook],
    };
    stage.write('.codey/keep', '');
    writeFileSync(path.join(stage.project, '.codey/events.jsonl'), `${JSON.stringify(line)}\n`);
    const { stdout, code } = await why();
    expect(code).toBe(0);
    expect(stdout).toContain('PreToolUse:1');
    expect(stdout).not.toContain('do not show');
  });
});
