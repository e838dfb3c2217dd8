// What people, repositories, hooks and models get wrong, through the whole program: a clear message, and nothing lost.
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bypass, callScript, play } from './play.ts';
import { command, group } from './settings.ts';
import { createStage, shellScript, type Stage } from './stage.ts';
import { isRunning, until } from './waiting.ts';

let stage: Stage;
beforeEach(() => {
  stage = createStage();
});
afterEach(() => stage.remove());

const answer = [{ text: 'the answer' }];
const linux = process.platform === 'linux';

describe('settings that cannot be used', () => {
  it('are all named in one refusal, each with its place and what was probably meant [contract.load.all-problems-located] [contract.load.bad-entry-refuses]', async () => {
    stage.write(
      '~/.codey/settings.json',
      `{
  "modle": "script:a",
  "hooks": {
    "PreTolUse": [],
    "run_end": "notify-send done",
    "PreToolUse": [{ "matcher": "(", "hooks": [{ "type": "command" }] }]
  }
}`,
    );
    stage.write('~/.koder/settings.json', '{\n  "permissions": { "deny": ["run_shell(", 7] },\n');
    stage.write('.codey/settings.json', { hooks: { PreToolUse: [group('true', 'x', { timeout: '5' })] } });
    stage.write('.koder/settings.local.json', {
      hooks: { run_strt: ['true'], PreToolUse: [{ hooks: [command('true', { if: 'run_shell(' })] }] },
    });
    const run = await stage.prompt(answer);
    expect(run).toMatchObject({ code: 2, stdout: '' });
    const named = (file: string, place: string, words: RegExp) =>
      expect(run.stderr.split('\n')).toContainEqual(
        expect.stringMatching(new RegExp(`${literally(file)}:${place}  .*${words.source}`)),
      );
    const user = path.join(stage.home, '.codey/settings.json');
    named(user, '4:5', /did you mean "?PreToolUse/);
    named(user, '5:16', /list/);
    named(user, '6:33', /matcher/);
    named(user, '6:48', /command/);
    named(path.join(stage.home, '.koder/settings.json'), '3:1', /./);
    named(path.join(stage.project, '.codey/settings.json'), '\\d+:\\d+', /seconds/);
    named(path.join(stage.project, '.koder/settings.local.json'), '3:5', /did you mean/);
    named(path.join(stage.project, '.koder/settings.local.json'), '\\d+:\\d+', /if/);
    expect(run.stderr).toContain('codey hooks validate');
    expect(stage.has('.codey/events.jsonl')).toBe(false);
  });

  it('leave the ways to find help open [contract.load.way-out]', async () => {
    stage.write('~/.codey/settings.json', '{ "hooks": { "run_ended": [] } ');
    expect(await stage.codey(['--version'])).toMatchObject({ code: 0, stderr: '' });
    expect(await stage.codey(['--help'])).toMatchObject({ code: 0, stderr: '' });
    const validated = await stage.codey(['hooks', 'validate']);
    expect(validated.code).toBe(2);
    expect(validated.stdout).toContain('settings.json:1:');
  });

  it('of a repository can be left out while the user’s own hooks stay [contract.load.no-project-hooks]', async () => {
    stage.write('.codey/settings.json', { hooks: { nonsense: [] } });
    stage.write('~/.codey/settings.json', { hooks: { run_end: ['touch "$HOME/ran"'] } });
    const refused = await stage.prompt(answer);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('--no-project-hooks');
    expect(await stage.prompt(answer, { args: ['--no-project-hooks'] })).toMatchObject({
      code: 0,
      stdout: 'the answer\n',
    });
    expect(stage.has('~/ran')).toBe(true);
  });

  it('of the user offer no way in without the repository’s hooks', async () => {
    stage.write('~/.codey/settings.json', { hooks: { nonsense: [] } });
    const refused = await stage.prompt(answer, { args: ['--no-project-hooks'] });
    expect(refused.code).toBe(2);
    expect(refused.stderr).not.toContain('--no-project-hooks');
    expect((await stage.prompt(answer, { args: ['-no-hooks'] })).code).toBe(0);
  });

  it('still refuse with -no-hooks where they could hold a deny [contract.off.no-hooks-still-refuses]', async () => {
    for (const text of [
      '{ "permissions": { "deny": ["run_shell"] }',
      '{"permissions": {"deny": ["run_shell("]}}',
    ]) {
      stage.write('~/.codey/settings.json', text);
      expect((await stage.prompt(answer, { args: ['-no-hooks'] })).code).toBe(2);
    }
  });

  it('edited during a run are said once, and what was in force stays in force [contract.reload.needs-yes] [contract.reload.keeps-last-good]', async () => {
    const refusing = { hooks: { PreToolUse: [group('echo "not now" >&2; exit 2')] } };
    const file = stage.write('~/.codey/settings.json', {});
    stage.write('later.json', refusing);
    // Somebody beside the agent: its own calls on settings files are not let through.
    stage.write('edit.sh', '#!/bin/sh\ncp "$1" ~/.codey/settings.json\n');
    stage.write('broken.json', '{');
    const edited = await stage.prompt(
      shellScript('./edit.sh later.json', 'touch two', './edit.sh broken.json', 'true'),
      { args: bypass },
    );
    expect(edited).toMatchObject({ code: 0, stdout: 'All done.\n' });
    expect(stage.has('two')).toBe(true);
    const said = edited.stderr.split('\n');
    expect(said.filter((line) => line.includes('were edited'))).toEqual([
      expect.stringMatching(new RegExp(`what was in force stays in force: ${file}$`)),
      expect.stringMatching(/cannot be used as they are; what was in force stays in force:$/),
    ]);
    expect(edited.stderr).toContain(`${file}:`);
  });

  it('may be empty or begin with a byte order mark, and may be no folder', async () => {
    stage.write('~/.codey/settings.json', '');
    expect(await stage.prompt(answer)).toMatchObject({ code: 0, stderr: '' });
    stage.write(
      '~/.codey/settings.json',
      '\ufeff// mine\n{ "hooks": { "run_end": ["touch \\"$HOME/ran\\"",], } }',
    );
    expect(await stage.prompt(answer)).toMatchObject({ code: 0, stderr: '' });
    expect(stage.has('~/ran')).toBe(true);
    rmSync(path.join(stage.home, '.codey/settings.json'));
    mkdirSync(path.join(stage.home, '.codey/settings.json'));
    const refused = await stage.prompt(answer);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('.codey/settings.json');
  });
});

describe('a broken hook', () => {
  /** Every broken hook: what it does, which word the journal has for it, what the user is told. */
  const broken: readonly {
    readonly name: string;
    readonly line: string;
    readonly cause: string;
    readonly told: RegExp;
    readonly more?: object;
  }[] = [
    { name: 'is missing', line: './guard.sh', cause: 'missing', told: /guard\.sh/ },
    {
      name: 'is not executable',
      line: './plain.txt',
      cause: 'not-executable',
      told: /chmod \+x|interpreter/,
    },
    { name: 'is a folder', line: './folder', cause: 'not-executable', told: /folder/ },
    { name: 'hangs', line: 'sleep 300', cause: 'timed-out', told: /1 s/, more: { timeout: 1 } },
    {
      name: 'ignores TERM',
      line: 'trap "" TERM; while :; do sleep 1; done',
      cause: 'timed-out',
      told: /1 s/,
      more: { timeout: 1 },
    },
    {
      name: 'prints half a JSON object',
      line: `echo '{"decision": "allow", "reas'`,
      cause: 'output',
      told: /JSON/,
    },
    {
      name: 'prints a word that is none',
      line: `echo '{"decision": "perhaps"}'`,
      cause: 'output',
      told: /perhaps/,
    },
    { name: 'kills itself', line: 'kill -9 $$', cause: 'signal', told: /SIGKILL/ },
    { name: 'kills its whole group', line: 'kill -9 0', cause: 'signal', told: /SIGKILL/ },
    { name: 'ends with another exit code', line: 'echo why >&2; exit 7', cause: 'exit-code', told: /7.*why/ },
  ];

  it.each(broken)(
    'that $name is told, journaled and blocks nothing [contract.failure.always-visible] [koder.trouble.no-signal-no-block] [contract.deadline.whole-group]',
    async ({ line, cause, told, more }) => {
      stage.write('plain.txt', 'no program\n');
      mkdirSync(path.join(stage.project, 'folder'));
      stage.write('~/.codey/settings.json', {
        hooks: { PreToolUse: [group(line, undefined, more === undefined ? {} : { ...more })] },
      });
      const { code, results, result, stderr } = await play(stage, shellScript('echo fine'));
      expect([code, results]).toEqual([0, [expect.stringContaining('fine')]]);
      const sentences = stderr.split('\n').filter((said) => said.includes('PreToolUse hook'));
      expect(sentences.filter((said) => !said.includes('has been running'))).toEqual([
        expect.stringMatching(told),
      ]);
      expect(sentences[0]).toMatch(/settings\.json:\d+/);
      expect(stage.journal().filter(({ kind }) => kind === 'hook_error')).toMatchObject([
        { event: 'PreToolUse', cause },
      ]);
      expect(result.hooks).toMatchObject(cause === 'timed-out' ? { 'timed-out': 1 } : { failed: 1 });
    },
  );

  it.runIf(linux)('that ignores TERM is gone with all it started when the program has ended', async () => {
    stage.write('~/.codey/settings.json', {
      hooks: {
        PreToolUse: [
          group(
            'trap "" TERM; echo $$ >> "$HOME/pids"; (trap "" TERM; sleep 300 & echo $! >> "$HOME/pids"; wait) & wait; sleep 300',
            undefined,
            { timeout: 1 },
          ),
        ],
      },
    });
    expect((await play(stage, shellScript('echo fine'))).results).toHaveLength(1);
    const pids = stage.read('~/pids').trim().split('\n').map(Number);
    expect(pids).toHaveLength(2);
    await until(() => !pids.some(isRunning));
  });

  it('that leaves a grandchild at its pipe decides when it ends itself [contract.deadline.open-pipe]', async () => {
    stage.write('~/.codey/settings.json', {
      hooks: {
        PreToolUse: [
          group('sleep 300 & echo $! > "$HOME/grandchild"; echo "not this one" >&2; exit 2', undefined, {
            timeout: 200,
          }),
        ],
      },
    });
    const { denied } = await play(stage, shellScript('echo fine'));
    expect(denied).toEqual(['not this one']);
    process.kill(Number(stage.read('~/grandchild')), 'SIGKILL');
  });

  it('that prints without end costs no memory and still has its exit code [contract.cap.parsed-output]', async () => {
    stage.write('~/.codey/settings.json', {
      hooks: {
        PreToolUse: [group('head -c 200000000 /dev/zero | tr "\\0" x; head -c 200000000 /dev/zero >&2')],
        PostToolUse: [group('yes "{" | head -c 3000000; echo "too much" >&2; exit 2')],
      },
    });
    const { code, results, stderr } = await play(stage, shellScript('echo fine'), bypass, {
      environment: { NODE_OPTIONS: '--max-old-space-size=96' },
    });
    expect([code, results]).toEqual([0, [expect.stringMatching(/fine[\s\S]*too much/)]]);
    expect(stderr.length).toBeLessThan(20_000);
  });

  it('that never reads a prompt of a megabyte does not fail for that [contract.stdin.unread-is-fine]', async () => {
    const prompt = `begin ${'word '.repeat(210_000)}end`;
    stage.write('~/.codey/settings.json', {
      hooks: {
        UserPromptSubmit: [
          group('exit 0'),
          group('exec 0<&-; sleep 0.1'),
          group('head -c 1 > /dev/null'),
          group('wc -c > "$HOME/count"'),
          group(
            `node -e 'let s="";process.stdin.on("data",d=>s+=d).on("end",()=>{const p=JSON.parse(s).prompt;require("fs").writeFileSync(process.env.HOME+"/ends",p.slice(0,5)+p.slice(-3)+p.length)})'`,
          ),
        ],
      },
    });
    const script = stage.write('~/script.json', answer);
    const run = await stage.codey(['-p', '--model', `script:${script}`], { stdin: prompt });
    expect(run).toMatchObject({ code: 0, stdout: 'the answer\n' });
    // A busy machine may have waited for a hook long enough to say so.
    expect(run.stderr.split('\n').filter((said) => !said.includes('has been running'))).toEqual(['']);
    expect(Number(stage.read('~/count'))).toBeGreaterThan(prompt.length);
    expect(stage.read('~/ends')).toBe(`beginend${prompt.length}`);
  });

  it('that deletes the folder it runs in does not take the session with it', async () => {
    const doomed = path.join(stage.project, 'doomed');
    mkdirSync(path.join(doomed, '.codey'), { recursive: true });
    stage.write('~/.codey/settings.json', {
      hooks: {
        PreToolUse: [group('rm -rf "$CODEY_PROJECT_DIR"')],
        Stop: [group('true')],
        run_end: ['true'],
      },
    });
    rmSync(path.join(stage.project, '.git'), { recursive: true });
    const { code, results, stderr, result } = await play(stage, shellScript('echo fine'), bypass, {
      cwd: doomed,
    });
    expect(results[0]).toMatch(/doomed/);
    expect([code, result.result]).toEqual([0, 'All done.']);
    expect(stderr).toMatch(/doomed/);
  });
});

describe('a home that is not there', () => {
  it('unset: the conversation works and says that it cannot be kept', async () => {
    const run = await stage.prompt(answer, { environment: { HOME: undefined } });
    expect(run).toMatchObject({ code: 0, stdout: 'the answer\n' });
    expect(run.stderr).toMatch(/cannot be resumed/);
    expect(stage.journal().at(-1)).toMatchObject({ event: 'session_end' });
  });

  it('a path that does not exist yet: it is made', async () => {
    const home = path.join(stage.home, 'new/home');
    const run = await stage.prompt(answer, { environment: { HOME: home } });
    expect(run).toMatchObject({ code: 0, stdout: 'the answer\n', stderr: '' });
    expect(statSync(path.join(home, '.codey')).isDirectory()).toBe(true);
  });

  it('a path that cannot become one: the conversation works and says that it cannot be kept', async () => {
    const file = stage.write('~/file', 'no folder');
    const run = await stage.prompt(answer, { environment: { HOME: path.join(file, 'home') } });
    expect(run).toMatchObject({ code: 0, stdout: 'the answer\n' });
    expect(run.stderr).toMatch(/cannot be kept.*cannot be resumed/s);
    expect(stage.journal().at(-1)).toMatchObject({ event: 'session_end' });
  });
});

describe('a project that cannot be written', () => {
  const journalInHome = (): string => {
    const projects = path.join(stage.home, '.codey/projects');
    const [folder = ''] = readdirSync(projects);
    return readFileSync(path.join(projects, folder, 'events.jsonl'), 'utf8');
  };

  it('has its journal in the home, and says so', async () => {
    stage.write('.codey', 'a file where the folder should be');
    const run = await stage.prompt(answer);
    expect(run).toMatchObject({ code: 0, stdout: 'the answer\n' });
    expect(run.stderr).toMatch(/\.codey.*projects/s);
    expect(journalInHome()).toContain('"session_end"');
    expect(stage.read('.codey')).toBe('a file where the folder should be');
  });

  // Root writes everywhere, so there is nothing to see for it here.
  it.skipIf(process.getuid?.() === 0)('also by its permissions', async () => {
    chmodSync(stage.project, 0o555);
    const run = await stage.prompt(answer);
    chmodSync(stage.project, 0o755);
    expect(run).toMatchObject({ code: 0, stdout: 'the answer\n' });
    expect(journalInHome()).toContain('"session_end"');
  });

  it('with a .codey that is a link leading out, nothing is written where it leads', async () => {
    const outside = path.join(stage.home, 'outside');
    mkdirSync(outside);
    symlinkSync(outside, path.join(stage.project, '.codey'));
    const run = await stage.prompt(answer);
    expect(run).toMatchObject({ code: 0, stdout: 'the answer\n' });
    expect(run.stderr).toMatch(/link that leads out/);
    expect(readdirSync(outside)).toEqual([]);
    expect(journalInHome()).toContain('"session_end"');
  });

  it('with a journal that is a link, nothing is written where it leads', async () => {
    const victim = stage.write('~/victim', 'precious\n');
    mkdirSync(path.join(stage.project, '.codey'));
    symlinkSync(victim, path.join(stage.project, '.codey/events.jsonl'));
    const run = await stage.prompt(answer);
    expect(run).toMatchObject({ code: 0, stdout: 'the answer\n' });
    expect(stage.read('~/victim')).toBe('precious\n');
    expect(run.stderr).toMatch(/events\.jsonl/);
  });
});

describe('text that a terminal would act on', () => {
  const hostile = '\u001b[2J\u001b]0;owned\u0007\u001b]52;c;ZXZpbA==\u0007\u202egnp\r\u009b31m\u0000';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  const acted = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

  it('reaches stderr from no hook, no file name and no settings file', async () => {
    const printf = hostile
      .replaceAll('\u0000', '')
      .replaceAll('\u001b', '\\033')
      .replaceAll('\u0007', '\\007');
    stage.write('~/.codey/settings.json', {
      hooks: {
        PreToolUse: [
          group(`printf '${printf}' >&2; exit 1`),
          group(`printf '{"systemMessage":"\\\\u001b[2Jhello\\\\u0007\\\\u202e"}'`),
          group(`./no${hostile.replaceAll('\u0000', '')}such`),
        ],
        Stop: [group(`printf 'stop ${printf}' >&2; exit 2`)],
      },
    });
    const run = await stage.prompt(callScript('read_file', { path: `no${hostile}file` }));
    expect(run.code).toBe(1);
    expect(run.stderr).toMatch(/hello/);
    expect(run.stderr).toMatch(/stop/);
    expect(run.stderr).not.toMatch(acted);
    stage.write('~/.codey/settings.json', JSON.stringify({ hooks: { [`run_end${hostile}`]: [] } }));
    expect((await stage.prompt(answer)).stderr).not.toMatch(acted);
  });

  it('reaches the text on a terminal from no model, and a program that reads it unchanged', async () => {
    const run = await stage.prompt([{ text: `before ${hostile.replaceAll('\u0000', '')} after` }]);
    expect(run.code).toBe(0);
    expect(run.stdout).toMatch(/^before .* after\n$/s);
    const failed = await stage.prompt([{ error: `down ${hostile}` }]);
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain('down');
    expect(failed.stderr).not.toMatch(acted);
  });
});

function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
