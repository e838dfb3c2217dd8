// The whole program in a pane: what herdr hears while somebody works on the screen, on a stand-in as strict as the real one.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createStage, type Script, shellScript, type Stage } from '../stage.ts';
import { codeyCommand, openTerminal, type TerminalOptions, type TerminalSession } from '../tui-terminal.ts';
import { until } from '../waiting.ts';
import { createServer } from './stand-in.mjs';

const standIn = fileURLToPath(new URL('./stand-in.mjs', import.meta.url));
const ready = /\d project[\s\S]*Ask for something/;
const asks = /may run_shell run\?/;
const ctrl = (letter: string): string => String.fromCharCode(letter.charCodeAt(0) - 96);
const started = 'codey: herdr detected — reporting agent state to pane w1:p1';

let stage: Stage;
const open: TerminalSession[] = [];

beforeEach(() => {
  stage = createStage();
  stage.write('~/herdr/server.json', createServer(['w1:p1']));
});

afterEach(async () => {
  for (const terminal of open.splice(0)) {
    terminal.kill('SIGHUP');
    await terminal.ended;
  }
  stage.remove();
});

function start(script: Script, options: TerminalOptions = {}): TerminalSession {
  const terminal = openTerminal(stage, script, {
    ...options,
    environment: {
      HERDR_ENV: '1',
      HERDR_PANE_ID: 'w1:p1',
      HERDR_BIN_PATH: standIn,
      HERDR_SOCKET_PATH: path.join(stage.home, 'herdr/herdr.sock'),
      ...options.environment,
    },
  });
  open.push(terminal);
  return terminal;
}

function heard(): readonly string[] {
  const server = JSON.parse(readFileSync(path.join(stage.home, 'herdr/server.json'), 'utf8'));
  return server.panes['w1:p1'].history;
}

async function leave(terminal: TerminalSession): Promise<number> {
  terminal.send(ctrl('c'));
  await terminal.see(/Ctrl\+C again leaves/);
  terminal.send(ctrl('c'));
  return terminal.ended;
}

it('herdr hears of every state from the program, and the pane is free afterwards [codey.herdr.not-from-screen]', async () => {
  // Only the newest state is sent, so each is held until herdr has it.
  const waitFor = (file: string): string => `until test -e ${file}; do sleep 0.02; done`;
  const hook = { matcher: 'run_shell', hooks: [{ type: 'command', command: waitFor('asked') }] };
  stage.write('~/.codey/settings.json', { hooks: { PreToolUse: [hook] } });
  const terminal = start(shellScript(waitFor('made')));
  const shown = await terminal.see(ready);
  expect(shown).toContain('herdr detected — reporting agent state to pane w1:p1');
  const written = terminal.written();
  expect(written.indexOf(started)).toBeGreaterThanOrEqual(0);
  expect(written.indexOf(started)).toBeLessThan(written.indexOf('\u001b[?1049h'));
  await until(() => heard().includes('idle'));
  terminal.send('make it\r');
  await until(() => heard().at(-1) === 'working');
  stage.write('asked', '');
  await terminal.see(asks);
  await until(() => heard().at(-1)?.startsWith('blocked') === true);
  terminal.send('y');
  await until(() => heard().at(-1) === 'working');
  stage.write('made', '');
  await terminal.see(/All done\./);
  await until(() => heard().at(-1) === 'idle');
  expect(await leave(terminal)).toBe(0);
  expect(heard()).toEqual([
    'idle',
    'working',
    expect.stringMatching(/^blocked \(bash: until test -e made/),
    'working',
    'idle',
    'released',
  ]);
});

it('herdr hears of an agent that goes on when the run that started it has ended', async () => {
  stage.write('~/.codey/settings.json', { permissions: { allow: ['run_shell'] } });
  const waitFor = (file: string) => ({
    calls: [{ tool: 'run_shell', input: { command: `until test -e ${file}; do sleep 0.02; done` } }],
  });
  const spawn = { tool: 'spawn_agent', input: { agent: 'general', name: 'helper', prompt: 'look' } };
  const terminal = start({
    main: [{ calls: [spawn] }, waitFor('asked'), { text: 'Somebody looks.' }],
    agents: { helper: [waitFor('seen'), { text: 'seen' }] },
  });
  await terminal.see(ready);
  await until(() => heard().includes('idle'));
  terminal.send('go\r');
  await until(() => heard().at(-1) === 'working');
  stage.write('asked', '');
  await terminal.see(/Somebody looks\./);
  await until(() => stage.read('.codey/events.jsonl').includes('"run_end"'));
  // Long enough for a report that should not come.
  for (let look = 0; look < 20; look += 1) {
    expect(heard().at(-1)).toBe('working');
    await sleep(20);
  }
  stage.write('seen', '');
  await until(() => heard().at(-1) === 'idle');
  expect(await leave(terminal)).toBe(0);
  expect(heard()).toEqual(['idle', 'working', 'idle', 'released']);
});

it('disableAllHooks leaves reports to herdr alone [contract.off.disable-all-not-herdr]', async () => {
  stage.write('~/.codey/settings.json', { disableAllHooks: true });
  const terminal = start([{ text: 'Hello.' }]);
  await terminal.see(ready);
  await until(() => heard().includes('idle'));
  expect(await leave(terminal)).toBe(0);
  expect(heard()).toEqual(['idle', 'released']);
});

it.each([
  ['a flag', {}, ['-no-hooks']],
  ['the settings', { herdr: { report: false } }, []],
] as const)('herdr hears nothing where %s switches reports off', async (_by, settings, args) => {
  stage.write('~/.codey/settings.json', settings);
  const terminal = start([{ text: 'Hello.' }], { args });
  await terminal.see(ready);
  await terminal.type('go\r', /Hello\./);
  expect(await leave(terminal)).toBe(0);
  expect(heard()).toEqual([]);
  expect(terminal.written()).not.toContain('herdr');
});

it('plain lines report like the screen does', async () => {
  const terminal = start([{ text: 'Hello.' }], { environment: { TERM: 'dumb' } });
  await terminal.see(/Ask for something;[\s\S]*> /);
  expect(terminal.written()).toContain(started);
  await terminal.type('go\r', /Hello\.[\s\S]*> $/m);
  await until(() => heard().at(-1) === 'idle');
  terminal.send(ctrl('d'));
  expect(await terminal.ended).toBe(0);
  expect(heard().at(0)).toBe('idle');
  expect(heard().at(-1)).toBe('released');
});

it('a program that is stopped gives the pane up until it goes on', async () => {
  const terminal = start([{ text: 'Hello.' }], {
    command: ['bash', '--norc', '-i'],
    environment: { PS1: 'shell> ' },
  });
  await terminal.see(/shell> /);
  const words = codeyCommand(stage, []).map((word) => `'${word}'`);
  await terminal.type(`${words.join(' ')}\r`, ready);
  await until(() => heard().includes('idle'));
  await terminal.type(ctrl('z'), /Stopped/);
  expect(heard()).toEqual(['idle', 'released']);
  await terminal.type('fg\r', /\/help/);
  await until(() => heard().at(-1) === 'idle');
  terminal.send(ctrl('c'));
  await terminal.see(/Ctrl\+C again leaves/);
  terminal.send(ctrl('c'));
  await until(() => heard().length === 4);
  expect(heard()).toEqual(['idle', 'released', 'idle', 'released']);
});
