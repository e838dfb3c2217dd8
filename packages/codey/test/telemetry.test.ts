// What a collector gets of whole sessions, and that none of them depends on it.
import { hostname } from 'node:os';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { badCollectors, type Collecting, type SentSpan, startCollector } from './otlp-collector.ts';
import { bypass, callScript } from './play.ts';
import { command, group } from './settings.ts';
import { createStage, type RunOptions, type ScriptEntry, shellScript, type Stage } from './stage.ts';
import { openTerminal } from './tui-terminal.ts';
import { until } from './waiting.ts';

let stage: Stage;
let collector: Collecting;
beforeEach(async () => {
  stage = createStage();
  collector = await startCollector();
});
afterEach(async () => {
  await collector.close();
  stage.remove();
});

function report(hooks: object = {}, endpoint = collector.url): void {
  // Behind the hooks, whose places are in what is said about them.
  stage.write('~/.codey/settings.json', { hooks, telemetry: { otlpEndpoint: endpoint } });
}

const guarded = {
  PreToolUse: [
    { matcher: 'run_shell', hooks: [command('echo no >&2; exit 2', { if: 'run_shell(git push*)' })] },
  ],
  PostToolUse: [group('exit 3', 'run_shell')],
  run_start: ['true'],
};

const run = (script: readonly ScriptEntry[], options: RunOptions = {}) =>
  stage.prompt(script, { ...options, args: [...bypass, ...(options.args ?? [])] });

/** Names from the outermost span to this one. */
function pathOf(span: SentSpan): string {
  const parent = collector.spans().find(({ spanId }) => spanId === span.parentSpanId);
  return parent === undefined ? span.name : `${pathOf(parent)} > ${span.name}`;
}

function spanNamed(name: string): SentSpan {
  const found = collector.spans().find((span) => span.name === name);
  expect(found, `a span ${name}`).toBeDefined();
  return found!;
}

describe('a collector that settings name', () => {
  it('gets a run as spans, one inside the other, with what became of each hook', async () => {
    report(guarded);
    expect((await run(shellScript('echo hi', 'git push'))).code).toBe(0);
    const paths = collector.spans().map(pathOf);
    for (const path of [
      'session',
      'session > invoke_agent main > turn',
      'session > invoke_agent main > run_start > hook run_start',
      'session > invoke_agent main > turn > tool_call run_shell > execute_tool run_shell',
      'session > invoke_agent main > turn > tool_call run_shell > PreToolUse > hook PreToolUse',
      'session > invoke_agent main > turn > tool_call run_shell > PostToolUse > hook PostToolUse',
    ])
      expect(paths).toContain(path);
    expect(paths.filter((path) => !path.startsWith('session'))).toEqual([]);

    const blocked = spanNamed('hook PreToolUse');
    expect(blocked).toMatchObject({
      failed: false,
      attributes: {
        'codey.hook.event': 'PreToolUse',
        'codey.hook.id': expect.stringMatching(/^PreToolUse:[0-9a-f]{8}$/),
        'codey.hook.scope': 'user',
        'codey.hook.outcome': 'blocked',
        'codey.hook.verdict': 'deny',
        'codey.hook.duration_ms': expect.any(Number),
        'process.exit.code': 2,
      },
    });
    expect(blocked.endMs).toBeGreaterThan(blocked.startMs);
    expect(spanNamed('hook PostToolUse')).toMatchObject({
      failed: true,
      attributes: {
        'codey.hook.outcome': 'failed',
        'codey.hook.why': 'exit-code',
        'error.type': 'exit-code',
        'process.exit.code': 3,
      },
    });
    const calls = collector.spans().filter(({ name }) => name === 'tool_call run_shell');
    expect(calls.map(({ attributes }) => attributes['codey.gate.decision'])).toEqual(['allowed', 'denied']);
    expect(spanNamed('session').attributes).toMatchObject({
      'codey.session.start_reason': 'startup',
      'codey.session.end_reason': 'exit',
    });
  });

  it('gets log records that stand in those spans', async () => {
    report(guarded);
    await run(shellScript('echo hi', 'git push'));
    const records = collector.records();
    expect(records.map(({ eventName, severity, body }) => `${eventName} ${severity} ${body}`)).toEqual(
      expect.arrayContaining([
        'codey.session_start INFO session_start startup',
        'codey.tool_start INFO tool_start run_shell',
        'codey.gate INFO run_shell allowed by mode bypassPermissions',
        'codey.gate INFO run_shell denied by PreToolUse',
        expect.stringMatching(/^codey\.hook INFO PreToolUse:[0-9a-f]{8} blocked$/),
        expect.stringMatching(/^codey\.hook WARN PostToolUse:[0-9a-f]{8} failed \(exit-code\)$/),
        'codey.run_end INFO run_end completed',
        'codey.session_end INFO session_end exit',
      ]),
    );
    const sent = new Set(collector.spans().map(({ traceId, spanId }) => `${traceId} ${spanId}`));
    expect(records.filter(({ traceId, spanId }) => !sent.has(`${traceId} ${spanId}`))).toEqual([]);
  });

  it('gets a trace for each session, in which a resumed one goes on', async () => {
    report();
    await run([{ text: 'a' }]);
    await run([{ text: 'b' }], { args: ['-continue'] });
    await run([{ text: 'c' }]);
    const ids = collector
      .spans()
      .filter(({ name }) => name === 'session')
      .map(({ traceId, attributes }) => ({ traceId, session: attributes['session.id'] }));
    expect(ids).toHaveLength(3);
    expect(ids[1]).toEqual(ids[0]);
    expect(ids[2]!.traceId).not.toBe(ids[0]!.traceId);
  });

  it('gets a subagent as a span with its name', async () => {
    report(guarded);
    const spawn = { tool: 'spawn_agent', input: { agent: 'general', name: 'helper', prompt: 'look' } };
    const file = stage.write(
      '~/script.json',
      JSON.stringify({
        main: [
          { calls: [spawn] },
          { calls: [{ tool: 'agent_result', input: { name: 'helper' } }] },
          { text: 'done' },
        ],
        agents: {
          general: [{ calls: [{ tool: 'run_shell', input: { command: 'true' } }] }, { text: 'seen' }],
        },
      }),
    );
    await stage.codey(['-p', 'do it', '--model', `script:${file}`, ...bypass]);
    const ran = collector
      .spans()
      .find(
        ({ name, attributes }) =>
          name === 'execute_tool run_shell' && attributes['gen_ai.agent.name'] === 'helper',
      );
    expect(pathOf(ran!)).toBe(
      'session > invoke_agent helper > turn > tool_call run_shell > execute_tool run_shell',
    );
  });

  it('gets the usual variables: headers with a key, the name of the service, and more about the machine', async () => {
    report({}, `${collector.url}/otlp/`);
    await run([{ text: 'a' }], {
      environment: {
        OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20k,x-tenant=a',
        OTEL_EXPORTER_OTLP_LOGS_HEADERS: 'x-tenant=b',
        OTEL_SERVICE_NAME: 'agents',
        OTEL_RESOURCE_ATTRIBUTES: 'team=tools,host.name=desk',
        // Where it goes is said in settings alone.
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
      },
    });
    expect(
      collector.requests.map(({ method, path, headers }) => [
        method,
        path,
        headers['content-type'],
        headers.authorization,
        headers['x-tenant'],
      ]),
    ).toEqual(
      expect.arrayContaining([
        ['POST', '/otlp/v1/traces', 'application/json', 'Bearer k', 'a'],
        ['POST', '/otlp/v1/logs', 'application/json', 'Bearer k', 'b'],
      ]),
    );
    expect(collector.resources()).toContainEqual({
      'service.name': 'agents',
      'service.version': expect.any(String),
      'host.name': 'desk',
      team: 'tools',
    });
    await run([{ text: 'a' }]);
    expect(collector.resources()).toContainEqual(
      expect.objectContaining({ 'service.name': 'codey', 'host.name': hostname() }),
    );
  });

  it('gets what was left to send of a session that a signal ends', async () => {
    report();
    const ended = await run(shellScript('touch running; sleep 60'), {
      async onStart(child) {
        await until(() => stage.has('running'));
        child.kill('SIGTERM');
      },
    });
    expect(ended.code).toBe(143);
    expect(spanNamed('session').attributes['codey.session.end_reason']).toBe('signal');
    expect(spanNamed('execute_tool run_shell')).toMatchObject({ failed: true });
  });

  it('gets the session of a tab of the full screen', async () => {
    report();
    const terminal = openTerminal(stage, [{ text: 'an answer' }]);
    try {
      await terminal.see(/Ask for something/);
      await terminal.type('hello\r', /an answer/);
      terminal.send('\u0003');
      await terminal.see(/Ctrl\+C again leaves/);
      terminal.send('\u0003');
      expect(await terminal.ended).toBe(0);
    } finally {
      terminal.kill('SIGHUP');
    }
    expect(collector.spans().map(pathOf)).toContain('session > invoke_agent main > turn');
  });
});

it('sends nothing that a prompt, a model, a call, an output, a hook or the environment said', async () => {
  const secrets = [
    'prompt',
    'model',
    'input',
    'output',
    'reason',
    'stderr',
    'command',
    'variable',
    'failure',
    'agent-prompt',
  ].map((where) => `canary-of-the-${where}`);
  const [, model, input, output, reason, stderr, line, variable, failure, agentPrompt] = secrets;
  report({
    SessionStart: [group(`echo ${line}`)],
    PreToolUse: [
      group(`echo '{"decision": "block", "reason": "${reason}"}'`, 'write_file'),
      group(`echo ${stderr} >&2; exit 1`, 'run_shell'),
    ],
    run_start: [`echo ${stderr} >&2; exit 1`],
  });
  const file = stage.write(
    '~/script.json',
    JSON.stringify([
      {
        text: model,
        calls: [
          { tool: 'run_shell', input: { command: `echo ${output}; cat ${input}` } },
          { tool: 'write_file', input: { path: input, content: input } },
          { tool: 'spawn_agent', input: { agent: 'general', prompt: agentPrompt } },
        ],
      },
      { error: failure },
    ]),
  );
  const ended = await stage.codey(['-p', secrets[0]!, '--model', `script:${file}`, ...bypass], {
    environment: { SECRET: variable },
  });
  expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining(failure!) });
  const sent = collector.requests.map(({ body }) => body).join('\n');
  expect(collector.spans().map(({ name }) => name)).toContain('tool_call write_file');
  for (const secret of [...secrets, stage.project, stage.home]) expect(sent).not.toContain(secret);
});

describe('a session', () => {
  it.each(Object.keys(badCollectors))('is the same where a collector %s, and says so once', async (how) => {
    const bad = await badCollectors[how]!();
    try {
      stage.write('~/.codey/settings.json', { hooks: guarded });
      const without = await run(shellScript('echo hi', 'git push'));
      report(guarded, bad.url);
      const having = await run(shellScript('echo hi', 'git push'));
      expect({ code: having.code, stdout: having.stdout }).toEqual({
        code: without.code,
        stdout: without.stdout,
      });
      const said = having.stderr.split('\n').filter((line) => line.includes('telemetry.otlpEndpoint'));
      expect(said).toEqual([expect.stringContaining(`${bad.url} does not take what is sent (`)]);
      expect(having.stderr.split('\n').filter((line) => !said.includes(line))).toEqual(
        without.stderr.split('\n'),
      );
    } finally {
      await bad.close();
    }
  });

  it('waits a second for a collector that does not answer, and keeps the exit code of a failure', async () => {
    const bad = await badCollectors['never answers']!();
    try {
      report({}, bad.url);
      const ended = await run([{ error: 'the provider is down' }]);
      expect(ended.code).toBe(1);
      expect(ended.stderr).toContain('(no answer in the 1000 ms that the end waits for it)');
    } finally {
      await bad.close();
    }
  });

  it('does not say a key that stands in the address', async () => {
    const bad = await badCollectors['answers 500']!();
    try {
      report({}, `${bad.url}/?key=k1`);
      const { stderr } = await run([{ text: 'a' }]);
      expect(stderr).toContain(`${bad.url} does not take what is sent (it answers 500)`);
      expect(stderr).not.toContain('k1');
    } finally {
      await bad.close();
    }
  });

  it('of a rehearsal is nobody’s work and is not reported', async () => {
    report();
    expect(await stage.codey(['rehearse'])).toMatchObject({ code: 0, stderr: '' });
    expect(collector.requests).toEqual([]);
  });

  it('is not reported where the environment switches telemetry off', async () => {
    report();
    expect(await run([{ text: 'a' }], { environment: { OTEL_SDK_DISABLED: 'true' } })).toMatchObject({
      code: 0,
      stderr: '',
    });
    expect(collector.requests).toEqual([]);
  });

  it('is not reported where a repository wishes so [contract.repo.never-set]', async () => {
    for (const file of ['.codey/settings.json', '.koder/settings.local.json'])
      stage.write(file, { telemetry: { otlpEndpoint: collector.url } });
    stage.write('.env', `OTEL_EXPORTER_OTLP_ENDPOINT=${collector.url}`);
    const ended = await run(callScript('read_file', { path: '.git/HEAD' }), {
      args: ['--trust-project-hooks'],
      environment: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
    });
    expect(ended.code).toBe(0);
    expect(ended.stderr).toContain('a repository cannot set "telemetry"');
    expect(collector.requests).toEqual([]);
  });
});
