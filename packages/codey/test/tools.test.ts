// What may run and what not, with nobody there to ask: modes, rules, hooks and protected files, through the whole program.
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bypass, callScript, play } from './play.ts';
import { group } from './settings.ts';
import { createStage, type ScriptEntry, shellScript, type Stage } from './stage.ts';

let stage: Stage;
beforeEach(() => {
  stage = createStage();
  stage.write('inside.txt', 'inside\n');
  stage.write('~/outside/secret.txt', 'outside\n');
});
afterEach(() => stage.remove());

const modes = ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions'] as const;
const edit = {
  tool: 'edit_file',
  input: { path: 'inside.txt', old_string: 'inside', new_string: 'changed' },
};
const outside = () => path.join(stage.home, 'outside/secret.txt');

/** Whether the one call of the script ran. */
async function runs(script: readonly ScriptEntry[], args: readonly string[]): Promise<boolean> {
  const { results, denied } = await play(stage, script, args);
  expect(results.length + denied.length).toBe(1);
  return results.length === 1;
}

describe('permission modes', () => {
  const shell = (line: string) => ({ tool: 'run_shell', input: { command: line } });
  const calls = () => ({
    'reads a file': { tool: 'read_file', input: { path: 'inside.txt' } },
    'reads by a command': shell('git status --short | head -3'),
    'keeps a list': { tool: 'todo_write', input: { todos: [{ content: 'a', status: 'pending' }] } },
    'edits a file': edit,
    'writes a file': { tool: 'write_file', input: { path: 'new.txt', content: 'new' } },
    'runs a command': shell('touch made'),
    'writes by a reading command': shell('cat inside.txt > copy.txt'),
    'reads outside': { tool: 'read_file', input: { path: outside() } },
    'writes outside': { tool: 'write_file', input: { path: path.join(stage.home, 'new.txt'), content: 'x' } },
  });
  const always = ['reads a file', 'reads by a command', 'keeps a list'];
  const edits = ['edits a file', 'writes a file'];
  const expected: Readonly<Record<(typeof modes)[number], readonly string[]>> = {
    default: always,
    acceptEdits: [...always, ...edits],
    plan: always,
    dontAsk: always,
    bypassPermissions: [
      ...always,
      ...edits,
      'runs a command',
      'writes by a reading command',
      'reads outside',
      'writes outside',
    ],
  };

  it.each(modes)(
    '%s lets run what it says and nothing else [contract.merge.unanswered-ask-denies]',
    async (mode) => {
      const script = Object.values(calls()).map((each) => ({ calls: [each] }));
      const { lines } = await play(stage, [...script, { text: 'done' }], ['--permission-mode', mode]);
      const ends = lines.filter(({ type }) => type === 'tool_result' || type === 'tool_denied');
      const ran = Object.keys(calls()).filter((_, at) => ends[at]?.type === 'tool_result');
      expect(ran.toSorted()).toEqual(expected[mode].toSorted());
    },
  );

  it('plan only reads, whatever a rule, a flag or a hook says [contract.mode.plan-only-reads]', async () => {
    stage.write('~/.codey/settings.json', {
      permissions: { allow: ['edit_file', 'run_shell'] },
      hooks: {
        PreToolUse: [group(`echo '{"hookSpecificOutput":{"permissionDecision":"allow"}}'`)],
        PermissionRequest: [group(`echo '{"hookSpecificOutput":{"decision":{"behavior":"allow"}}}'`)],
      },
    });
    const args = ['--permission-mode', 'plan', '--allowed-tools', 'edit_file,run_shell'];
    for (const script of [callScript(edit.tool, edit.input), shellScript('touch made')])
      expect(await runs(script, args)).toBe(false);
    expect(await runs(shellScript('cat inside.txt'), args)).toBe(true);
    expect([stage.read('inside.txt'), stage.has('made')]).toEqual(['inside\n', false]);
  });

  it('dontAsk denies what would be asked, but hears hooks and remembered approvals before', async () => {
    const mode = ['--permission-mode', 'dontAsk'];
    stage.write('~/.codey/settings.json', {
      hooks: {
        PermissionRequest: [
          group(`echo '{"hookSpecificOutput":{"decision":{"behavior":"allow"}}}'`, 'write_file'),
        ],
      },
    });
    expect(await runs(callScript('write_file', { path: 'new.txt', content: 'new' }), mode)).toBe(true);
    expect(await runs(callScript(edit.tool, edit.input), mode)).toBe(false);
  });

  it('bypassPermissions keeps deny rules, ask rules, and a hook’s deny and ask [contract.mode.bypass-keeps-guards]', async () => {
    stage.write('~/.codey/settings.json', {
      permissions: { deny: ['run_shell(rm *)'], ask: ['run_shell(touch *)'] },
      hooks: {
        PreToolUse: [
          group(`echo '{"hookSpecificOutput":{"permissionDecision":"deny"}}'`, undefined, {
            if: 'run_shell(mv *)',
          }),
          group(`echo '{"hookSpecificOutput":{"permissionDecision":"ask"}}'`, undefined, {
            if: 'run_shell(cp *)',
          }),
        ],
      },
    });
    for (const line of ['true && rm -f inside.txt', 'touch made', 'mv inside.txt gone', 'cp inside.txt copy'])
      expect([line, await runs(shellScript(line), bypass)]).toEqual([line, false]);
    expect(await runs(shellScript('mkdir made'), bypass)).toBe(true);
    expect(stage.has('inside.txt')).toBe(true);
  });
});

describe('outside the workspace', () => {
  it('nothing is read or written without a yes, be it by a link or a way around', async () => {
    symlinkSync(path.join(stage.home, 'outside'), path.join(stage.project, 'link'));
    for (const script of [
      callScript('read_file', { path: '../home/outside/secret.txt' }),
      callScript('read_file', { path: 'link/secret.txt' }),
      callScript('list_directory', { path: 'link' }),
      callScript('grep_search', { pattern: 'outside', path: 'link' }),
      callScript('write_file', { path: 'link/new.txt', content: 'x' }),
    ]) {
      expect(await runs(script, ['--permission-mode', 'acceptEdits'])).toBe(false);
    }
    expect(stage.has('~/outside/new.txt')).toBe(false);
  });

  it('a folder counts as inside with --add-dir, and a rule or a hook may say yes', async () => {
    const read = callScript('read_file', { path: outside() });
    const folder = path.join(stage.home, 'outside');
    expect(await runs(read, [])).toBe(false);
    expect(await runs(read, ['--add-dir', folder])).toBe(true);
    expect(await runs(read, ['--allowed-tools', `read_file(${folder}/*)`])).toBe(true);
    expect(await runs(read, ['--allowed-tools', 'read_file(/elsewhere/*)'])).toBe(false);
    stage.write('~/.codey/settings.json', {
      hooks: { PreToolUse: [group(`echo '{"hookSpecificOutput":{"permissionDecision":"allow"}}'`)] },
    });
    expect(await runs(read, [])).toBe(true);
  });
});

describe('rules', () => {
  it('allow for one run with --allowed-tools, and only what they cover whole [contract.if.allow-covers-all] [contract.if.rules-alike]', async () => {
    const allowed = ['--allowed-tools', 'run_shell(touch *),write_file'];
    expect(await runs(shellScript('touch made'), allowed)).toBe(true);
    expect(await runs(callScript('write_file', { path: 'new.txt', content: 'new' }), allowed)).toBe(true);
    for (const line of [
      'touch a; rm inside.txt',
      'touch "$(rm inside.txt)"',
      'touch a > inside.txt',
      './touch a',
    ])
      expect([line, await runs(shellScript(line), allowed)]).toEqual([line, false]);
    expect(await runs(shellScript('touch made'), [])).toBe(false);
    expect(stage.read('inside.txt')).toBe('inside\n');
  });

  it('that deny or ask are not lifted by a hook [contract.merge.rules-beat-hooks] [koder.event.permissionrequest-resolves] [koder.event.permissionrequest-on-need] [koder.event.permissionrequest-payload] [koder.event.permissiondenied-payload]', async () => {
    stage.write('~/.codey/settings.json', {
      permissions: { deny: ['run_shell(rm *)'], ask: ['run_shell(touch *)'] },
      hooks: {
        PreToolUse: [group(`echo '{"hookSpecificOutput":{"permissionDecision":"allow"}}'`)],
        PermissionRequest: [
          group(`cat >> "$HOME/requests"; echo '{"hookSpecificOutput":{"decision":{"behavior":"allow"}}}'`),
        ],
        PermissionDenied: [group('cat >> "$HOME/denials"')],
      },
    });
    const { denied, results } = await play(
      stage,
      shellScript('rm inside.txt', 'touch made', 'mkdir made'),
      [],
    );
    expect([denied.length, results.length]).toEqual([2, 1]);
    const lines = (file: string) =>
      stage
        .read(file)
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
    expect(lines('~/requests')).toMatchObject([
      {
        tool_name: 'run_shell',
        tool_input: { command: 'touch made' },
        reason: expect.stringContaining('settings.json'),
      },
    ]);
    expect(lines('~/denials')).toMatchObject([
      {
        tool_name: 'run_shell',
        tool_input: { command: 'rm inside.txt' },
        reason: expect.stringMatching(/^deny rule/),
      },
      {
        tool_name: 'run_shell',
        tool_input: { command: 'touch made' },
        reason: expect.stringMatching(/^nobody to ask/),
      },
    ]);
  });

  it('of a repository tighten at once and loosen only after a yes [contract.repo.tightening-read] [contract.repo.loosening-reviewed]', async () => {
    stage.write('.codey/settings.json', {
      permissions: { deny: ['read_file(inside.txt)'], allow: ['run_shell(touch *)'] },
    });
    expect(await runs(callScript('read_file', { path: 'inside.txt' }), bypass)).toBe(false);
    expect(await runs(shellScript('touch made'), [])).toBe(false);
    expect(await runs(shellScript('touch made'), ['--trust-project-hooks'])).toBe(true);
  });

  it('that a human agreed to are read from the home and leave the hooks their say [contract.gate.hooks-before-memory]', async () => {
    expect(await runs(shellScript('touch made'), [])).toBe(false);
    const [project = ''] = execFileSync('ls', [path.join(stage.home, '.codey/projects')], {
      encoding: 'utf8',
    })
      .trim()
      .split('\n');
    stage.write(`~/.codey/projects/${project}/approvals.json`, { rules: ['run_shell(touch made)'] });
    expect(await runs(shellScript('touch made'), [])).toBe(true);
    expect(await runs(shellScript('touch other'), [])).toBe(false);
    stage.write('~/.codey/settings.json', { hooks: { PreToolUse: [group('exit 2')] } });
    expect(await runs(shellScript('touch made'), [])).toBe(false);
    expect(stage.has('.codey/settings.json')).toBe(false);
  });
});

describe('files that govern the agent', () => {
  it.each(modes)(
    'are denied in mode %s with nobody to ask, whatever rule or hook allows it [contract.trust.files-protected]',
    async (mode) => {
      const allow = `echo '{"hookSpecificOutput":{"permissionDecision":"allow"}}'`;
      stage.write('~/.codey/settings.json', {
        permissions: { allow: ['write_file', 'edit_file', 'run_shell'] },
        hooks: {
          PreToolUse: [group(allow), group('true # hooks/guard.sh')],
          PermissionRequest: [group(`echo '{"hookSpecificOutput":{"decision":{"behavior":"allow"}}}'`)],
        },
      });
      mkdirSync(path.join(stage.project, '.codey/hooks'), { recursive: true });
      stage.write('.codey/hooks/guard.sh', 'exit 0\n');
      const before = stage.read('~/.codey/settings.json');
      const calls = [
        { tool: 'write_file', input: { path: '.codey/settings.json', content: '{}' } },
        { tool: 'write_file', input: { path: '.koder/settings.local.json', content: '{}' } },
        { tool: 'write_file', input: { path: '.codey/hooks/guard.sh', content: '' } },
        { tool: 'write_file', input: { path: path.join(stage.home, '.codey/settings.json'), content: '{}' } },
        { tool: 'write_file', input: { path: '.codey/agents/mine.md', content: 'x' } },
        { tool: 'write_file', input: { path: path.join(stage.home, '.codey/trust.json'), content: '{}' } },
        { tool: 'run_shell', input: { command: 'echo {} > .codey/settings.json' } },
        { tool: 'run_shell', input: { command: 'cd .codey && rm -rf hooks' } },
        { tool: 'run_shell', input: { command: 'sed -i s/x/y/ ~/.codey/settings.json' } },
        { tool: 'run_shell', input: { command: 'env codey hooks trust --yes' } },
        { tool: 'run_shell', input: { command: 'npx codey -p hi' } },
      ];
      const { denied, results } = await play(
        stage,
        [{ calls }, { text: 'done' }],
        ['--permission-mode', mode],
      );
      expect([results, denied.length]).toEqual([[], calls.length]);
      expect(stage.has('.codey/settings.json')).toBe(false);
      expect(stage.read('.codey/hooks/guard.sh')).toBe('exit 0\n');
      expect(stage.read('~/.codey/settings.json')).toBe(before);
    },
  );
});

describe('calls of one answer', () => {
  it('that only read are judged and run side by side, the others in their order', async () => {
    const meet = `touch "$HOME/in.$$"; n=0; while [ "$(ls "$HOME" | grep -c '^in')" -lt 3 ] && [ $n -lt 500 ]; do n=$((n+1)); sleep 0.05; done; [ $n -lt 500 ]`;
    stage.write('~/.codey/settings.json', { hooks: { PreToolUse: [group(meet, 'read_file')] } });
    const read = { tool: 'read_file', input: { path: 'inside.txt' } };
    const first = await play(stage, [{ calls: [read, read, read] }, { text: 'done' }]);
    expect(first.result.hooks).toMatchObject({ passed: 3, failed: 0, 'timed-out': 0 });

    const order = ['one', 'two', 'three'].map((word) => ({
      tool: 'run_shell',
      input: { command: `sleep 0.1; echo ${word} >> order` },
    }));
    await play(stage, [{ calls: order }, { text: 'done' }]);
    expect(stage.read('order')).toBe('one\ntwo\nthree\n');
    const tools = stage
      .journal()
      .filter(({ event, tool }) => tool === 'run_shell' && String(event).startsWith('tool_'));
    expect(tools.filter(({ kind }) => kind === 'lifecycle').map(({ event }) => event)).toEqual([
      'tool_start',
      'tool_result',
      'tool_start',
      'tool_result',
      'tool_start',
      'tool_result',
    ]);
  });

  it('that never ran have no tool_start, and their neighbours still run [contract.order.no-start-unrun]', async () => {
    const { results, denied, result } = await play(
      stage,
      [
        {
          calls: [
            { tool: 'run_shell', input: { command: 'touch made' } },
            { tool: 'no_such_tool', input: {} },
            { tool: 'read_file', input: { wrong: 1 } },
            { tool: 'read_file', input: { path: 'inside.txt' } },
          ],
        },
        { text: 'done' },
      ],
      [],
    );
    expect([results.length, denied.length, result.result]).toEqual([1, 1, 'done']);
    expect(result.permission_denials).toMatchObject([
      { tool: 'run_shell', input: { command: 'touch made' } },
    ]);
    expect(stage.journal().filter(({ event }) => event === 'tool_start')).toHaveLength(1);
  });

  it('to ask_user are a failed result where nobody is there, and nobody is said to be waited for [contract.blocked.print-mode]', async () => {
    stage.write('~/.codey/settings.json', {
      hooks: { blocked: ['touch "$HOME/blocked"'], Notification: [group('touch "$HOME/notified"')] },
    });
    const { lines, result } = await play(
      stage,
      callScript('ask_user', {
        questions: [{ header: 'Storage', question: 'Which?', options: [{ label: 'a' }, { label: 'b' }] }],
      }),
      [],
    );
    expect(lines.find(({ type }) => type === 'tool_result')).toMatchObject({
      is_error: true,
      output: expect.stringMatching(/nobody|no one/i),
    });
    expect(result.result).toBe('done');
    expect([stage.has('~/blocked'), stage.has('~/notified')]).toEqual([false, false]);
    expect(stage.journal().filter(({ event }) => event === 'blocked' || event === 'unblocked')).toEqual([]);
  });
});

describe('a page', () => {
  it('is fetched and read as Markdown, from this machine where a rule of the user says so', async () => {
    const server = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' });
      response.end(gzipSync('<h1>News</h1><p>All is <b>well</b>.</p>'));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
      const fetching = () => play(stage, callScript('web_fetch', { url }));
      expect((await fetching()).results).toEqual([expect.stringContaining('on this machine')]);
      stage.write('~/.codey/settings.json', { permissions: { allow: ['web_fetch'] } });
      expect((await fetching()).results).toEqual([expect.stringContaining('# News\n\nAll is **well**.')]);
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });
});
