// Spec 1 through the whole program: what commands in the config are told, and that nothing they do changes the run.
import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createStage, shellScript, type Stage } from './stage.ts';

let stage: Stage;
beforeEach(() => {
  stage = createStage();
});
afterEach(() => stage.remove());

const allEvents = [
  'session_start',
  'session_end',
  'run_start',
  'run_end',
  'turn_start',
  'tool_start',
  'tool_result',
  'blocked',
  'unblocked',
  'paused',
  'resumed',
];
const bypass = ['--permission-mode', 'bypassPermissions'];

/** Every event appends its JSON to a file. */
function recordEverything(): void {
  stage.write('~/.codey/settings.json', {
    hooks: Object.fromEntries(allEvents.map((event) => [event, ['cat >> "$HOME/told.jsonl"']])),
  });
}

function told(): readonly Record<string, string>[] {
  return stage
    .read('~/told.jsonl')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

describe('lifecycle commands', () => {
  it('are told the session, the run, each turn and each tool in order [codey.session.start-on-open] [codey.session.end-on-close] [codey.run.start-per-prompt] [codey.run.end-once] [codey.run.end-after-answer] [codey.turn.start-per-model-call] [codey.turn.counts-up] [codey.tool.start-per-call] [codey.tool.result-per-call]', async () => {
    recordEverything();
    const run = await stage.prompt(shellScript('echo hi', 'exit 3'), { args: bypass });
    expect(run).toMatchObject({ code: 0, stdout: 'All done.\n' });
    expect(told().map(({ event, turn, tool, reason, error }) => [event, turn, tool, reason, error])).toEqual([
      ['session_start', '', '', 'startup', ''],
      ['run_start', '', '', '', ''],
      ['turn_start', '1', '', '', ''],
      ['tool_start', '1', 'run_shell', '', ''],
      ['tool_result', '1', 'run_shell', '', ''],
      ['turn_start', '2', '', '', ''],
      ['tool_start', '2', 'run_shell', '', ''],
      ['tool_result', '2', 'run_shell', '', 'failed'],
      ['turn_start', '3', '', '', ''],
      ['run_end', '', '', 'completed', ''],
      ['session_end', '', '', 'exit', ''],
    ]);
    expect(new Set(told().map(({ session }) => session)).size).toBe(1);
    expect(told().every(({ agent }) => agent === 'main')).toBe(true);
  });

  it('find all eight variables set, with the values of the JSON [codey.env.always-exported] [codey.stdin.same-values] [codey.stdin.json-object] [codey.env.hook-event] [codey.env.session] [codey.env.agent] [codey.env.turn] [codey.env.tool] [codey.env.reason-message-error]', async () => {
    const script = stage.write(
      '~/show.py',
      `#!/usr/bin/env python3
import json, os, sys
event = json.load(sys.stdin)
names = {'event': 'HOOK_EVENT', 'session': 'SESSION', 'agent': 'AGENT', 'turn': 'TURN', 'tool': 'TOOL', 'reason': 'REASON', 'message': 'MESSAGE', 'error': 'ERROR'}
for key, name in names.items():
    assert os.environ['CODEY_' + name] == event[key], key
    assert os.environ['KODER_' + name] == event[key], key
assert event['time']
open(os.path.join(os.environ['HOME'], 'agreed'), 'a').write(event['event'] + '\\n')
`,
    );
    stage.write('~/.codey/settings.json', {
      hooks: { tool_result: [`python3 ${script}`], run_end: [`python3 ${script}`] },
    });
    await stage.prompt(shellScript('exit 1'), { args: bypass, environment: { CODEY_MESSAGE: 'stale' } });
    expect(stage.read('~/agreed')).toBe('tool_result\nrun_end\n');
  });

  it('notify as in the example of the specification [codey.example.run-end-notifies]', async () => {
    stage.write('~/bin/notify.sh', '#!/bin/sh\nprintf "<%s>" "$@" > "$HOME/notified"\n');
    symlinkSync('notify.sh', path.join(stage.home, 'bin/notify-send'));
    stage.write(
      '~/.codey/settings.json',
      `{
  "hooks": {
    "run_end": ["notify-send 'codey' \\"$CODEY_SESSION finished\\""],
    "blocked": ["notify-send -u critical 'codey needs you' \\"$CODEY_MESSAGE\\""]
  }
}`,
    );
    const run = await stage.prompt([{ text: 'hi' }], {
      args: ['--output-format', 'json'],
      environment: { PATH: `${stage.home}/bin:${process.env.PATH}` },
    });
    expect(stage.read('~/notified')).toBe(`<codey><${JSON.parse(run.stdout).session_id} finished>`);
  });

  it('run in the project root by a shell, in order, one at a time [codey.config.working-root] [codey.config.shell-command] [codey.config.list-order] [codey.config.one-at-a-time] [codey.config.event-to-commands]', async () => {
    stage.write('sub/file', '');
    stage.write('~/.codey/settings.json', {
      hooks: {
        run_end: [
          'sleep 0.2; echo "one $CODEY_SESSION $PWD" >> "$HOME/order"',
          `echo "two" >> "$HOME/order"`,
        ],
      },
    });
    await stage.prompt([{ text: 'hi' }], { args: ['--cwd', 'sub'] });
    const lines = stage.read('~/order').trim().split('\n');
    expect(lines[0]).toMatch(new RegExp(`^one \\S+ ${stage.project}$`));
    expect(lines[1]).toBe('two');
  });

  it('are swallowed when they succeed, and logged when they fail, without changing the run [codey.output.swallowed-on-success] [codey.output.kept-on-failure] [codey.failure.hook-error-logged] [codey.failure.run-unchanged]', async () => {
    stage.write('~/.codey/settings.json', {
      hooks: { run_start: ['echo noise; echo noise >&2'], run_end: ['echo "it broke" >&2; exit 7'] },
    });
    const run = await stage.prompt([{ text: 'the answer' }]);
    expect(run).toMatchObject({ code: 0, stdout: 'the answer\n' });
    expect(run.stderr).not.toContain('noise');
    const errors = stage.journal().filter((line) => line.kind === 'hook_error');
    expect(errors).toMatchObject([{ event: 'run_end', cause: 'exit-code', exit: 7, detail: 'it broke' }]);
  });

  it('are abandoned after ten seconds and the next one runs [codey.config.ten-seconds] [codey.config.hang-is-survived] [codey.failure.timeout-logged]', async () => {
    stage.write('~/.codey/settings.json', {
      hooks: { run_start: ['trap "" TERM; sleep 300', 'echo next > "$HOME/next"'] },
    });
    const run = await stage.prompt([{ text: 'the answer' }]);
    expect(run).toMatchObject({ code: 0, stdout: 'the answer\n' });
    expect(stage.read('~/next')).toBe('next\n');
    expect(stage.journal().filter((line) => line.kind === 'hook_error')).toMatchObject([
      { cause: 'timed-out' },
    ]);
  });

  it('never hold conversation content or tool output [codey.content.no-conversation-text] [codey.content.no-tool-output] [codey.content.no-text-deltas] [contract.journal.no-content]', async () => {
    recordEverything();
    const script = [
      {
        text: 'canary-model',
        calls: [{ tool: 'run_shell', input: { command: 'echo canary-out; echo canary-err >&2; exit 1' } }],
      },
      { text: 'canary-answer' },
    ];
    const run = await stage.codey([
      '-p',
      'canary-prompt',
      '--model',
      `script:${stage.write('s.json', script)}`,
      ...bypass,
    ]);
    expect(run.stdout).toBe('canary-answer\n');
    expect(stage.read('~/told.jsonl')).not.toContain('canary');
    expect(JSON.stringify(stage.journal())).not.toContain('canary');
  });

  it('are turned off for one run by -no-hooks [codey.no-hooks.turns-off] [codey.no-hooks.one-run]', async () => {
    stage.write('~/.codey/settings.json', {
      hooks: {
        run_end: ['echo ran >> "$HOME/ran"'],
        Stop: [{ hooks: [{ type: 'command', command: 'exit 2' }] }],
      },
    });
    expect((await stage.prompt([{ text: 'a' }], { args: ['-no-hooks'] })).code).toBe(0);
    expect(stage.has('~/ran')).toBe(false);
    expect((await stage.prompt([{ text: 'a' }])).code).toBe(1);
    expect(stage.read('~/ran')).toBe('ran\n');
  });

  it('with an unknown event name refuse the start [codey.config.unknown-event-refused]', async () => {
    stage.write('~/.codey/settings.json', '{\n  "hooks": { "run_ended": ["true"] }\n}\n');
    const run = await stage.prompt([{ text: 'a' }]);
    expect(run.code).toBe(2);
    expect(run.stdout).toBe('');
    expect(run.stderr).toContain('.codey/settings.json:2:14');
    expect(run.stderr).toContain('run_end');
    expect(stage.has('.codey/events.jsonl')).toBe(false);
  });

  it('publish session_end as the last event when a signal ends the program [codey.session.end-on-every-exit]', async () => {
    for (const [signal, code] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
      ['SIGHUP', 129],
      ['SIGQUIT', 131],
    ] as const) {
      stage.write('~/told.jsonl', '');
      recordEverything();
      const run = await stage.prompt(shellScript('touch "$HOME/started"; sleep 60'), {
        args: bypass,
        onStart: (child) => {
          const waiting = setInterval(() => {
            if (!stage.has('~/started')) return;
            clearInterval(waiting);
            child.kill(signal);
          }, 20);
        },
      });
      expect(run.code).toBe(code);
      expect(
        told()
          .slice(-3)
          .map(({ event, reason, error }) => [event, reason, error]),
      ).toEqual([
        ['tool_result', '', 'cancelled'],
        ['run_end', 'interrupted', expect.any(String)],
        ['session_end', 'signal', ''],
      ]);
      stage.remove();
      stage = createStage();
    }
  });
});
