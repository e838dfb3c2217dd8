// What every policy hook is given, and where hooks come from, through the whole program.
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bypass, callScript, play, readLines } from './play.ts';
import { command, group } from './settings.ts';
import { createStage, type ScriptEntry, shellScript, type Stage } from './stage.ts';

let stage: Stage;
beforeEach(() => {
  stage = createStage();
});
afterEach(() => stage.remove());

/** Everything that can fire with nobody at the terminal. */
const headless = [
  'Setup',
  'InstructionsLoaded',
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PermissionRequest',
  'PermissionDenied',
  'PostToolUse',
  'PostToolUseFailure',
  'Stop',
  'StopFailure',
  'SessionEnd',
] as const;

/** One run in which all of them fire, but StopFailure, which needs another. */
const eventful = (): readonly ScriptEntry[] => [
  { calls: [{ tool: 'read_file', input: { path: path.join(stage.project, 'AGENTS.md') } }] },
  { calls: [{ tool: 'read_file', input: { path: 'nowhere' } }] },
  { calls: [{ tool: 'run_shell', input: { command: 'touch made' } }] },
  { text: 'done' },
];

describe('every payload', () => {
  it('has the common fields, with the values of its moment [contract.event.common-fields] [koder.event.payload-names-event] [koder.shape.payload-json] [koder.event.setup-on-missing-steps] [koder.event.setup-payload] [koder.event.instructionsloaded-on-load] [koder.event.instructionsloaded-payload] [koder.event.sessionstart-payload] [koder.event.userpromptsubmit-payload] [koder.event.pretooluse-payload] [koder.event.posttoolusefailure-payload] [koder.event.posttoolusefailure-on-error] [koder.event.stop-on-finish] [koder.event.pretooluse-before-call]', async () => {
    stage.write('AGENTS.md', 'Be brief.\n');
    stage.write('sub/deep/file', '');
    stage.write('~/.koder/settings.json', {
      hooks: Object.fromEntries(headless.map((event) => [event, [group('cat >> "$HOME/payloads"')]])),
    });
    const { result } = await play(stage, eventful(), ['--cwd', 'sub/deep']);
    await play(stage, [{ error: 'down' }], ['-continue', '--permission-mode', 'acceptEdits']);
    const payloads = readLines(stage.read('~/payloads'));
    const first = payloads.slice(0, payloads.findIndex(({ event }) => event === 'SessionEnd') + 1);
    expect(first.map(({ event }) => event)).toEqual([
      'Setup',
      'InstructionsLoaded',
      'SessionStart',
      'UserPromptSubmit',
      'PreToolUse',
      'PostToolUse',
      'PreToolUse',
      'PostToolUseFailure',
      'PostToolUse',
      'PreToolUse',
      'PermissionRequest',
      'PermissionDenied',
      'Stop',
      'SessionEnd',
    ]);
    expect(new Set(payloads.map(({ event }) => event))).toEqual(new Set(headless));
    const turns = first.map(({ turn }) => turn);
    expect(turns).toEqual([null, null, null, null, 1, 1, 2, 2, 2, 3, 3, 3, 4, null]);
    for (const payload of first) {
      expect(payload).toMatchObject({
        hook_event_name: payload.event,
        protocol: 1,
        session_id: result.session_id,
        cwd: path.join(stage.project, 'sub/deep'),
        project_dir: stage.project,
        permission_mode: 'default',
        model: expect.stringMatching(/^script:/),
        agent_id: 'main',
        agent_type: 'main',
        usage: { input_tokens: expect.any(Number), output_tokens: expect.any(Number) },
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      });
      expect(existsSync(String(payload.transcript_path))).toBe(true);
      expect(statSync(String(payload.transcript_path)).mode & 0o077).toBe(0);
    }
    const by = (event: string) => payloads.find((payload) => payload.event === event);
    expect(by('Setup')?.missing_steps).toEqual(['model']);
    expect(by('InstructionsLoaded')).toMatchObject({
      file_path: path.join(stage.project, 'AGENTS.md'),
      reason: expect.any(String),
    });
    expect(by('SessionStart')).toMatchObject({ source: 'startup' });
    expect(by('UserPromptSubmit')).toMatchObject({ prompt: 'do it' });
    expect(by('PreToolUse')).toMatchObject({
      tool_name: 'read_file',
      tool_input: { path: path.join(stage.project, 'AGENTS.md') },
      input_revision: 0,
    });
    expect(by('PostToolUseFailure')).toMatchObject({
      tool_name: 'read_file',
      error: expect.stringContaining('nowhere'),
    });
    expect(by('PermissionRequest')).toMatchObject({ tool_name: 'run_shell', reason: expect.any(String) });
    expect(by('Stop')).toMatchObject({
      agent_type: 'main',
      last_assistant_message: 'done',
      stop_hook_active: false,
    });
    expect(by('StopFailure')).toMatchObject({
      permission_mode: 'acceptEdits',
      last_assistant_message: 'down',
    });
  });

  it('is the same bytes for every hook: one line, a newline, the end [contract.stdin.same-bytes]', async () => {
    stage.write('~/.codey/settings.json', {
      hooks: {
        PreToolUse: [
          group('cat > "$HOME/a"'),
          {
            hooks: [command('cat > "$HOME/b"'), command('printf "%s" "$*" > "$HOME/args"; cat > "$HOME/c"')],
          },
        ],
      },
    });
    await play(stage, shellScript('echo "line\none" # ünïcode \u2028'));
    expect(stage.read('~/a')).toMatch(/^\{[^\n]*\}\n$/);
    expect(stage.read('~/b')).toBe(stage.read('~/a'));
    expect(stage.read('~/c')).toBe(stage.read('~/a'));
    expect(stage.read('~/args')).toBe('');
  });
});

describe('the environment of a hook', () => {
  it('is the program’s own with the project, the session and both prefixes [koder.env.inherits] [koder.env.project-dir] [koder.env.session-id] [koder.env.both-prefixes] [koder.env.env-file-not-for-tools]', async () => {
    stage.write('sub/file', '');
    stage.write('~/.codey/settings.json', {
      hooks: { PostToolUse: [group('env > "$HOME/env"; pwd -P > "$HOME/pwd"; tty > "$HOME/tty" 2>&1')] },
    });
    const { result } = await play(stage, shellScript('echo hi'), [...bypass, '--cwd', 'sub'], {
      environment: {
        MY_OWN: 'value',
        KODER_PROJECT_DIR: '/stale',
        CODEY_SESSION_ID: 'stale',
        KODER_ENV_FILE: '/stale',
      },
    });
    const environment = stage.read('~/env').split('\n');
    for (const prefix of ['CODEY', 'KODER']) {
      expect(environment).toContain(`${prefix}_PROJECT_DIR=${stage.project}`);
      expect(environment).toContain(`${prefix}_SESSION_ID=${String(result.session_id)}`);
      expect(environment.some((line) => line.startsWith(`${prefix}_ENV_FILE=`))).toBe(false);
      expect(environment.some((line) => line.startsWith(`${prefix}_SKILL_DIR=`))).toBe(false);
    }
    expect(environment).toContain('MY_OWN=value');
    expect(stage.read('~/pwd')).toBe(`${stage.project}\n`);
    expect(stage.read('~/tty')).toMatch(/not a tty/);
  });

  it('has a file at SessionStart whose exports the session’s commands see, and no other session [koder.env.env-file-given] [koder.env.env-file-injects] [koder.env.env-file-session-scoped] [contract.envfile.refused-names]', async () => {
    stage.write('~/.codey/settings.json', {
      hooks: {
        SessionStart: [
          {
            hooks: [
              command(
                '[ "$KODER_ENV_FILE" = "$CODEY_ENV_FILE" ] && [ -f "$KODER_ENV_FILE" ] && [ ! -s "$KODER_ENV_FILE" ] && stat -c %a "$KODER_ENV_FILE" > "$HOME/mode"; [ -e "$HOME/once" ] || { touch "$HOME/once"; printf "export FLAVOUR=\'dark chocolate\'\\nexport CODEY_SESSION_ID=mine LD_PRELOAD=x\\n" >> "$KODER_ENV_FILE"; }',
              ),
            ],
          },
        ],
      },
    });
    const show = shellScript('echo "<$FLAVOUR> <$LD_PRELOAD> <$CODEY_SESSION_ID>"');
    const first = await play(stage, show);
    expect(first.results[0]).toContain('<dark chocolate> <> <>');
    expect(first.stderr).toMatch(/CODEY_SESSION_ID[\s\S]*LD_PRELOAD|LD_PRELOAD[\s\S]*CODEY_SESSION_ID/);
    expect(stage.read('~/mode')).toBe('600\n');
    expect((await play(stage, show)).results[0]).toContain('<> <>');
    const again = await play(stage, show, [...bypass, '-resume', String(first.result.session_id)]);
    expect(again.results[0]).toContain('<dark chocolate>');
  });

  it('keeps the keys of model providers from hooks of a repository, not from the user’s [koder.env.inherits]', async () => {
    const show = 'printf "%s|%s" "$ANTHROPIC_API_KEY" "$MINE" >';
    stage.write('~/.codey/settings.json', { hooks: { Stop: [group(`${show} "$HOME/user"`)] } });
    stage.write('.codey/settings.json', { hooks: { Stop: [group(`${show} "$HOME/project"`)] } });
    await play(stage, [{ text: 'a' }], ['--trust-project-hooks'], {
      environment: { ANTHROPIC_API_KEY: 'secret', MINE: 'plain' },
    });
    expect(stage.read('~/user')).toBe('secret|plain');
    expect(stage.read('~/project')).toBe('|plain');
  });
});

describe('scopes', () => {
  const writes = (word: string) => group(`echo ${word} >> "$HOME/ran"`);
  const ran = () => (stage.has('~/ran') ? stage.read('~/ran').trim().split('\n') : []);
  const trusted = ['--trust-project-hooks', ...bypass];

  it('all run, managed first, then in their order [koder.scope.all-run] [koder.scope.user-file] [koder.scope.project-file] [koder.scope.local-file] [koder.scope.managed-file] [koder.scope.managed-highest] [contract.scope.order]', async () => {
    const files = {
      '.koder/settings.local.json': 'local-koder',
      '.codey/settings.local.json': 'local-codey',
      '.koder/settings.json': 'project-koder',
      '.codey/settings.json': 'project-codey',
      '~/.koder/settings.json': 'user-koder',
      '~/.codey/settings.json': 'user-codey',
      '~/extra.json': 'flag',
      '~/.koder/managed-settings.json': 'managed-koder',
      '~/.codey/managed-settings.json': 'managed-codey',
    };
    for (const [file, word] of Object.entries(files))
      stage.write(file, {
        hooks: { PostToolUse: [writes(word)], run_end: [`echo ${word} >> "$HOME/told"`] },
      });
    await play(stage, shellScript('echo hi'), [
      ...trusted,
      '--settings',
      path.join(stage.home, 'extra.json'),
    ]);
    const order = [
      'managed-codey',
      'managed-koder',
      'flag',
      'user-codey',
      'user-koder',
      'project-codey',
      'project-koder',
      'local-codey',
      'local-koder',
    ];
    expect(ran()).toEqual(order);
    expect(stage.read('~/told').trim().split('\n')).toEqual(order);
    stage.write('~/ran', '');
    const elsewhere = path.join(stage.home, 'elsewhere');
    mkdirSync(elsewhere);
    await play(stage, shellScript('echo hi'), trusted, { cwd: elsewhere });
    expect(ran()).toEqual(['managed-codey', 'managed-koder', 'user-codey', 'user-koder']);
  });

  it('run what stands in several of them once an event, and name the others in the journal [koder.scope.identical-once] [contract.dedupe.highest-scope] [contract.journal.dispatch-recorded]', async () => {
    for (const file of ['~/.koder/settings.json', '~/.codey/settings.json', '.koder/settings.json'])
      stage.write(file, { hooks: { PreToolUse: [writes('once')], run_end: ['echo once >> "$HOME/told"'] } });
    await play(stage, shellScript('echo a', 'echo b'), trusted);
    expect(ran()).toEqual(['once', 'once']);
    expect(stage.read('~/told')).toBe('once\n');
    const [dispatch] = stage
      .journal()
      .filter(({ kind, event }) => kind === 'dispatch' && event === 'PreToolUse');
    expect(dispatch?.hooks).toMatchObject([
      {
        scope: 'user',
        outcome: 'passed',
        ms: expect.any(Number),
        source: expect.stringMatching(/^settings\.json:\d+$/),
      },
      { scope: 'user', outcome: 'skipped', why: 'duplicate' },
      { scope: 'project', outcome: 'skipped', why: 'duplicate' },
    ]);
  });

  it('run every hook of every group that matches, and none of one that does not [koder.shape.event-to-groups] [koder.shape.matcher-optional] [koder.matcher.miss-skips] [koder.if.narrows-matcher]', async () => {
    stage.write('~/.codey/settings.json', {
      hooks: {
        PostToolUse: [
          { hooks: [command('echo a1 >> "$HOME/ran"'), command('echo a2 >> "$HOME/ran"')] },
          { matcher: 'edit_file|shell$', hooks: [command('echo b >> "$HOME/ran"')] },
          { matcher: '^shell', hooks: [command('echo c >> "$HOME/ran"')] },
          { matcher: '*', hooks: [command('echo d >> "$HOME/ran"', { if: 'run_shell(git *)' })] },
          { matcher: 'edit_file', hooks: [command('echo e >> "$HOME/ran"', { if: 'run_shell(echo *)' })] },
          { matcher: '', hooks: [command('echo f >> "$HOME/ran"', { if: 'run_shell(echo *)' })] },
        ],
      },
    });
    await play(stage, shellScript('echo hi'));
    expect(ran()).toEqual(['a1', 'a2', 'b', 'f']);
  });

  it('are off with disableAllHooks, but for managed ones [koder.disable-all.user-file] [koder.disable-all.managed-file] [koder.disable-all.project-file]', async () => {
    const all = { hooks: { Stop: [writes('policy')], run_end: ['echo lifecycle >> "$HOME/ran"'] } };
    const managed = { hooks: { Stop: [writes('managed')] } };
    stage.write('~/.koder/managed-settings.json', managed);
    stage.write('~/.codey/settings.json', all);
    const after = async (args: readonly string[] = []) => {
      stage.write('~/ran', '');
      await play(stage, [{ text: 'a' }], args);
      return stage
        .read('~/ran')
        .split('\n')
        .filter((line) => line !== '')
        .toSorted();
    };
    expect(await after()).toEqual(['lifecycle', 'managed', 'policy']);
    stage.write('~/.koder/settings.json', { disableAllHooks: true });
    stage.write('.koder/settings.json', { disableAllHooks: false });
    expect(await after(trusted)).toEqual(['managed']);
    stage.write('~/.koder/settings.json', {});
    stage.write('.koder/settings.json', { disableAllHooks: true });
    expect(await after()).toEqual(['lifecycle', 'managed', 'policy']);
    expect(await after(trusted)).toEqual(['managed']);
    stage.write('.koder/settings.json', {});
    stage.write('~/.koder/managed-settings.json', { ...managed, disableAllHooks: true });
    expect(await after()).toEqual([]);
  });

  it('with --bare skip the three events of the start and AGENTS.md, and nothing else [koder.bare.skips-sessionstart] [koder.bare.skips-setup] [koder.bare.skips-instructionsloaded] [koder.bare.no-agents-md] [koder.bare.others-fire]', async () => {
    stage.write('AGENTS.md', 'Be brief.\n');
    stage.write('~/.codey/settings.json', {
      hooks: {
        ...Object.fromEntries(headless.map((event) => [event, [writes(event)]])),
        session_start: ['echo session_start >> "$HOME/ran"'],
      },
    });
    await play(stage, eventful(), ['--bare']);
    expect(ran()).toEqual([
      'session_start',
      'UserPromptSubmit',
      'PreToolUse',
      'PostToolUse',
      'PreToolUse',
      'PostToolUseFailure',
      'PostToolUse',
      'PreToolUse',
      'PermissionRequest',
      'PermissionDenied',
      'Stop',
      'SessionEnd',
    ]);
  });
});

describe('a block', () => {
  it('leaves an AGENTS.md out, shows what it cannot stop, and adds its reason to a result that is kept [koder.event.instructionsloaded-block] [koder.event.nothing-to-block] [koder.event.posttooluse-block]', async () => {
    stage.write('AGENTS.md', 'Be brief.\n');
    const says = (word: string) => group(`echo "no ${word}" >&2; exit 2`);
    stage.write('~/.codey/settings.json', {
      hooks: {
        Setup: [says('setup')],
        InstructionsLoaded: [says('instructions')],
        PostToolUse: [says('result')],
        PermissionDenied: [says('denial')],
        SessionEnd: [says('end')],
      },
    });
    const { code, results, denied, result, stderr } = await play(stage, eventful(), []);
    expect([code, result.result]).toEqual([0, 'done']);
    expect(stderr).toMatch(/AGENTS\.md was left out: .*no instructions/);
    expect(results[0]).toMatch(/Be brief\.[\s\S]*no result/);
    expect(denied).toHaveLength(1);
    expect(stderr).toContain('no setup');
    expect(stderr).toContain('no denial');
    expect(stderr).toContain('no end');
  });

  it('may be written as a decision or at the top, on every event that can block [koder.output.top-level-block] [koder.output.specific-fields] [koder.decision.deny-blocks-elsewhere] [koder.exit.zero-succeeds]', async () => {
    const answers = [
      { decision: 'block', reason: 'because' },
      { hookSpecificOutput: { decision: { behavior: 'deny', message: 'because' } } },
    ];
    for (const answer of answers) {
      for (const event of ['PreToolUse', 'UserPromptSubmit', 'Stop', 'SessionStart']) {
        stage.write('~/.codey/settings.json', {
          hooks: { [event]: [group(`echo '${JSON.stringify(answer)}'`)] },
        });
        const { denied, code, stderr } = await play(stage, callScript('read_file', { path: '.git/HEAD' }));
        expect([event, event === 'PreToolUse' ? denied : stderr]).toEqual([
          event,
          event === 'PreToolUse' ? ['because'] : expect.stringContaining('because'),
        ]);
        expect(code).toBe(event === 'PreToolUse' ? 0 : 1);
      }
    }
  });
});

describe('the webhook of the specification', () => {
  it('gets the payload of SessionEnd with the one variable it may have [koder.example.webhook-at-end] [koder.http.headers-sent] [koder.http.allowed-expansion] [koder.http.unlisted-not-sent]', async () => {
    const requests: { readonly headers: IncomingHttpHeaders; readonly body: Record<string, unknown> }[] = [];
    const server = createServer((request, response) => {
      void text(request).then((body) => {
        requests.push({ headers: request.headers, body: JSON.parse(body) });
        response.end('{}');
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    try {
      stage.write('~/.koder/settings.json', {
        hooks: {
          SessionEnd: [
            {
              hooks: [
                {
                  type: 'http',
                  url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/koder-done`,
                  headers: { Authorization: 'Bearer ${WEBHOOK_TOKEN}', 'X-Other': '<${MY_SECRET}>' },
                  allowedEnvVars: ['WEBHOOK_TOKEN'],
                },
              ],
            },
          ],
        },
      });
      const { code, result } = await play(stage, [{ text: 'hi' }], [], {
        environment: { WEBHOOK_TOKEN: 't0ken', MY_SECRET: 'mine' },
      });
      expect(code).toBe(0);
      expect(requests).toMatchObject([
        {
          headers: { authorization: 'Bearer t0ken', 'x-other': '<>', 'content-type': 'application/json' },
          body: { event: 'SessionEnd', session_id: result.session_id, reason: 'exit' },
        },
      ]);
    } finally {
      server.close();
    }
  });
});

describe('once and async', () => {
  it('once is once a session, also when it is resumed, and again in another [koder.once.one-per-session] [koder.once.next-session] [contract.once.spent-by-start]', async () => {
    stage.write('~/.codey/settings.json', {
      hooks: { PreToolUse: [group('echo ran >> "$HOME/ran"', undefined, { once: true })] },
    });
    await play(stage, shellScript('echo a', 'echo b'));
    await play(stage, shellScript('echo c'), [...bypass, '-continue']);
    expect(stage.read('~/ran')).toBe('ran\n');
    await play(stage, shellScript('echo d'));
    expect(stage.read('~/ran')).toBe('ran\nran\n');
  });

  it('async holds nothing up, decides nothing, and its context comes with a later turn [koder.async.background] [contract.async.never-decides] [contract.async.context-next-turn]', async () => {
    stage.write('~/.codey/settings.json', {
      hooks: {
        PreToolUse: [
          group(
            `until [ -e first ]; do sleep 0.05; done; echo '{"decision":"block","hookSpecificOutput":{"additionalContext":"told late"}}'; touch over; exit 2`,
            undefined,
            { async: true, if: 'run_shell(touch first)' },
          ),
        ],
      },
    });
    const { code, denied, results, result } = await play(
      stage,
      shellScript('touch first', 'until [ -e over ]; do sleep 0.05; done; sleep 0.5', 'echo end'),
    );
    expect([code, denied, results.length]).toEqual([0, [], 3]);
    const [folder] = readLines(stage.read('.codey/events.jsonl')).filter(
      ({ session }) => session === result.session_id,
    );
    expect(folder).toBeDefined();
    const transcript = await transcriptOf(String(result.session_id));
    expect(transcript).toMatch(/told late[\s\S]*echo end|echo end[\s\S]*told late/);
  });

  /** What is kept of a session, as text. */
  async function transcriptOf(id: string): Promise<string> {
    stage.write('~/.codey/settings.json', { hooks: { SessionStart: [group('cat > "$HOME/start"')] } });
    await play(stage, [{ text: 'bye' }], ['-resume', id]);
    return readFileSync(JSON.parse(stage.read('~/start')).transcript_path, 'utf8');
  }
});
