// Two sessions with different roots in one process, at work at the same time, share nothing.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LiveSession } from '../src/live-session.ts';
import { type Answer, modelOf, openWholeSession } from './whole-session.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'two-sessions-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const hook = (command: string, more: object = {}) => [{ hooks: [{ type: 'command', command, ...more }] }];
/** Each session's hooks write into its own project. */
const note = (text: string) => `echo "${text}" >> "$CODEY_PROJECT_DIR/seen"`;

function write(file: string, settings: object): void {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  writeFileSync(path.join(folder, file), JSON.stringify(settings));
}

function seen(name: string): readonly string[] {
  return readFileSync(path.join(folder, name, 'seen'), 'utf8')
    .trim()
    .split('\n');
}

/** Two commands; neither session gets past its first before the other has come to it. */
function story(other: string): Answer[] {
  return [
    `touch here; until [ -e ../${other}/here ]; do sleep 0.02; done; basename "$PWD"`,
    `echo "$FLAVOUR"`,
  ].map((command) => ({ calls: [{ tool: 'run_shell', input: { command } }] }));
}

async function open(name: string, other: string): Promise<{ session: LiveSession; results: string[] }> {
  const answers = story(other);
  const results: string[] = [];
  const { started } = await openWholeSession({
    projectRoot: path.join(folder, name),
    home: path.join(folder, 'home'),
    model: modelOf(() => answers.shift() ?? { text: `done in ${name}` }, `test/${name}`),
    onEvent: (event) => void (event.kind === 'result' && results.push(event.output.trim())),
  });
  if (started.kind === 'blocked') throw new Error(started.reason);
  return { session: started.session, results };
}

describe('two sessions of one process', () => {
  it('keep directory, environment, hooks, once and ids to themselves [contract.engine.two-roots]', async () => {
    write('home/.codey/settings.json', {
      permissions: { mode: 'bypassPermissions' },
      hooks: {
        PreToolUse: hook(note('once'), { once: true }),
        run_end: [note('$CODEY_HOOK_EVENT of $CODEY_SESSION in $(basename "$PWD")')],
      },
    });
    for (const [name, flavour] of [
      ['left', 'lemon'],
      ['right', 'rose'],
    ] as const) {
      write(`${name}/.codey/settings.json`, {
        hooks: {
          SessionStart: hook(`echo "export FLAVOUR=${flavour}" >> "$CODEY_ENV_FILE"`),
          PostToolUse: hook(note(`${name} after $CODEY_SESSION_ID`)),
        },
      });
    }
    const environment = { ...process.env };
    const cwd = process.cwd();

    const [left, right] = await Promise.all([open('left', 'right'), open('right', 'left')]);
    expect(left.session.id).not.toBe(right.session.id);
    const outcomes = await Promise.all([left.session.prompt('go'), right.session.prompt('go')]);
    expect(outcomes).toMatchObject([
      { stop: 'completed', text: 'done in left' },
      { stop: 'completed', text: 'done in right' },
    ]);
    expect([left.results, right.results]).toEqual([
      ['left', 'lemon'],
      ['right', 'rose'],
    ]);
    for (const [name, { session }] of Object.entries({ left, right })) {
      expect(seen(name)).toEqual([
        'once',
        `${name} after ${session.id}`,
        `${name} after ${session.id}`,
        `run_end of ${session.id} in ${name}`,
      ]);
    }

    await left.session.close({ reason: 'closed', hurry: AbortSignal.timeout(20_000) });
    expect(await right.session.prompt('again')).toMatchObject({ stop: 'completed', text: 'done in right' });
    await right.session.close({ reason: 'closed', hurry: AbortSignal.timeout(20_000) });
    expect(process.env).toEqual(environment);
    expect(process.cwd()).toBe(cwd);
  });

  it('are interrupted one by one', async () => {
    write('home/.codey/settings.json', { permissions: { mode: 'bypassPermissions' } });
    mkdirSync(path.join(folder, 'left'));
    mkdirSync(path.join(folder, 'right'));
    const [left, right] = await Promise.all([open('left', 'right'), open('right', 'left')]);
    const waiting = left.session.prompt('go');
    left.session.interrupt();
    expect(await waiting).toMatchObject({ stop: 'interrupted' });
    writeFileSync(path.join(folder, 'left/here'), '');
    expect(await right.session.prompt('go')).toMatchObject({ stop: 'completed' });
    const leaving = { reason: 'closed', hurry: AbortSignal.timeout(20_000) } as const;
    await Promise.all([left.session.close(leaving), right.session.close(leaving)]);
  });
});
