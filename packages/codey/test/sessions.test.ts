// Conversations that are reopened: by choice, as a copy, while somebody has them open, and after the program was killed.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startWireServer, type WireServer } from '@codey/agent/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bypass, play } from './play.ts';
import { group } from './settings.ts';
import { createStage, shellScript, type Stage } from './stage.ts';
import { isRunning, until } from './waiting.ts';

let stage: Stage;
let server: WireServer | undefined;
beforeEach(() => {
  stage = createStage();
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  stage.remove();
});

/** Folders of the project's sessions, oldest first. */
function folders(): readonly string[] {
  const projects = path.join(stage.home, '.codey/projects');
  if (!existsSync(projects)) return [];
  return readdirSync(projects)
    .map((project) => path.join(projects, project, 'sessions'))
    .filter((sessions) => existsSync(sessions))
    .flatMap((sessions) => readdirSync(sessions).map((id) => path.join(sessions, id)))
    .sort();
}

async function talk(text: string, args: readonly string[] = []): Promise<string> {
  const { result, code, stderr } = await play(stage, [{ text }], args);
  expect([code, stderr]).toEqual([0, '']);
  return String(result.session_id);
}

/** What a model was shown, by the texts of the conversation. */
async function shown(args: readonly string[]): Promise<string> {
  server = await startWireServer({ wire: 'anthropic', story: [{ kind: 'turn', text: 'I see.' }] });
  const run = await stage.codey(['-p', 'What was said?', '--model', 'anthropic/any', ...args], {
    environment: { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: server.url },
  });
  expect([run.code, run.stdout]).toEqual([0, 'I see.\n']);
  expect(server.requests.flatMap(({ problems }) => problems)).toEqual([]);
  return JSON.stringify(server.requests[0]?.body.messages);
}

describe('a session', () => {
  it('goes on with -continue and with -resume, by its id or a beginning of it [codey.herdr.session-id-resumes] [koder.event.sessionstart-source]', async () => {
    stage.write('~/.codey/settings.json', {
      hooks: {
        SessionStart: [group('cat >> "$HOME/starts"')],
        session_start: ['echo "$CODEY_REASON" >> "$HOME/reasons"'],
      },
    });
    const first = await talk('apples');
    const second = await talk('bananas');
    expect(second).not.toBe(first);
    expect(await talk('cherries', ['-continue'])).toBe(second);
    expect(await talk('dates', ['-resume', first])).toBe(first);
    expect(await talk('elder', ['--resume', second])).toBe(second);
    const unique = [...first].findIndex((letter, at) => letter !== second[at]) + 1;
    const messages = await shown(['-resume', first.slice(0, unique)]);
    expect(messages).toMatch(/apples.*dates.*What was said/);
    expect(messages).not.toMatch(/bananas|cherries|elder/);
    expect(stage.read('~/reasons')).toBe('startup\nstartup\nresume\nresume\nresume\nresume\n');
    const sources = stage.read('~/starts').match(/"source":"\w+"/g);
    expect(sources).toEqual(
      ['startup', 'startup', 'resume', 'resume', 'resume', 'resume'].map((s) => `"source":"${s}"`),
    );
  });

  it('is left as it is by --fork-session', async () => {
    const id = await talk('apples');
    const copy = await talk('bananas', ['-continue', '--fork-session']);
    expect(copy).not.toBe(id);
    const messages = await shown(['-resume', id]);
    expect(messages).toContain('apples');
    expect(messages).not.toContain('bananas');
    await server?.close();
    expect(await shown(['-resume', copy])).toMatch(/apples.*bananas/);
  });

  it('is listed with its first words, newest first, and only in its project', async () => {
    const first = await talk('apples');
    const second = await talk('bananas');
    const { stdout } = await stage.codey(['sessions']);
    expect(stdout.trim().split('\n')).toEqual([
      expect.stringMatching(new RegExp(`^${second} .* do it$`)),
      expect.stringMatching(new RegExp(`^${first} .* do it$`)),
    ]);
    const listed = JSON.parse((await stage.codey(['sessions', '--json'])).stdout);
    expect(listed.map(({ id }: { id: string }) => id)).toEqual([second, first]);
    expect((await stage.codey(['sessions'], { cwd: stage.home })).stdout).toMatch(/No sessions/);
  });

  it('is not listed where nothing was said in it, unless a team was opened', async () => {
    for (const words of ['/help', '/nonsense', '/clear']) await stage.codey(['-p', words]);
    expect((await stage.codey(['sessions'])).stdout).toBe('No sessions in this project yet.\n');
    expect((await stage.codey(['sessions', '--json'])).stdout).toBe('[]\n');
    await stage.codey(['-p', '/peers create shop']);
    expect((await stage.codey(['sessions'])).stdout).toContain('(no prompt yet)');
  });

  it('that does not exist, or is not the only one, is refused with what to do', async () => {
    const none = await stage.prompt([{ text: 'a' }], { args: ['-continue'] });
    expect([none.code, none.stderr]).toEqual([2, expect.stringMatching(/no session/)]);
    const id = await talk('apples');
    await talk('bananas');
    const unknown = await stage.prompt([{ text: 'a' }], { args: ['-resume', 'zzz'] });
    expect([unknown.code, unknown.stderr]).toEqual([
      2,
      expect.stringMatching(/no session "zzz".*codey sessions/),
    ]);
    const several = await stage.prompt([{ text: 'a' }], { args: ['-resume', id.slice(0, 2)] });
    expect([several.code, several.stderr]).toEqual([2, expect.stringMatching(/2 sessions begin with/)]);
    const traversal = await stage.prompt([{ text: 'a' }], { args: ['-resume', '../../x'] });
    expect(traversal.code).toBe(2);
  });

  it('that is open elsewhere is refused with who has it, and goes on as a copy', async () => {
    const first = await stage.prompt(
      shellScript('touch "$HOME/started"; while [ ! -e "$HOME/go" ]; do sleep 0.05; done'),
      {
        args: bypass,
        onStart: async ({ pid }) => {
          await until(() => stage.has('~/started'));
          const [folder = ''] = folders();
          const id = path.basename(folder);
          const second = await stage.codey(['-p', 'again', '-resume', id, '--model', `script:${script()}`]);
          expect([second.code, second.stdout]).toEqual([2, '']);
          expect(second.stderr).toContain(`process id ${pid}`);
          expect(second.stderr).toContain('--fork-session');
          const copy = await stage.codey([
            '-p',
            'again',
            '-resume',
            id,
            '--fork-session',
            '--model',
            `script:${script()}`,
          ]);
          expect([copy.code, copy.stdout, copy.stderr]).toEqual([0, 'from the copy\n', '']);
          stage.write('~/go', '');
        },
      },
    );
    expect(first).toMatchObject({ code: 0, stdout: 'All done.\n' });
  });

  const script = () => stage.write('~/copy.json', [{ text: 'from the copy' }]);
});

describe.runIf(process.platform === 'linux')('a session whose program was killed', () => {
  it('is put in order by the next start, which runs none of it again [contract.journal.dead-owner]', async () => {
    stage.write('~/.codey/settings.json', {
      hooks: Object.fromEntries(
        ['tool_start', 'tool_result', 'run_end', 'session_end'].map((event) => [
          event,
          [`echo "$CODEY_HOOK_EVENT" >> "$HOME/told"`],
        ]),
      ),
    });
    const killed = await stage.prompt(
      shellScript('echo ran >> "$HOME/ran"; echo $$ > "$HOME/pid"; sleep 300; sleep 300'),
      {
        args: bypass,
        environment: ownTemporaryFolder(),
        onStart: async (child) => {
          await until(() => stage.has('~/pid') && stage.read('~/pid') !== '');
          child.kill('SIGKILL');
        },
      },
    );
    expect(killed.signal).toBe('SIGKILL');
    const pid = Number(stage.read('~/pid'));
    expect(isRunning(pid)).toBe(true);
    const id = path.basename(folders()[0] ?? '');

    const messages = await shown(['-continue']);
    // Signalled by then; a machine that stands still takes its time to end it.
    await until(() => !isRunning(pid));
    expect(stage.read('~/ran')).toBe('ran\n');
    expect(messages).toContain('codey ended while this call was under way');
    expect(stage.read('~/told')).toBe('tool_start\nrun_end\nsession_end\n');
    const repaired = stage
      .journal()
      .filter(({ kind, session }) => kind === 'lifecycle' && session === id)
      .map(({ event, reason, error }) => [event, reason, error].join(' '));
    expect(repaired.slice(0, 7)).toEqual([
      'session_start startup ',
      'run_start  ',
      'turn_start  ',
      'tool_start  ',
      'tool_result  cancelled',
      'run_end interrupted ',
      'session_end crashed ',
    ]);
    expect(repaired.slice(7)).toEqual([
      'session_start resume ',
      'run_start  ',
      'turn_start  ',
      'run_end completed ',
      'session_end exit ',
    ]);
  });

  it('at any moment can be resumed, its journal and its log readable to the last line', async () => {
    const random = seeded(20_260_301);
    stage.write('~/.codey/settings.json', {
      hooks: {
        PreToolUse: [group('exit 0')],
        PostToolUse: [group(`echo '{"hookSpecificOutput":{"additionalContext":"seen"}}'`)],
        Stop: [group('exit 0')],
        tool_result: ['true'],
      },
    });
    const story = shellScript('echo one', 'echo two', 'echo three');
    const whole = await timed(() => play(stage, story));
    expect(whole.value.code).toBe(0);
    for (let round = 0; round < 30; round++) {
      const delay = random() * whole.ms;
      await stage.prompt(story, {
        args: [...bypass, ...(round % 3 === 2 ? ['-continue'] : [])],
        environment: ownTemporaryFolder(),
        onStart: (child) => void setTimeout(() => child.kill('SIGKILL'), delay),
      });
      const resumed = await play(stage, [{ text: `round ${round}` }], ['-continue']);
      expect([round, resumed.code, resumed.result.result]).toEqual([round, 0, `round ${round}`]);
    }
    const opened = new Map<unknown, number>();
    for (const { kind, event, session } of stage.journal()) {
      if (kind !== 'lifecycle') continue;
      if (event === 'session_start') opened.set(session, (opened.get(session) ?? 0) + 1);
      if (event === 'session_end') opened.set(session, (opened.get(session) ?? 0) - 1);
    }
    expect([...opened.values()].every((count) => count === 0)).toBe(true);
    expect(await shown(['-continue'])).toContain('round 29');
  }, 240_000);

  /** What a program that is killed had there for a moment goes with the stage. */
  const ownTemporaryFolder = () => ({ TMPDIR: stage.home });

  it('with a torn last line loses that line and nothing else', async () => {
    const id = await talk('apples');
    const log = path.join(
      folders()[0] ?? '',
      readdirSync(folders()[0] ?? '').find((name) => name.endsWith('.jsonl')) ?? '',
    );
    const text = readFileSync(log, 'utf8');
    for (let cut = 1; cut < 60; cut += 7) {
      writeFileSync(log, text.slice(0, -cut));
      const messages = await shown(['-resume', id]);
      expect(messages).toContain('apples');
      await server?.close();
      writeFileSync(log, text);
    }
  });
});

/** The same numbers from 0 to 1 in every run of the tests. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

async function timed<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly ms: number }> {
  const begun = performance.now();
  const value = await work();
  return { value, ms: performance.now() - begun };
}
