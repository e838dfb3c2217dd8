// Ways around a guard that were found in other agents, tried on the whole program. The numbers are the rows of the two
// lists of bug classes they come from: `claude` and `peers`.
import { readdirSync } from 'node:fs';
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

const user = (settings: object) => void stage.write('~/.codey/settings.json', settings);
const say = (fields: object) => `echo '${JSON.stringify({ hookSpecificOutput: fields })}'`;
const allow = say({ permissionDecision: 'allow' });
const lines = (file: string) => (stage.has(file) ? stage.read(file).trim().split('\n') : []);

describe('a guard is asked', () => {
  const everyTool = [
    { tool: 'run_shell', input: { command: 'touch made' } },
    { tool: 'run_shell', input: { command: 'touch made', background: true } },
    { tool: 'write_file', input: { path: 'made', content: '' } },
    { tool: 'edit_file', input: { path: 'a.txt', old_string: 'a', new_string: 'b' } },
    { tool: 'read_file', input: { path: 'a.txt' } },
    { tool: 'list_directory', input: { path: '.' } },
    { tool: 'glob_search', input: { pattern: '*' } },
    { tool: 'grep_search', input: { pattern: 'a' } },
    { tool: 'web_fetch', input: { url: 'http://127.0.0.1:1/' } },
    { tool: 'todo_write', input: { todos: [{ content: 'a', status: 'pending' }] } },
    { tool: 'spawn_agent', input: { prompt: 'go' } },
    { tool: 'enter_worktree', input: { name: 'x' } },
  ] as const;

  it('about every tool there is, and its exit 2 keeps each from running [contract.gate.every-caller]', async () => {
    stage.write('a.txt', 'a\n');
    user({ hooks: { PreToolUse: [group('echo no >&2; exit 2')] } });
    const { results, denied } = await play(stage, [{ calls: everyTool }, { text: 'done' }], bypass);
    expect(results).toEqual([]);
    expect(denied).toEqual(everyTool.map(() => 'no'));
    expect([stage.has('made'), stage.read('a.txt')]).toEqual([false, 'a\n']);
  });

  it('also about what agents do that the agent starts [contract.gate.every-caller]', async () => {
    user({ hooks: { PreToolUse: [group('echo no >&2; exit 2', 'run_shell')] } });
    const script = {
      main: [
        { calls: [{ tool: 'spawn_agent', input: { prompt: 'go', name: 'helper' } }] },
        { calls: [{ tool: 'agent_result', input: { name: 'helper' } }] },
        { text: 'done' },
      ],
      agents: {
        helper: [
          { calls: [{ tool: 'run_shell', input: { command: 'touch made' } }] },
          { calls: [{ tool: 'run_shell', input: { command: 'touch made', background: true } }] },
          { text: 'tried' },
        ],
      },
    };
    stage.write('script.json', script);
    const run = await stage.codey(['-p', 'x', '--model', 'script:script.json', ...bypass]);
    expect(run.code).toBe(0);
    expect(stage.has('made')).toBe(false);
    expect(
      stage.journal().filter((line) => line.event === 'PreToolUse' && line.verdict === 'deny'),
    ).toHaveLength(2);
  });

  it('every time, whatever was approved for good before [contract.gate.hooks-before-memory]', async () => {
    user({
      permissions: { allow: ['run_shell'] },
      hooks: { PreToolUse: [group('echo asked >> "$HOME/asked"; exit 2')] },
    });
    const { denied } = await play(stage, shellScript('true', 'true'), []);
    expect(denied).toHaveLength(2);
    expect(lines('~/asked')).toHaveLength(2);
  });
});

describe('no hook lifts', () => {
  it('a rule that denies or asks [contract.merge.rules-beat-hooks]', async () => {
    user({
      permissions: { deny: ['run_shell(touch denied*)'], ask: ['run_shell(touch asked*)'] },
      hooks: {
        PreToolUse: [group(allow)],
        PermissionRequest: [group(say({ decision: { behavior: 'allow' } }))],
      },
    });
    const { denied } = await play(stage, shellScript('touch denied', 'touch asked'), bypass);
    expect(denied).toHaveLength(2);
    expect([stage.has('denied'), stage.has('asked')]).toEqual([false, false]);
  });

  it('the ask of another in the mode that asks nothing [contract.merge.unanswered-ask-denies]', async () => {
    user({ hooks: { PreToolUse: [group(say({ permissionDecision: 'ask' }), 'run_shell'), group(allow)] } });
    const { denied, results } = await play(
      stage,
      [
        ...shellScript('touch made').slice(0, 1),
        { calls: [{ tool: 'write_file', input: { path: 'b', content: '' } }] },
        { text: 'x' },
      ],
      bypass,
    );
    // And the mode is what it was.
    expect([denied.length, results.length, stage.has('made')]).toEqual([1, 1, false]);
  });

  it('a rule by rewriting the call, before it or at its approval [contract.rewrite.checked-again]', async () => {
    const updatedInput = { command: 'touch denied' };
    for (const hooks of [
      { PreToolUse: [group(say({ permissionDecision: 'allow', updatedInput }))] },
      { PermissionRequest: [group(say({ decision: { behavior: 'allow' }, updatedInput }))] },
    ]) {
      user({ permissions: { deny: ['run_shell(touch denied*)'] }, hooks });
      const { denied } = await play(stage, shellScript('touch harmless'), []);
      expect(denied).toEqual([expect.stringContaining('denied by rule')]);
      expect(stage.has('denied')).toBe(false);
    }
  });
});

describe('what a hook says', () => {
  it('ends the run before the tool, not after it [contract.output.continue-false]', async () => {
    user({ hooks: { PreToolUse: [group(`echo '{"continue":false,"stopReason":"enough"}'`)] } });
    const { code, result } = await play(stage, shellScript('touch made', 'touch made'), bypass);
    expect([code, stage.has('made'), result.turns]).toEqual([1, false, 1]);
  });

  it('reaches the model with every reason [contract.merge.reasons-kept]', async () => {
    user({ hooks: { PreToolUse: [group('echo one >&2; exit 2'), group('echo two >&2; exit 2')] } });
    const { denied } = await play(stage, shellScript('true'), bypass);
    expect(denied).toEqual([expect.stringMatching(/^one .*\ntwo .*$/)]);
  });

  it('is never in the words of the user [contract.output.additional-context]', async () => {
    user({
      hooks: {
        SessionStart: [group('echo from-start')],
        UserPromptSubmit: [group('echo from-prompt')],
        PostToolUse: [group(say({ additionalContext: 'from-tool' }))],
        Stop: [
          group(`grep -q '"stop_hook_active":true' || echo '{"decision":"continue","reason":"from-stop"}'`),
        ],
      },
    });
    await play(stage, shellScript('true'), bypass);
    const logs = readdirSync(path.join(stage.home, '.codey'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('log.jsonl'))
      .flatMap((file) => lines(`~/.codey/${file}`));
    const spoken = logs.filter((line) => line.includes('from-')).map((line) => JSON.parse(line));
    expect(spoken.map(({ text }) => text)).toEqual(['from-start', 'from-prompt', 'from-tool', 'from-stop']);
    expect(spoken.map(({ kind }) => kind)).toEqual(Array(4).fill('context'));
  });

  it('is asked for once at the end of a session [koder.event.sessionend-on-exit]', async () => {
    user({ hooks: { SessionEnd: [{ hooks: [command('echo over >> "$HOME/over"')] }] } });
    await play(stage, shellScript('true'), bypass);
    expect(lines('~/over')).toEqual(['over']);
  });
});

describe('a home that is the project', () => {
  it('has each hook once, and as its user’s own [contract.scope.real-path-once]', async () => {
    user({ hooks: { PreToolUse: [group('echo asked >> "$HOME/asked"')] } });
    stage.write('~/script.json', shellScript('true'));
    const run = await stage.codey(['-p', 'x', '--model', 'script:script.json', ...bypass], {
      cwd: stage.home,
    });
    expect([run.code, lines('~/asked')]).toEqual([0, ['asked']]);
    expect(run.stderr).not.toContain('held back');
  });
});

describe('a repository that only turns off', () => {
  it('does not do so before somebody agreed [contract.repo.loosening-reviewed]', async () => {
    user({ hooks: { PreToolUse: [group('echo no >&2; exit 2')] } });
    stage.write('.codey/settings.json', { disableAllHooks: true });
    const { denied, stderr } = await play(stage, shellScript('touch made'), bypass);
    expect([denied, stage.has('made')]).toEqual([['no'], false]);
    expect(stderr).toContain('held back');
  });
});
