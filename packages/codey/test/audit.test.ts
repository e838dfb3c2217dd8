// Hooks as strangers write them, in the places and environments that strangers have, through the whole program.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bypass, play, readLines } from './play.ts';
import { command, group } from './settings.ts';
import { createStage, type RunOptions, shellScript, type Stage } from './stage.ts';

let stage: Stage;
beforeEach(() => {
  stage = createStage();
});
afterEach(() => stage.remove());

const makesFile = shellScript('echo yes > made');

/** Whether the call of `makesFile` ran under one PreToolUse hook of the user. */
async function runsUnder(line: string): Promise<boolean> {
  stage.write('~/.koder/settings.json', { hooks: { PreToolUse: [group(line)] } });
  const { code } = await stage.prompt(makesFile, { args: bypass });
  expect(code).toBe(0);
  return stage.has('made');
}

describe('a hook blocks', () => {
  it.each([
    ['with a redirect to /dev/stderr', 'echo no >/dev/stderr; exit 2'],
    [
      'from a case over the raw payload',
      'x=$(cat)\ncase $x in\n*\'"tool_name":"run_shell"\'*) exit 2;;\nesac',
    ],
    [
      'with a here-document over several lines',
      'cat <<END\n{\n  "decision": "block",\n  "reason": "ä"\n}\nEND',
    ],
    ['with line ends of another system', String.raw`printf '{"decision":\r\n"block"}\r\n'`],
    ['with a byte order mark before its JSON', String.raw`printf '\357\273\277{"decision":"block"}'`],
    [
      'from a line of node',
      `node -e 'let s="";process.stdin.on("data",c=>s+=c).on("end",()=>process.exit(JSON.parse(s).tool_name==="run_shell"?2:0))'`,
    ],
    ['with a child left behind that holds its output', `sleep 30 & echo '{"decision":"block"}'`],
    ['after it closed its input', 'exec 0<&-; exit 2'],
    ['after its directory is gone', 'mkdir gone; cd gone; rmdir ../gone; exit 2'],
    ['after more output than is read', 'head -c 3000000 /dev/zero; exit 2'],
    ['with bytes that are no text', String.raw`printf '\033[31m\377\000' >&2; exit 2`],
  ])('%s [koder.exit.two-blocks]', async (_, line) => {
    expect(await runsUnder(line)).toBe(false);
  });

  it.each([
    ['without a first line', './guard.sh', 'exit 2\n'],
    ['with a byte order mark', './guard.sh', '\uFEFF#!/bin/sh\nexit 2\n'],
    ['given to sh by name', 'sh guard.sh', 'exit 2\n'],
    ['behind a link', './link', '#!/bin/sh\nexit 2\n'],
  ])('from a script %s [koder.exit.two-blocks]', async (_, line, script) => {
    stage.write('guard.sh', script);
    symlinkSync('guard.sh', path.join(stage.project, 'link'));
    expect(await runsUnder(line)).toBe(false);
  });

  it('from its place below a home and a project with spaces, quotes and letters beyond ASCII [koder.env.project-dir]', async () => {
    const home = path.join(stage.home, 'my höme');
    const project = path.join(stage.project, `it's "my" $project ü`);
    mkdirSync(home);
    execFileSync('git', ['init', '--quiet', project]);
    const below = path.relative(stage.project, project);
    stage.write(`${below}/.koder/hooks/guard.sh`, '#!/bin/sh\npwd > "$KODER_PROJECT_DIR/where"\nexit 2\n');
    stage.write(`${below}/.koder/settings.json`, {
      hooks: { PreToolUse: [group('"$KODER_PROJECT_DIR"/.koder/hooks/guard.sh')] },
    });
    await stage.prompt(makesFile, {
      args: [...bypass, '--trust-project-hooks'],
      cwd: project,
      environment: { HOME: home },
    });
    expect(stage.read(`${below}/where`)).toBe(`${project}\n`);
    expect(stage.has(`${below}/made`)).toBe(false);
  });
});

describe('a hook that cannot be run', () => {
  it.each([
    ['without the right to be executed', './guard.txt', 'may not be executed'],
    ['with a first line that names nothing', './crlf.sh', 'was not found'],
    ['that is not there', './absent.sh', 'there is no'],
    ['that its interpreter does not find', 'node absent.js', 'there is no'],
  ])('%s is shown and blocks nothing [contract.failure.launch-is-no-verdict]', async (_, line, said) => {
    stage.write('guard.txt', 'exit 2\n');
    stage.write('crlf.sh', '#!/bin/sh\r\nexit 2\r\n');
    stage.write('~/.codey/settings.json', { hooks: { PreToolUse: [group(line)] } });
    const { stderr } = await stage.prompt(makesFile, { args: bypass });
    expect(stderr).toContain(said);
    expect(stage.has('made')).toBe(true);
  });
});

describe('hooks run alike', () => {
  it.each<[string, NonNullable<RunOptions['environment']>]>([
    ['in the C locale', { LC_ALL: 'C', LANG: 'C' }],
    ['without a locale', { LC_ALL: undefined, LANG: undefined }],
    ['where the folder for temporary files is missing', { TMPDIR: '/no/such/folder' }],
    ['with the shortest PATH', { PATH: '/usr/bin:/bin' }],
    ['with another login shell', { SHELL: '/usr/bin/fish' }],
    ['without a home', { HOME: undefined }],
    ['with an empty home', { HOME: '' }],
    ['with a home that is missing', { HOME: '/no/such/home' }],
    ['with values left over from another program', { CODEY_TOOL: 'x', KODER_MESSAGE: 'y', CODEY_ERROR: 'z' }],
  ])('%s [codey.env.always-exported] [koder.exit.two-blocks]', async (_, environment) => {
    stage.write('.koder/settings.json', {
      hooks: {
        run_start: [
          'echo "${CODEY_TOOL-unset}|${KODER_MESSAGE-unset}|${CODEY_ERROR-unset}|$CODEY_REASON" > told',
        ],
        PreToolUse: [group('exit 2')],
      },
    });
    const { code } = await stage.prompt(makesFile, {
      args: [...bypass, '--trust-project-hooks'],
      environment,
    });
    expect(code).toBe(0);
    expect(stage.read('told')).toBe('|||\n');
    expect(stage.has('made')).toBe(false);
  });

  it.skipIf(spawnSync('unshare', ['-n', 'true']).status !== 0)(
    'without any network [codey.config.shell-command]',
    async () => {
      stage.write('~/.codey/settings.json', { hooks: { run_end: ['echo done > told'] } });
      stage.write('script.json', '[{"text": "all done"}]');
      const program = path.join(import.meta.dirname, '../bin/codey.js');
      const line = [process.execPath, program, '-p', 'go', '--model', 'script:script.json'];
      const { stdout } = spawnSync('unshare', ['-n', ...line], {
        cwd: stage.project,
        env: { ...process.env, HOME: stage.home },
        encoding: 'utf8',
      });
      expect(stdout).toBe('all done\n');
      expect(stage.read('told')).toBe('done\n');
    },
  );
});

describe('the network', () => {
  /** What the program itself connects to while it runs with one hook on SessionEnd. */
  async function connectionsWith(hook: object): Promise<readonly string[]> {
    const trap = stage.write('~/trap.mjs', trapSource);
    stage.write('~/.codey/settings.json', { hooks: { SessionEnd: [{ hooks: [hook] }] } });
    await stage.prompt([{ text: 'done' }], { environment: { NODE_OPTIONS: `--import ${trap}` } });
    return stage.has('~/connections') ? stage.read('~/connections').trimEnd().split('\n') : [];
  }

  const trapSource = `
    import { appendFileSync } from 'node:fs';
    import net from 'node:net';
    const { connect } = net.Socket.prototype;
    net.Socket.prototype.connect = function (...args) {
      appendFileSync(process.env.HOME + '/connections', JSON.stringify(args[0]) + '\\n');
      return connect.apply(this, args);
    };`;

  it('hears nothing of a command hook [koder.privacy.command-stays-local]', async () => {
    expect(await connectionsWith(command('cat > told'))).toEqual([]);
    expect(stage.read('told')).toContain('"event":"SessionEnd"');
  });

  it('hears of an http hook, and at its address only [koder.privacy.command-stays-local]', async () => {
    const connections = await connectionsWith({ type: 'http', url: 'http://127.0.0.1:9/done' });
    expect(connections.length).toBeGreaterThan(0);
    for (const connection of connections)
      expect(connection).toMatch(/127\.0\.0\.1.*\b9\b|\b9\b.*127\.0\.0\.1/);
  });
});

describe('the condition run_shell(git push*)', () => {
  /** Of these lines, none of which is run, those for which the hook with the condition ran. */
  async function seenOf(lines: readonly string[]): Promise<readonly unknown[]> {
    stage.write('~/.codey/settings.json', {
      hooks: {
        PreToolUse: [
          group('cat >> "$HOME/seen"', undefined, { if: 'run_shell(git push*)' }),
          group('exit 2'),
        ],
      },
    });
    await play(stage, shellScript(...lines));
    if (!stage.has('~/seen')) return [];
    return readLines(stage.read('~/seen')).map(
      ({ tool_input }) => (tool_input as { command: string }).command,
    );
  }

  const pushes = [
    'git push',
    'cd x && git push -f',
    'FOO=1 env git push',
    `bash -c 'git push'`,
    `sh -c "cd / && sh -c 'git push'"`,
    'echo $(git push)',
    'echo `git push`',
    'git   push',
    String.raw`'git' "push" x; g\it push`,
    'git \\\n push',
    'ls |& git push',
    'f() { git push; }; f',
    'if true; then git push; fi',
    'timeout -s KILL 5 nice -n 5 git push',
    'sudo -u bob git push',
    'find . -exec git push {} +',
    "eval 'git push'",
    'bash <<END\ngit push\nEND',
    'cat <<END\n$(git push)\nEND',
    'diff <(git push) x',
    "alias gp='git push'; gp",
    'echo a\ngit push',
    "trap 'git push' EXIT",
    '$TOOL push',
    "echo 'left open",
    // Git's own program for it, where its folder is on the PATH.
    'git-push x',
  ];

  it('sees a push in whatever it is wrapped, and what cannot be read [contract.if.every-simple-command] [contract.if.wrappers] [contract.if.unknown-runs]', async () => {
    expect(await seenOf(pushes)).toEqual(pushes);
  });

  it('sees none in words and other commands [contract.if.every-simple-command]', async () => {
    const others = [
      'git status',
      "echo 'git push'",
      'echo git push',
      "git commit -m 'git push'",
      "cat <<'END'\ngit push\nEND",
      'ls # git push',
      'git-pusher x',
    ];
    expect(await seenOf(others)).toEqual([]);
  });
});

describe('-no-hooks', () => {
  it('wins over --trust-project-hooks, whatever the hooks look like [codey.no-hooks.turns-off]', async () => {
    const args = [...bypass, '-no-hooks', '--trust-project-hooks'];
    stage.write('.codey/settings.json', { hooks: { run_end: ['touch told'], Stop: [group('exit 2')] } });
    expect((await stage.prompt([{ text: 'done' }], { args })).code).toBe(0);
    stage.write('.codey/settings.json', { hooks: { run_ends: ['touch told'] } });
    expect((await stage.prompt([{ text: 'done' }], { args })).code).toBe(0);
    expect(stage.has('told')).toBe(false);
  });
});

it('opens with ten thousand hooks in one file and runs the one that fits [koder.matcher.regex]', async () => {
  const others = Array.from({ length: 10_000 }, (_, n) => ({
    matcher: `tool_${n}$`,
    hooks: [command(`touch made.${n}`)],
  }));
  stage.write('~/.codey/settings.json', { hooks: { PreToolUse: [...others, group('exit 2', 'run_shell')] } });
  const { code } = await stage.prompt(makesFile, { args: bypass });
  expect(code).toBe(0);
  expect(stage.has('made')).toBe(false);
});
