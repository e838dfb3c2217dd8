// Starts at which a step of the setup is missing: refused where nobody watches, put right where somebody does.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { startWireServer, type WireServer } from '@codey/agent/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readLines } from '../play.ts';
import { group } from '../settings.ts';
import { createStage, type Stage } from '../stage.ts';
import { codeyCommand, openTerminal, type TerminalSession } from '../tui-terminal.ts';

let stage: Stage;
let server: WireServer | undefined;
const open: TerminalSession[] = [];
beforeEach(() => {
  stage = createStage();
});
afterEach(async () => {
  for (const terminal of open.splice(0)) {
    terminal.kill('SIGHUP');
    await terminal.ended;
  }
  await server?.close();
  server = undefined;
  stage.remove();
});

const told = group('cat >> "$HOME/told.jsonl"');
const withSetupHook = (more: object = {}) => ({ ...more, hooks: { Setup: [told] } });
/** What the Setup hooks were told, one entry a time. */
function steps(): readonly unknown[] {
  const file = path.join(stage.home, 'told.jsonl');
  if (!existsSync(file)) return [];
  return readLines(readFileSync(file, 'utf8')).map(({ missing_steps }) => missing_steps);
}

describe('a start in print mode that cannot open a model', () => {
  it.each([
    ['no model is named', {}, ['model'], 'codey: no model: set ANTHROPIC_API_KEY'],
    ['its key is not there', { model: 'openai/gpt-5' }, ['key'], 'codey: openai/gpt-5 needs a key'],
  ])(
    'is refused, and the Setup hooks were told, when %s [koder.event.setup-on-missing-steps] [koder.event.setup-payload]',
    async (_when, settings, missing, sentence) => {
      stage.write('~/.codey/settings.json', withSetupHook(settings));
      const run = await stage.codey(['-p', 'hi']);
      expect([run.code, run.stdout]).toEqual([2, '']);
      expect(run.stderr).toContain(sentence);
      expect(steps()).toEqual([missing]);
      expect(stage.journal()).toMatchObject([
        { kind: 'dispatch', event: 'Setup', hooks: [{ outcome: 'passed' }] },
      ]);
    },
  );

  it.each(['--bare', '-no-hooks'])('asks no hook with %s [koder.bare.skips-setup]', async (flag) => {
    stage.write('~/.codey/settings.json', withSetupHook());
    expect((await stage.codey(['-p', 'hi', flag])).code).toBe(2);
    expect(steps()).toEqual([]);
  });

  it('asks no hook of Setup where only a flag is wrong [koder.event.setup-on-missing-steps]', async () => {
    stage.write('~/.codey/settings.json', withSetupHook({ model: 'openai/gpt-5' }));
    const environment = { OPENAI_API_KEY: 'k' };
    expect((await stage.codey(['-p', 'hi', '--model', 'anthropic/any'], { environment })).code).toBe(2);
    expect(steps()).toEqual([]);
  });

  it('runs no hook of a repository that was not agreed to, and says so [contract.trust.repo-hooks-held]', async () => {
    stage.write('.codey/settings.json', withSetupHook());
    const run = await stage.codey(['-p', 'hi']);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('codey hooks trust');
    expect(steps()).toEqual([]);
  });
});

describe('a first start on the screen', () => {
  const ready = /\d project[\s\S]*Ask for something/;
  const questions = [
    /Whose model/,
    /Which model\?/,
    /Where is the key/,
    /What may tools do\?/,
    /What should it look like\?/,
    /Walk through/,
  ];

  function start(environment: Readonly<Record<string, string>>, ...args: readonly string[]): TerminalSession {
    const [node, program = ''] = codeyCommand(stage, []);
    const terminal = openTerminal(stage, [], {
      command: [node, program, ...args],
      // No herdr is found there, so that there is no question about it.
      environment: { PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin`, ...environment },
    });
    open.push(terminal);
    return terminal;
  }

  async function enterThrough(terminal: TerminalSession): Promise<void> {
    for (const question of questions) {
      await terminal.see(question);
      terminal.send('\r');
    }
  }

  async function serve(): Promise<WireServer> {
    server = await startWireServer({ wire: 'anthropic', story: [{ kind: 'turn', text: 'Hello there.' }] });
    return server;
  }

  it('answers a prompt after nothing but Enter in the wizard, where a key is in the environment', async () => {
    const { url } = await serve();
    const environment = { ANTHROPIC_API_KEY: 'sk-x', ANTHROPIC_BASE_URL: url };
    const wizard = start(environment, 'setup');
    await enterThrough(wizard);
    expect(await wizard.ended).toBe(0);
    expect(wizard.written()).not.toContain('no prompt can be answered');
    const terminal = start(environment);
    await terminal.see(ready);
    await terminal.type('hi\r', /Hello there\./);
  });

  it('opens after nothing but Enter where no key is anywhere, says so, and answers once /setup was given one [koder.event.setup-on-missing-steps]', async () => {
    const { url, requests } = await serve();
    stage.write('~/.codey/settings.json', withSetupHook());
    const terminal = start({ ANTHROPIC_BASE_URL: url });
    await enterThrough(terminal);
    await terminal.see(ready);
    await terminal.see(/no prompt can be answered yet: \S+ needs a key and\s+ANTHROPIC_API_KEY is\s+not set/);
    expect(steps()).toEqual([['model'], ['key']]);
    await terminal.type('hi\r', /✗ \S+ needs a key[^✗]* or\s+run\s+\/setup/);
    await terminal.type('/setup\r', /Whose model/);
    await terminal.type('\r', /Which model\?/);
    await terminal.type('\r', /Where is the key/);
    await terminal.type('\u001b[A\u001b[A\r', /The key:/);
    await terminal.type('sk-typed\r', /What may tools do\?/);
    terminal.send('\r'.repeat(3));
    await terminal.see(
      /saved in \S+settings\.json[\s\S]*the key is kept in \S+keys\.json[\s\S]*Setup is done\./,
    );
    await terminal.type('once more\r', /Hello there\./);
    expect(requests.map(({ headers }) => headers['x-api-key'])).toEqual(['sk-typed']);
    // The key is for models: no hook and no tool inherits it.
    expect(stage.read('~/told.jsonl')).not.toContain('sk-typed');
  });

  it.each([
    [
      'its model lacks a key',
      { model: 'anthropic/any' },
      /answered yet: \S+ needs a key[\s\S]*codey setup[\s\S]*> /,
      'not set',
    ],
    [
      'nothing says which model',
      {},
      /answered yet: no model: set[\s\S]*codey\s+setup[\s\S]*> /,
      'no model: set',
    ],
  ] as const)(
    'opens on a dumb terminal where %s, says so, and answers when a key was kept elsewhere',
    async (_why, settings, said, why) => {
      const { url, requests } = await serve();
      stage.write('~/.codey/settings.json', settings);
      const terminal = start({ TERM: 'dumb', ANTHROPIC_BASE_URL: url });
      await terminal.see(said);
      await terminal.type('hi\r', new RegExp(`✗ [\\s\\S]*${why}[\\s\\S]*> $`, 'm'));
      stage.write('~/.codey/keys.json', { ANTHROPIC_API_KEY: 'sk-kept' });
      await terminal.type('once more\r', /Hello there\./);
      expect(requests.map(({ headers }) => headers['x-api-key'])).toEqual(['sk-kept']);
      terminal.send('\u0004');
      expect(await terminal.ended).toBe(0);
    },
  );

  it('opens although the download of the skill failed, says why, and names no file [codey.skill.offline-keeps-answers] [codey.skill.offline-says-why]', async () => {
    const herdr = stage.write('~/bin/herdr.sh', '#!/bin/sh\n');
    const terminal = start({ HERDR_BIN_PATH: herdr, CODEY_HERDR_SKILL_URL: 'http://127.0.0.1:1/SKILL.md' });
    const withSkill = [...questions.slice(0, -1), /Install herdr's skill/, ...questions.slice(-1)];
    for (const question of withSkill) {
      await terminal.see(question);
      terminal.send('\r');
    }
    await terminal.see(ready);
    await terminal.see(
      /saved in \S+settings\.json[\s\S]*herdr's skill was not installed: 127\.0\.0\.1:1 cannot/,
    );
    expect(terminal.screen()).toContain('Nothing was written');
    expect(stage.has('~/.agents')).toBe(false);
  });

  it.each(['--bare', '-no-hooks'])('asks no hook of Setup with %s [koder.bare.skips-setup]', async (flag) => {
    stage.write('~/.codey/settings.json', withSetupHook());
    const terminal = start({ ANTHROPIC_BASE_URL: 'http://127.0.0.1:1' }, flag);
    await enterThrough(terminal);
    await terminal.see(ready);
    expect(steps()).toEqual([]);
  });

  it('leaves nothing of the questions of /setup in front of the shell', async () => {
    stage.write('~/.codey/settings.json', { model: 'anthropic/any' });
    const terminal = start({});
    await terminal.see(ready);
    await terminal.type('/setup\r', /Whose model/);
    await terminal.type('\r', /Which model\?/);
    await terminal.type('\u0003', /Setup was not done: setup was left; nothing was saved/);
    terminal.send('/quit\r');
    expect(await terminal.ended).toBe(0);
    expect(terminal.screen().trim()).toBe('');
  });

  it('that is left opens no screen, says why, and leaves no answer of a slow terminal to the shell', async () => {
    const [node, program = ''] = codeyCommand(stage, []);
    const terminal = openTerminal(stage, [], {
      command: ['bash', '-c', '"$@"; echo "it ended with $?"; exec cat', 'bash', node, program],
      answerAfterMs: 300,
    });
    open.push(terminal);
    await terminal.see(/Whose model/);
    await terminal.type('\u0003', /codey: no model:[\s\S]*it ended with 2/);
    await terminal.answered();
    expect(await terminal.type('the shell goes on\r', /the shell goes on\s+the shell goes on/)).not.toContain(
      '^[',
    );
  });

  it('is refused where a ConfigChange hook takes the answers back, and both are said', async () => {
    stage.write('~/.codey/settings.json', { hooks: { ConfigChange: [group('echo frozen >&2; exit 2')] } });
    const terminal = start({});
    await enterThrough(terminal);
    expect(await terminal.ended).toBe(2);
    expect(terminal.screen()).toMatch(/refused by a ConfigChange hook: frozen[\s\S]*codey: no model:/);
  });
});
