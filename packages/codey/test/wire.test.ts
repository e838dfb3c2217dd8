// Whole runs against servers that speak the providers' real streaming formats: nothing is needed but an endpoint.
import { execFileSync } from 'node:child_process';
import { startWireServer, type WireAnswer, type WireName, type WireServer } from '@codey/agent/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readLines } from './play.ts';
import { command, group } from './settings.ts';
import { createStage, type RunOptions, type Stage } from './stage.ts';
import { until } from './waiting.ts';

let stage: Stage;
let servers: WireServer[];
beforeEach(() => {
  stage = createStage();
  servers = [];
});
afterEach(async () => {
  await Promise.all(servers.map((server) => server.close()));
  stage.remove();
});

async function serve(wire: WireName, story: readonly WireAnswer[]): Promise<WireServer> {
  const server = await startWireServer({ wire, story });
  servers.push(server);
  return server;
}

/** A prompt to Anthropic's format, with a key and the server's address in the environment. */
function ask(server: WireServer, args: readonly string[] = [], options: RunOptions = {}) {
  return stage.codey(
    ['-p', 'Fix the failing test in this repo.', '--model', 'anthropic/claude-wire', ...args],
    {
      ...options,
      environment: { ANTHROPIC_API_KEY: 'sk-secret', ANTHROPIC_BASE_URL: server.url, ...options.environment },
    },
  );
}

const call = (tool: string, input: Readonly<Record<string, unknown>>) => ({ tool, input });

describe('fixing the failing test of a repository', () => {
  it('works from nothing but an endpoint, watched and governed by hooks [koder.example.push-blocked] [koder.example.format-after-edit] [koder.example.audit-line-per-command]', async () => {
    stage.write('package.json', { name: 'sums', type: 'module', scripts: { test: 'node --test' } });
    stage.write('src/add.js', 'export function add(a, b) {\n  return a - b;\n}\n');
    stage.write(
      'src/add.test.js',
      "import { strict as assert } from 'node:assert';\nimport { test } from 'node:test';\nimport { add } from './add.js';\n\ntest('adds', () => assert.equal(add(2, 3), 5));\n",
    );
    stage.write('AGENTS.md', 'Never touch the tests.\n');
    git('add', '.');
    git('commit', '--quiet', '-m', 'Begin');
    expect(() => runTests()).toThrow('Command failed');
    stage.write('~/.koder/settings.json', {
      hooks: {
        PreToolUse: [
          {
            matcher: 'run_shell',
            hooks: [
              command('cat >> "$HOME/audit.jsonl"'),
              command('echo "pushes are done from CI" >&2; exit 2', { if: 'run_shell(git push*)' }),
            ],
          },
        ],
        PostToolUse: [group('sed -i.bak "s/  *$//" src/add.js && rm src/add.js.bak', 'edit_file|write_file')],
      },
    });
    const server = await serve('anthropic', [
      {
        kind: 'turn',
        text: 'I will look around.',
        calls: [
          call('list_directory', { path: 'src' }),
          call('read_file', { path: 'src/add.js' }),
          call('grep_search', { pattern: 'add\\(' }),
        ],
      },
      { kind: 'turn', calls: [call('run_shell', { command: 'node --test' })] },
      {
        kind: 'turn',
        reasoning: 'It subtracts.',
        text: 'It subtracts.',
        calls: [
          call('edit_file', {
            path: 'src/add.js',
            old_string: 'return a - b;',
            new_string: 'return a + b;   ',
          }),
        ],
      },
      {
        kind: 'turn',
        calls: [
          call('run_shell', { command: 'node --test' }),
          call('run_shell', { command: 'git add -A && git push' }),
        ],
      },
      { kind: 'turn', text: 'The test passes now.' },
    ]);
    const run = await ask(server, [
      '--permission-mode',
      'acceptEdits',
      '--allowed-tools',
      'run_shell(node --test),run_shell(git *)',
      '--output-format',
      'json',
    ]);
    const result = JSON.parse(run.stdout);
    expect(run.code).toBe(0);
    expect(result).toMatchObject({
      result: 'The test passes now.',
      stop_reason: 'completed',
      turns: 5,
      permission_denials: [{ tool: 'run_shell', reason: 'pushes are done from CI' }],
    });

    expect(stage.read('src/add.js')).toBe('export function add(a, b) {\n  return a + b;\n}\n');
    expect(runTests()).toMatch(/pass 1/);
    const audited = readLines(stage.read('~/audit.jsonl'));
    expect(audited.map(({ tool_input }) => tool_input)).toEqual([
      { command: 'node --test' },
      { command: 'node --test' },
      { command: 'git add -A && git push' },
    ]);

    expect(server.requests.flatMap(({ problems }) => problems)).toEqual([]);
    expect(server.requests).toHaveLength(5);
    const last = JSON.stringify(server.requests.at(-1)?.body);
    for (const part of [
      'Never touch the tests.',
      'fail 1',
      'pass 1',
      'pushes are done from CI',
      'It subtracts.',
    ])
      expect(last).toContain(part);
    expect(run.stderr).not.toContain('sk-secret');
  });
});

describe('every provider', () => {
  const story: readonly WireAnswer[] = [
    { kind: 'turn', text: 'I look.', calls: [call('read_file', { path: 'fact.txt' })] },
    { kind: 'turn', text: 'It is 42.', usage: { input: 30, output: 7 } },
  ];
  const providers: readonly {
    readonly wire: WireName;
    readonly model: string;
    readonly how: string;
    readonly reach: (url: string) => {
      readonly args?: readonly string[];
      readonly environment?: Record<string, string>;
    };
    readonly settings?: (url: string) => object;
  }[] = [
    {
      wire: 'anthropic',
      model: 'anthropic/claude-wire',
      how: 'by its variable',
      reach: (url) => ({ environment: { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: url } }),
    },
    {
      wire: 'openai',
      model: 'openai/gpt-wire',
      how: 'by its variable',
      reach: (url) => ({ environment: { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: `${url}/v1` } }),
    },
    {
      wire: 'google',
      model: 'google/gemini-wire',
      how: 'by the flag',
      reach: (url) => ({ args: ['--base-url', url], environment: { GEMINI_API_KEY: 'k' } }),
    },
    {
      wire: 'openai-compatible',
      model: 'openai-compatible/local',
      how: 'by the flag and without a key',
      reach: (url) => ({ args: ['--base-url', `${url}/v1`] }),
    },
    {
      wire: 'openai-compatible',
      model: 'mine/local',
      how: 'under a name of the settings, with a key of its own',
      reach: () => ({ environment: { MY_KEY: 'k' } }),
      settings: (url) => ({ providers: { mine: { baseURL: `${url}/v1`, apiKeyEnv: 'MY_KEY' } } }),
    },
  ];

  it.each(providers)(
    '$model answers in two turns, reached $how',
    async ({ wire, model, reach, settings }) => {
      stage.write('fact.txt', 'The answer is 42.\n');
      const server = await serve(wire, story);
      if (settings !== undefined) stage.write('~/.codey/settings.json', settings(server.url));
      const { args = [], environment = {} } = reach(server.url);
      const run = await stage.codey(
        ['-p', 'What is it?', '--model', model, '--output-format', 'json', ...args],
        { environment },
      );
      expect([run.code, run.stderr]).toEqual([0, '']);
      expect(JSON.parse(run.stdout)).toMatchObject({
        result: 'It is 42.',
        turns: 2,
        usage: { input_tokens: 40, output_tokens: 12 },
      });
      expect(server.requests.map(({ problems }) => problems)).toEqual([[], []]);
      expect(JSON.stringify(server.requests[1]?.body)).toContain('The answer is 42.');
    },
  );

  it('is refused with a sentence when there is no key, no address or no such provider', async () => {
    for (const [model, told] of [
      ['anthropic/claude-wire', /ANTHROPIC_API_KEY is not set/],
      ['openai-compatible/local', /--base-url/],
      ['antropic/claude', /did you mean anthropic/],
      ['claude-sonnet', /did you mean anthropic\/claude-sonnet/],
    ] as const) {
      const run = await stage.codey(['-p', 'hi', '--model', model]);
      expect([run.code, run.stdout]).toEqual([2, '']);
      expect(run.stderr).toMatch(told);
    }
    expect((await stage.codey(['-p', 'hi'])).stderr).toMatch(/no model: set ANTHROPIC_API_KEY/);
    expect(stage.has('.codey/events.jsonl')).toBe(false);
  });
});

describe('a provider in trouble', () => {
  const done: WireAnswer = { kind: 'turn', text: 'Here again.' };
  const busy = (seconds: number): WireAnswer => ({
    kind: 'error',
    status: 429,
    message: 'Slow down.',
    headers: { 'retry-after': String(seconds) },
  });

  it('is waited for as long as it says, and asked again', async () => {
    const server = await serve('anthropic', [busy(1), done]);
    const run = await ask(server);
    expect(run).toMatchObject({ code: 0, stdout: 'Here again.\n' });
    expect(run.stderr).toMatch(/Slow down\. \(HTTP 429\); asking again in [12] s/);
    expect(server.requests).toHaveLength(2);
  });

  it('is named while it is waited for, and Ctrl-C ends the waiting', async () => {
    const server = await serve('anthropic', [busy(120), done]);
    const run = await ask(server, [], {
      onStart: async (child) => {
        await until(() => /asking again in 12\d s/.test(child.stderr()));
        child.kill('SIGINT');
      },
    });
    expect(run.code).toBe(130);
    expect(server.requests).toHaveLength(1);
    expect(ends()).toEqual([
      ['run_end', 'interrupted'],
      ['session_end', 'signal'],
    ]);
  });

  it.each([
    ['drops the connection', { kind: 'drop', turn: { text: 'Half of it' } }],
    ['ends the stream too early', { kind: 'cut', turn: { text: 'Half of it' } }],
    ['sends what is not its format', { kind: 'garbage' }],
    ['fails inside the stream', { kind: 'stream-error', type: 'overloaded_error', message: 'Overloaded' }],
  ] as const satisfies readonly (readonly [string, WireAnswer])[])(
    'that %s is asked again',
    async (_, trouble) => {
      const server = await serve('anthropic', [trouble, done]);
      const run = await ask(server);
      expect(run).toMatchObject({ code: 0, stdout: 'Here again.\n' });
      expect(run.stderr).toMatch(/asking again/);
    },
  );

  it('that refuses ends the run with its own sentence [koder.event.stopfailure-on-error] [koder.event.stopfailure-payload] [codey.run.error-is-host-message]', async () => {
    stage.write('~/.codey/settings.json', {
      hooks: {
        StopFailure: [group('cat > "$HOME/failure.json"')],
        Stop: [group('touch "$HOME/stopped"')],
        run_end: ['printf "%s|%s" "$CODEY_REASON" "$CODEY_ERROR" > "$HOME/end"'],
      },
    });
    const server = await serve('anthropic', [{ kind: 'error', status: 401, message: 'invalid x-api-key' }]);
    const run = await ask(server);
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toMatch(/invalid x-api-key \(HTTP 401\).*ANTHROPIC_API_KEY/);
    expect(run.stderr).not.toContain('sk-secret');
    const failure = JSON.parse(stage.read('~/failure.json'));
    expect(failure).toMatchObject({ event: 'StopFailure', session_id: expect.any(String) });
    expect(failure.last_assistant_message).toContain('invalid x-api-key');
    expect(stage.read('~/end')).toBe(`error|${failure.last_assistant_message}`);
    expect(stage.has('~/stopped')).toBe(false);
  });

  it('that falls silent in the middle of an answer is left by Ctrl-C, and the next session goes on', async () => {
    const server = await serve('anthropic', [
      { kind: 'hang', turn: { text: 'I will think about this for a very long time.' } },
      done,
    ]);
    const run = await ask(server, ['--output-format', 'stream-json'], {
      onStart: async (child) => {
        await until(() => child.stdout().includes('"type":"text"'));
        child.kill('SIGINT');
      },
    });
    expect(run.code).toBe(130);
    await (await server.received(1)).abandoned;
    expect(readLines(run.stdout).at(-1)).toMatchObject({ type: 'result', stop_reason: 'interrupted' });
    const again = await ask(server, ['-continue']);
    expect(again).toMatchObject({ code: 0, stdout: 'Here again.\n' });
    expect(server.requests[1]?.problems).toEqual([]);
  });
});

function ends() {
  return stage
    .journal()
    .filter(({ kind, event }) => kind === 'lifecycle' && String(event).endsWith('_end'))
    .map(({ event, reason }) => [event, reason]);
}

function git(...args: readonly string[]): void {
  execFileSync('git', args, { cwd: stage.project });
}

function runTests(): string {
  return execFileSync(process.execPath, ['--test'], { cwd: stage.project, encoding: 'utf8', stdio: 'pipe' });
}
