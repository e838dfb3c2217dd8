import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { sessionMarkers } from '@codey/hooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createStage, shellScript, type Stage } from './stage.ts';
import { coloursIn, modesLeftOn } from '../src/tui/testing/written.ts';
import { codeyCommand, openTerminal, type TerminalOptions, type TerminalSession } from './tui-terminal.ts';
import { until } from './waiting.ts';

let stage: Stage;
const open: TerminalSession[] = [];

beforeEach(() => {
  stage = createStage();
});

afterEach(async () => {
  for (const terminal of open.splice(0)) {
    // In good order, so that nothing of it stays behind.
    terminal.kill('SIGHUP');
    await terminal.ended;
  }
  stage.remove();
});

function start(script: Parameters<typeof openTerminal>[1], options?: TerminalOptions): TerminalSession {
  const terminal = openTerminal(stage, script, options);
  open.push(terminal);
  return terminal;
}

const ready = /\d project[\s\S]*Ask for something/;
const asks = /may run_shell run\?/;
const down = '\u001b[B';
const alt = (character: string): string => `\u001b${character}`;
const ctrl = (letter: string): string => String.fromCharCode(letter.charCodeAt(0) - 96);

function events(): readonly string[] {
  return stage
    .journal()
    .flatMap((line) =>
      line.kind === 'lifecycle' ? [`${String(line.event)} ${String(line.reason)}`.trim()] : [],
    );
}

async function leave(terminal: TerminalSession): Promise<number> {
  terminal.send(ctrl('c'));
  await terminal.see(/Ctrl\+C again leaves/);
  terminal.send(ctrl('c'));
  return terminal.ended;
}

it('a first session: a prompt, an approval, an answer, and out again', async () => {
  const terminal = start(shellScript('touch made'));
  await terminal.see(ready);
  await terminal.type('make it\r', asks);
  expect(terminal.screen()).toContain('$ touch made');
  await terminal.type('y', /All done\./);
  expect(stage.has('made')).toBe(true);
  expect(await leave(terminal)).toBe(0);
  expect(modesLeftOn(terminal.written())).toEqual([]);
  expect(terminal.screen()).toMatch(/codey -resume \S+/);
  expect(events()).toEqual([
    'session_start startup',
    'run_start',
    'turn_start',
    'blocked approval',
    'unblocked approved',
    'tool_start',
    'tool_result',
    'turn_start',
    'run_end completed',
    'session_end exit',
  ]);
});

it('a question is answered on screen, and blocked is over with it [codey.blocked.reason-names-kind]', async () => {
  const questions = [
    {
      header: 'Storage',
      question: 'Where should it go?',
      options: [{ label: 'SQLite' }, { label: 'Postgres' }],
    },
  ];
  const terminal = start([{ calls: [{ tool: 'ask_user', input: { questions } }] }, { text: 'Noted.' }]);
  await terminal.see(ready);
  await terminal.type('go\r', /Where should it go\?/);
  await terminal.type(down, /› 2 {2}Postgres/);
  await terminal.type('\r', /Storage: Postgres[\s\S]*Noted\./);
  expect(events()).toContain('blocked question');
  expect(events()).toContain('unblocked answered');
});

it('a hook that blocks is told with its place and its reason, one that passes only counted', async () => {
  stage.write('~/.codey/settings.json', {
    hooks: {
      PreToolUse: [
        {
          matcher: 'run_shell',
          hooks: [
            { type: 'command', command: 'true' },
            { type: 'command', command: 'echo "no deleting here" >&2; exit 2' },
          ],
        },
      ],
    },
  });
  const terminal = start(shellScript('rm -rf build'));
  await terminal.see(ready);
  const shown = await terminal.type('clean\r', /All done\./);
  expect(shown).toMatch(/⊘ run_shell rm -rf build +1 hook/);
  expect(shown).toMatch(/✗ PreToolUse hook settings\.json:\d+ blocked/);
  expect(shown).toContain('not run: no deleting here');
});

it('an agent works on when the main one is idle, and is seen to until it is done', async () => {
  stage.write('~/.codey/settings.json', { permissions: { allow: ['run_shell(cat *)'] } });
  const gate = path.join(stage.project, 'gate');
  execFileSync('mkfifo', [gate]);
  const terminal = start({
    main: [
      { calls: [{ tool: 'spawn_agent', input: { prompt: 'look', name: 'ann' } }] },
      { text: 'It is at work.' },
      { calls: [{ tool: 'agent_result', input: { name: 'ann' } }] },
      { text: 'Thanks.' },
    ],
    agents: {
      general: [{ calls: [{ tool: 'run_shell', input: { command: 'cat gate' } }] }, { text: 'Found it.' }],
    },
  });
  await terminal.see(ready);
  const idle = await terminal.type(
    'go\r',
    /project ▸[\s\S]*▸ ann · run_shell cat gate[\s\S]*1 agent works · \/agents/,
  );
  expect(idle).toContain('It is at work.');
  await terminal.type(ctrl('c'), /Ctrl\+C again leaves and ends 1 agent \(ann\)/);
  await terminal.type('and\r', /▸ agent_result ann/);
  writeFileSync(gate, 'open');
  const done = await terminal.see(/✓ ann · run_shell cat gate[\s\S]*Thanks\./);
  expect(done.match(/Found it\./g)).toHaveLength(1);
  expect(done).not.toContain('1 agent works');
});

describe('an agent that works when the user leaves', () => {
  const script = {
    main: [
      { calls: [{ tool: 'spawn_agent', input: { prompt: 'look', name: 'ann' } }] },
      { text: 'It is at work.' },
    ],
    agents: { general: [{ calls: [{ tool: 'run_shell', input: { command: 'cat gate' } }] }] },
  };

  beforeEach(() => {
    stage.write('~/.codey/settings.json', { permissions: { allow: ['run_shell(cat *)'] } });
    execFileSync('mkfifo', [path.join(stage.project, 'gate')]);
  });

  it('is asked about and named when it ended', async () => {
    const terminal = start(script);
    await terminal.see(ready);
    await terminal.type('go\r', /It is at work\.[\s\S]*1 agent works/);
    await terminal.type('/quit\r', /1 agent \(ann\) at work would end\. Leave\?/);
    await terminal.type('\r', /1 agent works · \/agents/);
    await terminal.type(alt('w'), /1 agent \(ann\) at work would end\. Leave\?/);
    await terminal.type(down, /› Leave/);
    terminal.send('\r');
    expect(await terminal.ended).toBe(0);
    expect(terminal.screen()).toContain('codey: 1 agent (ann) at work ended with the program');
  });

  it('is asked about in plain lines, and only named where the input has ended', async () => {
    const terminal = start(script, { environment: { TERM: 'dumb' } });
    await terminal.see(/Ask for something;[\s\S]*> /);
    await terminal.type('go\r', /It is at work\.[\s\S]*> /);
    await terminal.type('\r', /1 agent \(ann\) at work would end\. Leave\?[\s\S]*number > /);
    await terminal.type('1\r', /number > 1\n> /);
    terminal.send(ctrl('d'));
    expect(await terminal.ended).toBe(0);
    expect(terminal.screen()).toContain('1 agent (ann) at work ended with the program');
  });
});

describe('settings edited while a session runs', () => {
  const edited = /Settings were edited while this session runs/;
  const refusing = {
    hooks: {
      PreToolUse: [
        {
          matcher: 'run_shell',
          hooks: [{ type: 'command', command: 'echo "not after lunch" >&2; exit 2' }],
        },
      ],
    },
    permissions: { allow: ['run_shell(touch *)'] },
  };

  it('are offered before the next prompt, and after a yes the new hook and rule are in force [contract.reload.needs-yes]', async () => {
    const terminal = start([...shellScript('touch one'), ...shellScript('touch two')]);
    await terminal.see(ready);
    await terminal.type('one\r', asks);
    await terminal.type('y', /All done\./);
    stage.write('~/.codey/settings.json', refusing);
    const shown = await terminal.type('two\r', edited);
    expect(shown).toMatch(/\+ PreToolUse hook, matcher run_shell.*not after lunch/);
    expect(shown).toMatch(/\+ allow rule run_shell\(touch \*\)/);
    await terminal.type('y', /settings\.json: in force[\s\S]*not run: not after lunch/);
    expect(stage.has('two')).toBe(false);
    expect(events().filter((event) => !/^(?:turn|tool)_/.test(event))).toEqual([
      'session_start startup',
      'run_start',
      'blocked approval',
      'unblocked approved',
      'run_end completed',
      'blocked question',
      'unblocked answered',
      'run_start',
      'run_end completed',
    ]);
  });

  it('are offered between two turns; after a no the old ones stay and nobody is asked again [contract.reload.needs-yes]', async () => {
    stage.write('later.json', refusing);
    const copy = 'mkdir -p ~/.codey && cp later.json ~/.codey/settings.json';
    const terminal = start(shellScript(copy, 'touch two', 'touch three'));
    await terminal.see(ready);
    await terminal.type('go\r', asks);
    await terminal.type('y', edited);
    await terminal.type(
      'n',
      /what was in force stays in\s+force[\s\S]*may run_shell run\?[\s\S]*\$ touch two/,
    );
    await terminal.type('y', /may run_shell run\?[\s\S]*\$ touch three/);
    await terminal.type('\r', /All done\./);
    expect(stage.has('two') && stage.has('three')).toBe(true);
    expect(events().filter((event) => event === 'blocked question')).toHaveLength(1);
  });

  it('are offered in each tab for itself, and an interrupt leaves the question open', async () => {
    const terminal = start([{ text: 'Hello.' }]);
    await terminal.see(ready);
    await terminal.type(ctrl('t'), /2 project/);
    await terminal.see(ready);
    stage.write('~/.codey/settings.json', refusing);
    await terminal.type('one\r', edited);
    await terminal.type('\u001b', /Interrupted/);
    await terminal.type('again\r', edited);
    await terminal.type('y', /settings\.json: in force[\s\S]*Hello\./);
    await terminal.type(alt('1'), ready);
    await terminal.type('two\r', edited);
    await terminal.type('n', /what was in force stays in\s+force[\s\S]*Hello\./);
    expect(
      events()
        .filter((event) => event.includes('blocked'))
        .toSorted(),
    ).toEqual([
      'blocked question',
      'blocked question',
      'blocked question',
      'unblocked answered',
      'unblocked answered',
      'unblocked interrupted',
    ]);
  });

  it('of a repository run only what is agreed to as well', async () => {
    const terminal = start([...shellScript('touch one'), { text: 'unused' }]);
    await terminal.see(ready);
    stage.write('.codey/settings.json', refusing);
    await terminal.type('go\r', edited);
    await terminal.type('y', /This repository wants to run hooks/);
    await terminal.type('n', asks);
    await terminal.type('y', /All done\./);
    expect(stage.has('one')).toBe(true);
  });

  it('that are broken are told, and what was in force goes on [contract.reload.keeps-last-good]', async () => {
    stage.write('~/.codey/settings.json', refusing);
    const terminal = start(shellScript('touch one'));
    await terminal.see(ready);
    stage.write('~/.codey/settings.json', '{"hooks": ');
    await terminal.type('go\r', /cannot be used as they are[\s\S]*not run: not after lunch/);
    expect(stage.has('one')).toBe(false);
  });
});

it('two agents wait at once: each is seen from the other tab, answering one leaves the other waiting', async () => {
  const terminal = start(shellScript('touch made'));
  await terminal.see(ready);
  await terminal.type('one\r', asks);
  await terminal.type(ctrl('t'), /2 project[\s\S]*Ask for something[\s\S]*/);
  await terminal.see(/tab 1 \(project\) waits for you: bash: touch made/);
  await terminal.type('two\r', /Deny, and say why/);
  await terminal.type(alt('1'), /tab 2 \(project\) waits for you/);
  await terminal.type('y', /All done\./);
  await terminal.see(/tab 2 \(project\) waits for you/);
  await terminal.type(alt('2'), asks);
  await terminal.type('n', /Why not\?/);
  await terminal.type('not twice\r', /The user denied this call: not twice[\s\S]*All done\./);
  expect(
    events()
      .filter((event) => event.startsWith('unblocked'))
      .toSorted(),
  ).toEqual(['unblocked approved', 'unblocked denied']);
});

it('closing a tab closes its prompt and its session [codey.session.tab-is-session]', async () => {
  const terminal = start(shellScript('touch made'));
  await terminal.see(ready);
  await terminal.type(ctrl('t'), /2 project/);
  await terminal.see(ready);
  await terminal.type('go\r', asks);
  terminal.send(alt('w'));
  await until(() => events().includes('session_end closed'));
  expect(events()).toContain('unblocked closed');
  const starts = stage.journal().filter((line) => line.event === 'session_start');
  expect(new Set(starts.map((line) => line.session)).size).toBe(2);
  expect(stage.has('made')).toBe(false);
});

it('the run is held at the next turn boundary and let go by key [codey.paused.at-turn-boundary]', async () => {
  const terminal = start(shellScript('until test -e go; do sleep 0.02; done'), {
    args: ['--permission-mode', 'bypassPermissions'],
  });
  await terminal.see(ready);
  await terminal.type('go\r', /run_shell/);
  await terminal.type(ctrl('p'), /pauses after this turn/);
  stage.write('go', '');
  await terminal.see(/paused: the agent is held between two turns/);
  await terminal.type(ctrl('p'), /All done\./);
  expect(events().filter((event) => /paused|resumed/.test(event))).toEqual(['paused user', 'resumed user']);
});

it('Esc stops the run, and the session goes on', async () => {
  const terminal = start([...shellScript('sleep 60'), { text: 'Second answer.' }]);
  await terminal.see(ready);
  await terminal.type('one\r', asks);
  await terminal.type('\u001b', /Interrupted\. Say what to do instead\./);
  await terminal.type('two\r', /All done\./);
  expect(events()).toContain('unblocked interrupted');
  expect(events()).toContain('run_end interrupted');
});

it('a resize in the middle of a prompt keeps all of it', async () => {
  const terminal = start(shellScript('touch made'), { columns: 120, rows: 40 });
  await terminal.see(ready);
  await terminal.type('go\r', asks);
  for (const [columns, rows] of [
    [60, 15],
    [250, 80],
    [80, 24],
  ] as const) {
    terminal.resize(columns, rows);
    await terminal.see(/\$ touch made[\s\S]*Deny, and say why[\s\S]*\/help/);
  }
  await terminal.type('y', /All done\./);
});

it('a line of the user’s own shell runs unasked and is told to the model', async () => {
  const terminal = start([{ text: 'Seen.' }]);
  await terminal.see(ready);
  await terminal.type('!echo from $((40+2))\r', /from 42/);
  await terminal.type('go\r', /Seen\./);
  expect(events()).not.toContain('blocked approval');
});

describe('the terminal is whole again', () => {
  it.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
    ['SIGQUIT', 131],
    ['SIGINT', 130],
  ] as const)('after %s, with the sessions closed', async (signal, code) => {
    const terminal = start(shellScript('touch made'));
    await terminal.see(ready);
    await terminal.type('go\r', asks);
    terminal.kill(signal);
    expect(await terminal.ended).toBe(code);
    expect(modesLeftOn(terminal.written())).toEqual([]);
    expect(events().slice(-3)).toEqual(['unblocked closed', 'run_end interrupted', 'session_end signal']);
  });

  it('after a defect, which is told when the screen is gone', async () => {
    const crash = stage.write('~/crash.mjs', "process.on('SIGUSR2', () => { throw new Error('boom'); });");
    const terminal = start(shellScript('touch made'), { environment: { NODE_OPTIONS: `--import ${crash}` } });
    await terminal.see(ready);
    await terminal.type('go\r', asks);
    terminal.kill('SIGUSR2');
    expect(await terminal.ended).toBe(1);
    expect(modesLeftOn(terminal.written())).toEqual([]);
    expect(terminal.screen()).toContain('this is a defect of codey: Error: boom');
    expect(events().at(-1)).toBe('session_end error');
  });

  it('after a start that fails', async () => {
    const terminal = start([], { args: ['--model', 'nobody/nothing'] });
    expect(await terminal.ended).toBe(2);
    expect(modesLeftOn(terminal.written())).toEqual([]);
    expect(terminal.screen()).toMatch(/codey: .*nobody/);
  });

  it('after Ctrl+Z, and the screen is back after fg', async () => {
    const [node, ...argv] = codeyCommand(stage, []);
    const terminal = start([{ text: 'Hello.' }], {
      command: ['bash', '--norc', '-i'],
      environment: { PS1: 'shell> ' },
    });
    await terminal.see(/shell> /);
    await terminal.type(`${[node, ...argv].map((word) => `'${word}'`).join(' ')}\r`, ready);
    await terminal.type('a draft', /a draft/);
    await terminal.type(ctrl('z'), /Stopped/);
    // Pastes are bracketed for the shell's own sake again.
    expect(modesLeftOn(terminal.written()).filter((mode) => mode !== '2004')).toEqual([]);
    await terminal.type('fg\r', /a draft[\s\S]*\/help/);
    await terminal.type('\r', /Hello\./);
  });
});

describe('the setup wizard', () => {
  it('runs in place of the screen, which is back when it was left', async () => {
    const terminal = start([{ text: 'Hello.' }]);
    await terminal.see(ready);
    await terminal.type('/setup\r', /Whose model/);
    await terminal.type(ctrl('c'), /Setup was not done: setup was left; nothing was saved\./);
    await terminal.type('go\r', /Hello\./);
    expect(await leave(terminal)).toBe(0);
    expect(modesLeftOn(terminal.written())).toEqual([]);
  });

  it('comes before the first session where nothing says which model, and after it the session opens', async () => {
    const [node, program] = codeyCommand(stage, []);
    const keys = ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GEMINI_API_KEY'];
    const without = keys.flatMap((name) => ['-u', name]);
    const command = ['env', ...without, node, program ?? ''] as const;
    const left = start([], { command });
    await left.see(/Whose model/);
    left.send(ctrl('c'));
    expect(await left.ended).toBe(2);
    expect(left.screen()).toContain('codey: no model:');
    const done = start([], { command });
    await done.see(/Whose model/);
    await done.type('\r', /Which model\?/);
    await done.type('\r', /Where is the key/);
    await done.type('\u001b[A\u001b[A\r', /The key:/);
    await done.type('sk-for-nothing\r', /What may tools do\?/);
    done.send('\r'.repeat(3));
    await done.see(ready);
    expect(await leave(done)).toBe(0);
  });
});

it('a session is opened again with what was said in it', async () => {
  const first = start([{ text: 'The first answer.' }]);
  await first.see(ready);
  await first.type('remember this\r', /The first answer\./);
  await leave(first);
  const second = start([{ text: 'More.' }], { args: ['-continue'] });
  const shown = await second.see(/The first answer\.[\s\S]*Ask for something/);
  expect(shown).toContain('▌ remember this');
  // The line is written behind the screen.
  await until(() => events().includes('session_start resume'));
});

it('a dumb terminal gets plain lines and answers by letter', async () => {
  const terminal = start(shellScript('touch made'), { environment: { TERM: 'dumb' } });
  await terminal.see(/Ask for something;[\s\S]*> /);
  await terminal.type('go\r', /\$ touch made[\s\S]*n \[why\] > /);
  await terminal.type('n because\r', /not run: The user denied this call: because[\s\S]*All done\./);
  terminal.send(ctrl('d'));
  expect(await terminal.ended).toBe(0);
  expect(terminal.written()).not.toContain('\u001b');
});

it('says nothing in colour where NO_COLOR is set', async () => {
  const terminal = start([{ text: '# Title\n\n`code`' }], { environment: { NO_COLOR: '1' } });
  await terminal.see(ready);
  await terminal.type('go\r', /Title/);
  expect(coloursIn(terminal.written())).toEqual([]);
});

describe('what the repository supplies', () => {
  const hooks = {
    PreToolUse: [{ matcher: 'run_shell', hooks: [{ type: 'command', command: 'echo no >&2; exit 2' }] }],
  };

  it('is put before the user first, runs after a yes and is not asked for again (CVE-2025-65099)', async () => {
    stage.write('.codey/settings.json', { hooks });
    const terminal = start(shellScript('touch made'));
    await terminal.see(/wants to run hooks[\s\S]*\| echo no >&2; exit 2/);
    await terminal.type('y', ready);
    await terminal.type('go\r', /not run: no[\s\S]*All done\./);
    expect(await leave(terminal)).toBe(0);
    const again = start(shellScript('touch made'));
    await again.see(ready);
    expect(again.screen()).not.toContain('wants to run hooks');
  });

  it('is left out after a no, for every tab', async () => {
    stage.write('.codey/settings.json', { hooks });
    const terminal = start(shellScript('touch made'));
    await terminal.see(/wants to run hooks/);
    await terminal.type('n', ready);
    await terminal.see(/held back/);
    await terminal.type(ctrl('t'), /2 project/);
    await terminal.type('go\r', asks);
  });

  it('can be agreed to later, from the list of hooks', async () => {
    stage.write('.codey/settings.json', { hooks });
    const terminal = start(shellScript('touch made'));
    await terminal.see(/wants to run hooks/);
    await terminal.type('n', ready);
    await terminal.type('/hooks\r', /untrusted: you have not agreed to it/);
    await terminal.type('r', /wants to run hooks/);
    await terminal.type('y', /Agreed\. The hooks run from now on/);
    await terminal.type('go\r', /not run: no[\s\S]*All done\./);
  });

  it('is not put before an agent that runs codey in a terminal', async () => {
    stage.write('.codey/settings.json', { hooks });
    const terminal = start(shellScript('touch made'), {
      environment: sessionMarkers({ sessionId: 'outer' }),
    });
    await terminal.see(ready);
    await terminal.see(/held back/);
    expect(terminal.screen()).not.toContain('wants to run hooks');
  });

  it('can be left out where it cannot be read, with the user’s own hooks in force', async () => {
    stage.write('.codey/settings.json', { hooks: { PreToolUze: [] } });
    stage.write('~/.codey/settings.json', { hooks });
    const terminal = start(shellScript('touch made'));
    await terminal.see(/cannot be used as they are[\s\S]*PreToolUze/);
    await terminal.type('s', ready);
    await terminal.type('go\r', /not run: no[\s\S]*All done\./);
  });

  it('ends the start with every problem where the user leaves to correct it', async () => {
    stage.write('.codey/settings.json', { hooks: { PreToolUze: [] } });
    const terminal = start([]);
    await terminal.see(/cannot be used as they are/);
    terminal.send('q');
    expect(await terminal.ended).toBe(2);
    // Where the path is long the line is cut anywhere.
    expect(terminal.screen().replaceAll('\n', '')).toContain('PreToolUze');
    expect(modesLeftOn(terminal.written())).toEqual([]);
  });
});
