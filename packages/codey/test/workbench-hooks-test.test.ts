// `codey hooks test`: real selection, real runs, real merge, and expectations that a team keeps in files.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { command, group } from './settings.ts';
import { createStage, type Stage } from './stage.ts';

let stage: Stage;
beforeEach(() => {
  stage = createStage();
});
afterEach(() => stage.remove());

const test = (...args: readonly string[]) => stage.codey(['hooks', 'test', ...args]);
const userHooks = (hooks: object): void => void stage.write('~/.codey/settings.json', { hooks });
const json = async (...args: readonly string[]) => JSON.parse((await test(...args, '--json')).stdout);

const noPush = group('echo asked >> "$HOME/asked"; echo "pushes are done from CI" >&2; exit 2', 'run_shell', {
  if: 'run_shell(git push*)',
});

describe('a question', () => {
  it('runs the hooks that match and says why the others do not', async () => {
    userHooks({
      PreToolUse: [noPush, group('true', 'edit_file'), { hooks: [command('true', { if: 'read_file' })] }],
    });
    const done = await test(
      'PreToolUse',
      '--tool',
      'run_shell',
      '--input',
      '{"command":"cd app && git push"}',
    );
    expect(done).toMatchObject({ code: 0, stderr: '' });
    expect(done.stdout).toContain('echo  blocked, exit 2');
    expect(done.stdout).toContain('  stderr:\n    | pushes are done from CI');
    expect(done.stdout).toContain('(matcher): its matcher "edit_file" does not match run_shell');
    expect(done.stdout).toContain('(if): its "if" "read_file" does not match this call');
    expect(done.stdout).toContain('Verdict: deny');
    expect(done.stdout).toContain('The call does not run and the model gets the reason.');
    expect(stage.read('~/asked')).toBe('asked\n');
    expect(stage.has('.codey')).toBe(false);
  });

  it.each([
    ['runshell', 'no tool is called runshell: did you mean "run_shell"?'],
    ['Bash', 'no tool is called Bash: did you mean "run_shell"?'],
    ['mcp__wiki__search', ''],
  ])('about the tool %s says %j', async (tool, said) => {
    userHooks({ PreToolUse: [noPush] });
    const { code, stderr, stdout } = await test('PreToolUse', '--tool', tool, '--input', '{}');
    expect({ code, stderr }).toEqual({ code: 0, stderr: said === '' ? '' : `codey: ${said}\n` });
    expect(stdout).toContain(`does not match ${tool}`);
  });

  it('starts nothing on a dry run and shows what each hook would get', async () => {
    userHooks({
      PreToolUse: [noPush],
      Stop: [group('touch "$HOME/stopped"')],
      run_end: ['touch "$HOME/ended"'],
    });
    const tested = await json('PreToolUse', '--dry-run');
    expect(tested).toMatchObject({ dryRun: true, verdict: 'none', hooks: [{ outcome: 'would-run' }] });
    expect(tested.hooks[0].asked[0].input).toMatchObject({ event: 'PreToolUse', project_dir: stage.project });
    expect(tested.hooks[0].asked[0].given).toContain('CODEY_PROJECT_DIR');
    expect(await json('Stop', '--dry-run')).toMatchObject({ hooks: [{ outcome: 'would-run' }] });
    expect(await json('run_end', '--dry-run')).toMatchObject({ hooks: [{ outcome: 'would-run' }] });
    expect(['asked', 'stopped', 'ended'].filter((file) => stage.has(`~/${file}`))).toEqual([]);
  });

  it('shows a changed input with who changed it, and who was asked again', async () => {
    userHooks({
      PreToolUse: [
        group('cat > /dev/null', 'run_shell'),
        group(`echo '{"hookSpecificOutput":{"updatedInput":{"command":"echo safe"}}}'`),
      ],
    });
    const tested = await json('PreToolUse');
    expect(tested.input).toEqual({ command: 'echo safe' });
    expect(tested.rewrittenBy).toEqual([expect.stringContaining('echo')]);
    expect(
      tested.hooks[0].asked.map(({ input }: { input: { input_revision: number } }) => input.input_revision),
    ).toEqual([0, 1]);
  });

  it('does not run what the user has not agreed to, unless it is told to', async () => {
    stage.write('.codey/settings.json', { hooks: { Stop: [group('touch ran')] } });
    expect(await json('Stop')).toMatchObject({ hooks: [{ outcome: 'skipped', why: 'untrusted' }] });
    expect(stage.has('ran')).toBe(false);
    expect(await json('Stop', '--trust-project-hooks')).toMatchObject({ hooks: [{ outcome: 'passed' }] });
    expect(stage.has('ran')).toBe(true);
  });

  it('tells commands of a lifecycle event what a session would tell them', async () => {
    userHooks({
      run_end: ['echo "$CODEY_REASON" > "$HOME/reason"; cat >> "$HOME/reason"', 'echo no >&2; exit 3'],
    });
    stage.write('payload.json', { event: 'run_end', reason: 'error', error: 'no more credit' });
    const tested = await json('run_end', '--payload', 'payload.json');
    expect(tested.hooks).toMatchObject([
      { outcome: 'passed', asked: [{ exit: 0 }] },
      { outcome: 'failed', why: 'exit-code', asked: [{ exit: 3, stderr: 'no\n' }] },
    ]);
    const [reason, line] = stage.read('~/reason').split('\n');
    expect(reason).toBe('error');
    expect(JSON.parse(line!)).toMatchObject({ event: 'run_end', error: 'no more credit' });
  });

  it('takes a payload from stdin, waits for hooks in the background, and shows what they set', async () => {
    userHooks({
      SessionStart: [
        group(`echo 'export CART=full' >> "$CODEY_ENV_FILE"; echo "Fridays are for releases"`),
        group('sleep 0.1; exit 7', undefined, { async: true }),
        group('sleep 0.1; exit 7', 'startup', {}),
      ],
    });
    const done = await stage.codey(['hooks', 'test', 'SessionStart', '--payload', '-', '--json'], {
      stdin: '{"source":"resume","permission_mode":"plan"}',
    });
    const tested = JSON.parse(done.stdout);
    expect(tested).toMatchObject({
      variables: ['CART'],
      contexts: [{ text: 'Fridays are for releases' }],
      hooks: [{ outcome: 'passed' }, expect.anything(), { outcome: 'skipped', why: 'matcher' }],
    });
    expect(tested.hooks[0].asked[0].input).toMatchObject({ source: 'resume', permission_mode: 'plan' });
  });

  it.each([
    ['an event nobody knows', ['PreTolUse'], 'PreTolUse is no event; did you mean PreToolUse?'],
    ['the beginning of one', ['PreTool'], 'PreTool is no event; did you mean PreToolUse?'],
    ['a tool for an event about none', ['Stop', '--tool', 'run_shell'], 'Stop is about no tool'],
    ['input that is not JSON', ['PreToolUse', '--input', '{command}'], '--input is not JSON'],
    ['input that is no object', ['PreToolUse', '--input', '[]'], '--input must be a JSON object'],
    [
      'a payload that is not there',
      ['Stop', '--payload', 'none.json'],
      '--payload none.json cannot be read: ENOENT',
    ],
  ])('refuses %s', async (_, args, message) => {
    expect(await test(...args)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(message),
    });
  });

  it('refuses a payload that could never come', async () => {
    stage.write('payload.json', { source: 'reboot' });
    expect((await test('SessionStart', '--payload', 'payload.json')).stderr).toContain(
      'payload of SessionStart: source: it is "reboot"',
    );
    stage.write('payload.json', { event: 'Stop' });
    expect((await test('SessionStart', '--payload', 'payload.json')).stderr).toContain(
      'the payload is one of Stop',
    );
  });

  it('takes what a terminal would act on out of what hooks print', async () => {
    userHooks({ Stop: [group(`printf '\\033[2Jwiped' >&2; exit 1`)] });
    const { stdout } = await test('Stop');
    expect(stdout).toContain('| wiped');
    expect(stdout).not.toContain('\u001b');
  });
});

describe('fixtures', () => {
  const fixture = (text: string): void => void stage.write('.codey/hooktests/push.hooktest.yaml', text);
  const run = (...flags: readonly string[]) => test('--fixtures', '.codey/hooktests', ...flags);
  beforeEach(() => {
    stage.write('~/.codey/no-push.sh', '#!/bin/sh\necho "pushes are done from CI" >&2\nexit 2\n');
    userHooks({
      PreToolUse: [
        {
          matcher: 'run_shell',
          hooks: [command('"$HOME"/.codey/no-push.sh', { if: 'run_shell(git push*)' })],
        },
      ],
    });
  });

  it('pass when every expectation holds', async () => {
    fixture(`
- name: pushes are refused
  event: PreToolUse
  tool: run_shell
  input: {command: git push origin main}
  expect: {decision: block, reason: done from CI, outcomes: {no-push.sh: blocked}}
- name: everything else goes on
  event: PreToolUse
  input: {command: git status}
  expect: {decision: none, input: {command: git status}, outcomes: {no-push.sh: skipped (if)}}
- event: run_end
  expect: {outcomes: {}}
`);
    const done = await run();
    expect(done).toMatchObject({ code: 0, stderr: '' });
    expect(done.stdout).toContain('ok      .codey/hooktests/push.hooktest.yaml:2  pushes are refused');
    expect(done.stdout).toContain('3 of 3 as expected');
  });

  it('fail with what was expected, what came, and what every hook did', async () => {
    fixture(`
event: PreToolUse
tool: run_shell
input: {command: git status}
expect: {decision: deny, reason: CI, outcomes: {no-push.sh: blocked, other.sh: passed}}
`);
    const done = await run();
    expect(done.code).toBe(1);
    const lines = done.stdout.split('\n').map((line) => line.trim().replace(/ +/g, ' '));
    expect(lines).toEqual([
      'not ok .codey/hooktests/push.hooktest.yaml:2 PreToolUse run_shell {"command":"git status"}',
      'decision expected deny',
      'got none',
      'reason expected one with "CI"',
      'got none',
      'no-push.sh expected blocked',
      'got skipped (if)',
      'other.sh expected passed',
      'got no such hook: no-push.sh',
      'no-push.sh: skipped, its "if" "run_shell(git push*)" does not match this call',
      '',
      '0 of 1 as expected',
      '',
    ]);
    expect(JSON.parse((await run('--json')).stdout)).toMatchObject({ passed: 0, failed: 1 });
  });

  it('are not run at all while one of them is wrong', async () => {
    fixture(`
- event: PreToolUze
  expect: {decision: deny}
- event: PreToolUse
  tools: run_shell
  expect: {decision: refuse, outcomes: {no-push.sh: blokked}}
- event: Stop
`);
    const done = await run();
    expect(done).toMatchObject({ code: 2, stdout: '' });
    expect(done.stderr).toContain('push.hooktest.yaml:5:10  unknown key "tools"; did you mean tool?');
    expect(done.stderr).toContain(
      'decision is one of none, allow, ask, deny, block, continue, halt, not refuse',
    );
    expect(done.stderr).toContain('not blokked; did you mean blocked?');
    expect(done.stderr).toContain('the case expects nothing');
    fixture('event: [');
    expect((await run()).code).toBe(2);
    fixture('event: PreToolUze\nexpect: {decision: deny}\n');
    expect((await run()).stderr).toContain('PreToolUze is no event; did you mean PreToolUse?');
    expect((await test('--fixtures', 'nowhere')).stderr).toContain('does not exist');
  });
});
