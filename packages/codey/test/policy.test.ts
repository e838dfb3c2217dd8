// Spec 2 through the whole program: hooks a stranger would write, against a scripted model.
import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createStage, type ScriptEntry, shellScript, type Stage } from './stage.ts';

let stage: Stage;
beforeEach(() => {
  stage = createStage();
});
afterEach(() => stage.remove());

const bypass = ['--permission-mode', 'bypassPermissions'];
const command = (line: string, more: object = {}) => ({ type: 'command', command: line, ...more });
const group = (line: string, matcher?: string, more: object = {}) => ({
  ...(matcher !== undefined && { matcher }),
  hooks: [command(line, more)],
});

function userHooks(hooks: Record<string, unknown>, directory = '.koder'): void {
  stage.write(`~/${directory}/settings.json`, { hooks });
}

/** What the model was told at the end, as the JSON result and the session's log show it. */
async function run(script: readonly ScriptEntry[], args: readonly string[] = bypass) {
  const done = await stage.prompt(script, { args: ['--output-format', 'stream-json', ...args] });
  const lines = done.stdout
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  return {
    ...done,
    lines,
    results: lines.filter((line) => line.type === 'tool_result').map((line) => line.output as string),
    denied: lines.filter((line) => line.type === 'tool_denied').map((line) => line.reason as string),
    result: lines.at(-1),
  };
}

describe('the examples of the specification', () => {
  it('block pushes and let everything else through [koder.example.push-blocked] [koder.example.push-lets-others] [koder.exit.two-stderr-reason] [koder.event.pretooluse-block]', async () => {
    userHooks({
      PreToolUse: [
        {
          matcher: 'run_shell',
          hooks: [
            command('echo ran >> "$HOME/ran"; echo \'pushes are done from CI\' >&2; exit 2', {
              if: 'run_shell(git push*)',
            }),
          ],
        },
      ],
    });
    const { denied, results, code } = await run(
      shellScript('git push origin main', 'git status --short', 'cd . && git push'),
    );
    expect(denied).toEqual(['pushes are done from CI', 'pushes are done from CI']);
    expect(results).toHaveLength(1);
    expect(stage.read('~/ran')).toBe('ran\nran\n');
    expect(code).toBe(0);
  });

  it('format after edits and after nothing else [koder.example.format-after-edit]', async () => {
    stage.write('src/a.txt', 'one\n');
    userHooks({
      PostToolUse: [
        group('tr a-z A-Z < src/a.txt > t && mv t src/a.txt', 'edit_file|write_file', { timeout: 120 }),
      ],
    });
    await run([
      { calls: [{ tool: 'write_file', input: { path: 'src/a.txt', content: 'two\n' } }] },
      { calls: [{ tool: 'run_shell', input: { command: 'cat src/a.txt > copy; echo low > src/a.txt' } }] },
      { text: 'done' },
    ]);
    expect(stage.read('copy')).toBe('TWO\n');
    expect(stage.read('src/a.txt')).toBe('low\n');
  });

  it('audit every shell command [koder.example.audit-line-per-command]', async () => {
    stage.write('.koder/keep', '');
    userHooks({
      PreToolUse: [
        group(
          `python3 -c "import sys,datetime;open('.koder/shell-audit.log','a').write(datetime.datetime.now().isoformat()+' '+sys.stdin.read()+'\\n')"`,
          'run_shell',
        ),
      ],
    });
    const { results } = await run(shellScript('echo one', 'echo two'));
    expect(results).toEqual([expect.stringContaining('one'), expect.stringContaining('two')]);
    const lines = stage
      .read('.koder/shell-audit.log')
      .split('\n')
      .filter((line) => line !== '');
    expect(lines).toHaveLength(2);
    expect(JSON.parse(lines[0]?.slice(lines[0].indexOf('{')) ?? '')).toMatchObject({
      event: 'PreToolUse',
      tool_name: 'run_shell',
      tool_input: { command: 'echo one' },
    });
  });
});

describe('answers', () => {
  it('deny, ask and allow through permissionDecision [contract.output.permission-decision] [contract.merge.unanswered-ask-denies]', async () => {
    const answer = (decision: string) =>
      `echo '{"hookSpecificOutput":{"permissionDecision":"${decision}","permissionDecisionReason":"because"}}'`;
    for (const [decision, runs] of [
      ['allow', true],
      ['ask', false],
      ['deny', false],
    ] as const) {
      userHooks({ PreToolUse: [group(answer(decision))] });
      const { results, denied } = await run(shellScript('touch made; echo hi'), []);
      expect([decision, results.length === 1, denied.length === 1]).toEqual([decision, runs, !runs]);
    }
  });

  it('run the tool with the changed input and tell the model [contract.output.updated-input] [contract.rewrite.model-told]', async () => {
    userHooks({
      PreToolUse: [group(`echo '{"hookSpecificOutput":{"updatedInput":{"command":"echo safe"}}}'`)],
    });
    const { results } = await run(shellScript('echo unsafe'));
    expect(results[0]).toMatch(/changed before it ran/);
    expect(results[0]).toMatch(/\nsafe/);
  });

  it('replace the output, add context and show messages [contract.output.updated-tool-output] [contract.output.additional-context] [contract.output.messages]', async () => {
    userHooks({
      PostToolUse: [
        group(
          `echo '{"systemMessage":"seen by the user","hookSpecificOutput":{"updatedToolOutput":"redacted","additionalContext":"mind the gap"}}'`,
        ),
      ],
    });
    const { results, stderr } = await run(shellScript('echo secret'));
    expect(results).toEqual(['redacted']);
    expect(stderr).toContain('seen by the user');
  });

  it('end the run with continue false [contract.output.continue-false]', async () => {
    userHooks({ PreToolUse: [group(`echo '{"continue":false,"stopReason":"enough for today"}'`)] });
    const { result, code, stderr } = await run(shellScript('echo hi', 'echo again'));
    expect(code).toBe(1);
    expect(result).toMatchObject({ is_error: true, stop_reason: 'halted', turns: 1 });
    expect(stderr).toContain('enough for today');
  });

  it('are text where they are not JSON, and failures where they are half JSON [koder.trouble.text-is-text] [contract.output.broken-json-fails] [koder.exit.other-does-not-block]', async () => {
    userHooks({
      PreToolUse: [
        group('echo plain words'),
        group(`echo '{"decision": "blo'`),
        group('exit 1'),
        group(`echo '{"decision":"deny"}'`),
      ],
    });
    const { results, result, stderr } = await run(shellScript('echo hi'));
    expect(results).toHaveLength(1);
    expect(result.hooks).toMatchObject({ passed: 1, failed: 3 });
    expect(stderr.match(/PreToolUse hook/g)).toHaveLength(3);
  });

  it('block on failure only where that is said [contract.failure.on-failure-block] [contract.failure.launch-is-no-verdict]', async () => {
    userHooks({ PreToolUse: [group('/nowhere/guard'), group('python3 nowhere.py'), group('exit 2; true')] });
    expect((await run(shellScript('echo hi'))).denied).toHaveLength(1);
    userHooks({ PreToolUse: [group('/nowhere/guard'), group('python3 nowhere.py')] });
    const { result, results } = await run(shellScript('echo hi'));
    expect([results.length, result.hooks.failed]).toEqual([1, 2]);
    userHooks({ PreToolUse: [group('/nowhere/guard', undefined, { onFailure: 'block' })] });
    expect((await run(shellScript('echo hi'))).denied[0]).toContain('/nowhere/guard');
  });
});

describe('session events', () => {
  it('bring plain text as context on SessionStart and UserPromptSubmit [contract.output.text-as-context] [koder.event.sessionstart-at-startup] [koder.event.userpromptsubmit-every-prompt]', async () => {
    userHooks({
      SessionStart: [group('cat > "$HOME/start.json"; echo start-context')],
      UserPromptSubmit: [group('cat > "$HOME/prompt.json"; echo prompt-context')],
    });
    const { result } = await run([{ text: 'hi' }]);
    expect(JSON.parse(stage.read('~/start.json'))).toMatchObject({
      event: 'SessionStart',
      source: 'startup',
      session_id: result.session_id,
    });
    expect(JSON.parse(stage.read('~/prompt.json'))).toMatchObject({
      event: 'UserPromptSubmit',
      prompt: 'do it',
      session_id: result.session_id,
      protocol: 1,
    });
  });

  it('abort the start when SessionStart blocks [koder.event.sessionstart-block] [contract.order.open]', async () => {
    userHooks({
      SessionStart: [group('echo "not today" >&2; exit 2')],
      SessionEnd: [group('touch "$HOME/ended"')],
      session_start: ['touch "$HOME/started"'],
      session_end: ['touch "$HOME/ended"'],
    });
    const done = await stage.prompt([{ text: 'hi' }]);
    expect(done).toMatchObject({ code: 1, stdout: '' });
    expect(done.stderr).toContain('not today');
    expect([stage.has('~/started'), stage.has('~/ended')]).toEqual([false, false]);
  });

  it.each(['json', 'stream-json'])('say in %s that SessionStart blocked the start', async (format) => {
    userHooks({ SessionStart: [group('cat > "$HOME/start.json"; echo "not today" >&2; exit 2')] });
    const { code, stdout, stderr } = await stage.prompt([{ text: 'hi' }], {
      args: ['--output-format', format],
    });
    expect([code, stdout.trimEnd().split('\n').length]).toEqual([1, 1]);
    expect(JSON.parse(stdout)).toMatchObject({
      ...(format === 'stream-json' && { type: 'result' }),
      session_id: JSON.parse(stage.read('~/start.json')).session_id,
      result: '',
      is_error: true,
      stop_reason: 'start_blocked',
      error: expect.stringContaining('not today'),
      turns: 0,
      hooks: { blocked: 1 },
    });
    expect(stderr).toContain('not today');
  });

  it('refuse a prompt and make no model call [koder.event.userpromptsubmit-block]', async () => {
    userHooks({
      UserPromptSubmit: [group(`echo '{"decision":"block","reason":"no such prompts"}'`)],
      run_start: ['touch "$HOME/ran"'],
    });
    const { code, result, stderr } = await run([{ text: 'hi' }]);
    expect([code, result.stop_reason, result.turns]).toEqual([1, 'prompt_blocked', 0]);
    expect(stderr).toContain('no such prompts');
    expect(stage.has('~/ran')).toBe(false);
  });

  it('end the run with an error when Stop blocks, naming only the place [koder.event.stop-block] [codey.run.error-is-host-message] [codey.run.end-reason]', async () => {
    stage.write(
      '~/.koder/settings.json',
      '{"hooks": {\n "run_end": ["printf %s \\"$CODEY_REASON|$CODEY_ERROR\\" > \\"$HOME/end\\""],\n "Stop": [{"hooks": [\n  {"type": "command", "command": "echo tests are red >&2; exit 2"}]}]}}',
    );
    const { code, result, stderr } = await run([{ text: 'hi' }]);
    expect([code, result.stop_reason]).toEqual([1, 'stop_blocked']);
    expect(stderr).toContain('tests are red');
    expect(stage.read('~/end')).toBe('error|blocked by Stop hook settings.json:4');
  });

  it('send the agent back to work until the limit [contract.event.stop-continue] [contract.event.stop-limit] [koder.event.stop-active-flag] [koder.event.stop-payload]', async () => {
    userHooks({
      Stop: [group(`cat >> "$HOME/stops"; echo '{"decision":"continue","reason":"run the tests"}'`)],
    });
    const { code, result } = await run([{ text: 'a' }]);
    const stops = stage
      .read('~/stops')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(stops.map((stop) => [stop.stop_hook_active, stop.stop_hook_count])).toEqual([
      [false, 0],
      ...[1, 2, 3, 4, 5, 6, 7].map((count) => [true, count]),
    ]);
    expect([code, result.stop_reason]).toEqual([1, 'stop_hook_limit']);
  });

  it('tell StopFailure the provider’s error before run_end [koder.event.stopfailure-on-error] [koder.event.stopfailure-payload]', async () => {
    userHooks({
      StopFailure: [group('cat > "$HOME/failure.json"')],
      run_end: ['printf %s "$CODEY_ERROR" > "$HOME/end"'],
    });
    const { code } = await run([{ error: 'the provider is down' }]);
    expect(code).toBe(1);
    expect(JSON.parse(stage.read('~/failure.json'))).toMatchObject({
      event: 'StopFailure',
      last_assistant_message: 'the provider is down',
    });
    expect(stage.read('~/end')).toBe('the provider is down');
  });

  it('give SessionEnd its session [koder.event.sessionend-on-exit] [koder.event.sessionend-payload]', async () => {
    userHooks({ SessionEnd: [group('cat > "$HOME/end.json"')] });
    const { result } = await run([{ text: 'a' }]);
    expect(JSON.parse(stage.read('~/end.json'))).toMatchObject({
      event: 'SessionEnd',
      session_id: result.session_id,
      reason: 'exit',
    });
  });
});

describe('tool events', () => {
  it('see results, failures first [koder.event.posttooluse-payload] [koder.event.posttoolusefailure-fires-first] [koder.event.posttooluse-error-text] [koder.event.posttooluse-after-call]', async () => {
    userHooks({
      PostToolUse: [group('cat >> "$HOME/calls"')],
      PostToolUseFailure: [group('cat >> "$HOME/calls"')],
    });
    await run([
      { calls: [{ tool: 'read_file', input: { path: 'nowhere.txt' } }] },
      { calls: [{ tool: 'run_shell', input: { command: 'echo fine' } }] },
      { text: 'done' },
    ]);
    const calls = stage
      .read('~/calls')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(calls.map((call) => [call.event, call.tool_name])).toEqual([
      ['PostToolUseFailure', 'read_file'],
      ['PostToolUse', 'read_file'],
      ['PostToolUse', 'run_shell'],
    ]);
    expect(calls[1].result).toBe(calls[0].error);
    expect(calls[2].result).toContain('fine');
  });

  it('let PermissionRequest settle what would be asked, and tell of denials [koder.decision.allow-approves] [koder.decision.deny-denies] [koder.decision.deny-message] [koder.event.permissiondenied-on-denial]', async () => {
    const behave = (decision: object) => `echo '${JSON.stringify({ hookSpecificOutput: { decision } })}'`;
    userHooks({
      PermissionRequest: [group(behave({ behavior: 'allow' }))],
      PermissionDenied: [group('cat > "$HOME/denied.json"')],
    });
    expect((await run(shellScript('touch a; echo made'), [])).results).toHaveLength(1);
    userHooks({
      PermissionRequest: [group(behave({ behavior: 'deny', message: 'not on fridays' }))],
      PermissionDenied: [group('cat > "$HOME/denied.json"')],
    });
    expect((await run(shellScript('touch a'), [])).denied).toEqual(['not on fridays']);
    expect(JSON.parse(stage.read('~/denied.json')).reason).toMatch(/PermissionRequest hook.*not on fridays/);
  });

  it('take the input of PermissionRequest for a new call, once: who changes it again has agreed to nothing [contract.rewrite.checked-again] [contract.rewrite.tightening-stays]', async () => {
    const allowed = (line: string) =>
      group(
        `echo '{"hookSpecificOutput":{"decision":{"behavior":"allow"},"updatedInput":{"command":"${line}"}}}'`,
      );
    userHooks({ PermissionRequest: [allowed('touch same')], PreToolUse: [group('cat >> "$HOME/asked"')] });
    await run(shellScript('touch first'), []);
    const asked = stage.read('~/asked').trim().split('\n');
    expect(asked.map((line) => JSON.parse(line).tool_input.command)).toEqual(['touch first', 'touch same']);
    expect([stage.has('same'), stage.has('first')]).toEqual([true, false]);
    userHooks({ PermissionRequest: [allowed(`touch again'$$'`)] });
    const { denied } = await run(shellScript('touch first'), []);
    expect(denied).toEqual(['The input was changed a second time, so this call was not run.']);
    expect(readdirSync(stage.project).filter((name) => /^(again|first)/.test(name))).toEqual([]);
  });

  it('hold back a repository’s hooks until somebody agreed [contract.trust.headless-held] [contract.trust.ci-flag]', async () => {
    stage.write('.koder/settings.json', {
      hooks: { PreToolUse: [group('exit 2')], run_end: ['touch "$HOME/ran"'] },
    });
    const held = await run(shellScript('echo hi'));
    expect(held.results).toHaveLength(1);
    expect(held.stderr).toMatch(/2 hooks of this repository are held back.*codey hooks trust/);
    expect(stage.has('~/ran')).toBe(false);
    const trusted = await run(shellScript('echo hi'), [...bypass, '--trust-project-hooks']);
    expect(trusted.denied).toHaveLength(1);
    expect(stage.has('~/ran')).toBe(true);
  });
});

describe('the text of print mode', () => {
  it('says beside the answer which calls did not run and why, at most five', async () => {
    userHooks({ PreToolUse: [group('echo not here >&2; exit 2', 'run_shell')] });
    const few = await stage.prompt(shellScript('true'), { args: bypass });
    expect(few).toMatchObject({ code: 0, stdout: 'All done.\n' });
    expect(few.stderr).toBe('codey: run_shell was not run: not here\n');
    const many = await stage.prompt(shellScript(...Array.from({ length: 7 }, () => 'true')), {
      args: bypass,
    });
    expect(many.stderr.match(/was not run: not here/g)).toHaveLength(5);
    expect(many.stderr).toContain('codey: 2 more calls were not run\n');
    userHooks({});
    const unasked = await stage.prompt(shellScript('touch a'));
    expect(unasked.stderr).toMatch(/^codey: run_shell was not run: .*nobody is here to answer$/m);
  });

  it('says that a guard which is not there blocked the call', async () => {
    userHooks({
      PreToolUse: [{ matcher: 'run_shell', hooks: [command('/no/such/guard.sh', { onFailure: 'block' })] }],
    });
    const run = await stage.prompt(shellScript('true'), { args: bypass });
    expect(run.stderr).toMatch(/^codey: run_shell was not run: PreToolUse hook .* failed: /m);
  });

  it('says why a hook blocked a result, which only the model is told otherwise', async () => {
    userHooks({ PostToolUse: [group('echo tests are red >&2; exit 2', 'run_shell')] });
    const run = await stage.prompt(shellScript('true'), { args: bypass });
    expect(run.stderr).toMatch(/^codey: PostToolUse blocked: tests are red \(.*settings\.json:\d+\)$/m);
  });

  it('says which hook made an input that cannot run', async () => {
    const updatedInput = { comand: 'echo hi' };
    userHooks({ PreToolUse: [group(`echo '${JSON.stringify({ hookSpecificOutput: { updatedInput } })}'`)] });
    const { stderr } = await stage.prompt(shellScript('touch ran'), { args: bypass });
    expect(stderr).toMatch(
      /^codey: run_shell was not run: A hook \(echo, settings\.json:\d+\) changed the input/,
    );
    expect(stage.has('ran')).toBe(false);
  });

  it('says once that a hook is held back for a cause, however many calls it would have judged', async () => {
    stage.write('guard.sh', '#!/bin/sh\ntrue\n');
    stage.write('.codey/settings.json', {
      hooks: { PostToolUse: [group('"$CODEY_PROJECT_DIR"/guard.sh', 'run_shell')] },
    });
    await stage.codey(['hooks', 'trust', '--yes']);
    stage.write('guard.sh', '#!/bin/sh\nfalse\n');
    const run = await stage.prompt(shellScript('true', 'true', 'true'), { args: bypass });
    expect(run.stderr.match(/^codey: PostToolUse hook .* was held back/gm)).toHaveLength(1);
  });
});

describe('the session’s environment', () => {
  it('is what SessionStart hooks exported, for every later shell command [koder.env.env-file-injects] [koder.env.env-file-not-for-tools] [koder.env.both-prefixes]', async () => {
    userHooks({
      SessionStart: [
        group(
          'test "$KODER_ENV_FILE" = "$CODEY_ENV_FILE" && echo "export GREETING=\'hi there\'" >> "$KODER_ENV_FILE"',
        ),
      ],
      PostToolUse: [group('printf %s "${KODER_ENV_FILE-none}" > "$HOME/env-file"')],
    });
    const { results } = await run(shellScript('echo "$GREETING"'));
    expect(results[0]).toContain('hi there');
    expect(stage.read('~/env-file')).toBe('none');
  });
});
