import { afterEach, describe, expect, it } from 'vitest';
import { coloursIn } from './testing/written.ts';
import { key, openStage, type Stage, type StageOptions } from './testing/stage.ts';

const stages: Stage[] = [];

async function stage(options?: StageOptions): Promise<Stage> {
  const made = await openStage(options);
  stages.push(made);
  return made;
}

afterEach(async () => {
  for (const each of stages.splice(0)) await each.close();
});

describe('a conversation', () => {
  it('sends what is typed and shows what comes back', async () => {
    const { keys, session, text } = await stage();
    await keys('fix it', key.enter);
    expect(session().calls).toEqual(['prompt fix it']);
    session().say({ kind: 'text', agent: 'main', text: 'I will **look**.' });
    session().say({ kind: 'call', agent: 'main', id: '1', tool: 'run_shell', input: { command: 'ls' } });
    session().say({
      kind: 'result',
      agent: 'main',
      id: '1',
      tool: 'run_shell',
      output: 'a.ts',
      failed: false,
      ms: 3,
    });
    const shown = await text();
    expect(shown).toContain('▌ fix it');
    expect(shown).toContain('I will look.');
    expect(shown).toContain('✓ run_shell ls');
    expect(shown).toContain('a.ts');
    expect(shown).toContain('Esc stops');
  });

  it('queues what is typed while the agent works and sends it when the run is over', async () => {
    const { keys, session, text, rest } = await stage();
    await keys('one', key.enter, 'two', key.enter);
    expect(session().calls).toEqual(['prompt one']);
    expect(await text()).toContain('next: two');
    session().endRun();
    await rest();
    expect(session().calls).toEqual(['prompt one', 'prompt two']);
    expect(await text()).not.toContain('next: two');
  });

  it('gives queued prompts back to the composer when the run is stopped', async () => {
    const { keys, session, text } = await stage();
    await keys('one', key.enter, 'two', key.enter, key.escape);
    expect(session().calls).toEqual(['prompt one', 'interrupt', 'resume']);
    const shown = await text();
    expect(shown).toContain('Interrupted');
    expect(shown).toMatch(/^ two/m);
  });

  it('shows and runs a line of the shell without a prompt', async () => {
    const { keys, session, text } = await stage();
    await keys('!git status', key.enter);
    expect(session().calls).toEqual(['shell git status']);
    expect(await text()).toContain('! git status\n  printed');
  });

  it('holds the run between two turns and says so', async () => {
    const { keys, session, text } = await stage();
    await keys('go', key.enter, key.ctrl('p'));
    expect(session().calls).toContain('pause');
    expect(await text()).toContain('pauses after this turn');
    session().tell({ kind: 'journal', entry: lifecycle('paused') });
    expect(await text()).toContain('paused: the agent is held between two turns');
    await keys('/pause', key.enter);
    expect(session().calls).toContain('resume');
    expect(await text()).not.toContain('paused');
  });

  it('names a hook that runs long while it runs', async () => {
    const { session, clock, text } = await stage();
    session().tell({
      kind: 'hook-started',
      run: { runId: 'r', event: 'PreToolUse', label: 'guard.sh, settings.json:2', since: clock.now() },
    });
    expect(await text()).not.toContain('guard.sh');
    clock.advance(3_000);
    expect(await text()).toContain('PreToolUse hook guard.sh, settings.json:2 · 3');
    session().tell({ kind: 'hook-ended', runId: 'r' });
    expect(await text()).not.toContain('guard.sh');
  });

  it('names the call that such a hook holds, and leaves its row when the run is stopped', async () => {
    const { session, clock, keys, text } = await stage();
    await keys('go', key.enter);
    session().say({ kind: 'gate', agent: 'main', id: '1', tool: 'run_shell', input: { command: 'make' } });
    session().tell({
      kind: 'hook-started',
      run: { runId: 'r', event: 'PreToolUse', label: 'sleep', since: clock.now() },
    });
    clock.advance(2_900);
    const held = await text();
    expect(held).toContain('PreToolUse hook sleep · 2 s · holds run_shell make');
    expect(held).toContain('▹ run_shell make');
    await keys(key.escape);
    const stopped = await text();
    expect(stopped).toContain('⊘ run_shell make');
    expect(stopped).toContain('not run: interrupted before it ran');
  });
});

describe('what works beside the main agent', () => {
  const ann = { name: 'ann', type: 'general', parent: 'main', task: 'look', outcome: '' } as const;

  it('is said while the main one is idle: above the prompt, in the bar of tabs, by /status', async () => {
    const { session, keys, text } = await stage();
    session().agents.change({ ...ann, state: 'working' });
    const shown = await text();
    expect(shown).toContain('1 agent works · /agents');
    expect(shown.split('\n')[0]).toContain('shop ▸');
    await keys('/status', key.enter);
    expect(await text()).toContain('waiting for a prompt, 1 agent works (/agents)');
    session().agents.change({ ...ann, state: 'done', outcome: 'found it' });
    expect(await text()).not.toContain('agent works · /agents');
  });

  it('ends with the program, the tab or the conversation, and that is said', async () => {
    const { session, keys, terminal, text, rest } = await stage();
    session().agents.change({ ...ann, state: 'working' });
    terminal.press(key.ctrl('c'));
    await rest();
    expect(await text()).toContain('Ctrl+C again leaves and ends 1 agent (ann)');
    await keys('/clear', key.enter);
    expect(await text()).toContain('1 agent (ann) at work ended with the conversation before.');
    await keys(key.ctrl('t'));
    session(3).agents.change({ ...ann, state: 'working' });
    session(3).agents.change({ ...ann, name: 'bob', state: 'working' });
    terminal.press(key.alt('w'));
    expect(await text()).toContain('2 agents (ann, bob) ended with the tab');
  });

  it.each([
    ['/quit', ['/quit', key.enter]],
    ['/close', ['/close', key.enter]],
    ['Alt+W', [key.alt('w')]],
    ['Ctrl+D', [key.ctrl('d')]],
  ])('is named by %s in the last tab, which asks before it ends it', async (_what, leave) => {
    const { app, session, keys, text } = await stage();
    let left = false;
    void app.wantsToLeave.then(() => {
      left = true;
    });
    session().agents.change({ ...ann, state: 'working' });
    await keys(...leave);
    expect(await text()).toContain('1 agent (ann) at work would end. Leave?');
    await keys(key.enter);
    expect(left).toBe(false);
    expect(app.atWork).toEqual(['ann']);
    await keys(...leave, key.down, key.enter);
    expect(left).toBe(true);
  });

  it('of many names three', async () => {
    const { session, keys, text } = await stage();
    for (const name of ['ann', 'bob', 'cid', 'dan'])
      session().agents.change({ ...ann, name, state: 'working' });
    await keys('/quit', key.enter);
    expect(await text()).toContain('4 agents (ann, bob, cid …) at work would end');
  });

  it('may be a line of the shell, which Esc stops', async () => {
    const { session, clock, text } = await stage();
    session().tell({ kind: 'shell', line: 'sleep 100' });
    clock.advance(3_000);
    const shown = await text();
    expect(shown).toMatch(/!sleep 100 3 s .*Esc stops/);
    expect(shown.split('\n')[0]).toContain('shop ▸');
  });
});

describe('prompts of agents', () => {
  it('shows exactly what would run, with hidden characters spelled out', async () => {
    const { session, text, keys } = await stage();
    const answer = session().approve('echo \u001b[2K\u202egnp.sh', 'run_shell(echo *)');
    const shown = await text();
    expect(shown).toContain('main asks: may run_shell run?');
    expect(shown).toContain('$ echo ␛[2K⟨U+202E⟩gnp.sh');
    expect(shown).toContain('Always for run_shell(echo *), in this session');
    await keys('a');
    await expect(answer).resolves.toEqual({
      kind: 'remember',
      pattern: 'run_shell(echo *)',
      keep: 'session',
    });
  });

  it('denies with a reason', async () => {
    const { session, keys, text } = await stage();
    const answer = session().approve('rm -rf build');
    await keys('n', 'keep it', key.enter);
    await expect(answer).resolves.toEqual({ kind: 'deny', reason: 'keep it' });
    expect(await text()).not.toContain('may run_shell run?');
  });

  it('lets the user change the call', async () => {
    const { session, keys } = await stage();
    const answer = session().approve('rm -rf build');
    await keys('e', key.ctrl('u'), 'ls build', key.enter);
    await expect(answer).resolves.toEqual({ kind: 'edit', input: { command: 'ls build' } });
  });

  it('of two agents that are blocked ends the one whose prompt is before the user, with Esc', async () => {
    const { session, keys, text } = await stage();
    const { agents, calls } = session();
    for (const name of ['one', 'two']) {
      agents.change({ name, type: name, parent: 'main', state: 'working', task: 'look', outcome: '' });
      session()
        .approve(`touch ${name}`, undefined, name)
        .catch(() => {});
    }
    expect(await text()).toContain('one asks: may run_shell run? (1 more behind this)');
    expect(await text()).toContain('Esc ends one');
    await keys(key.escape);
    expect(calls).toEqual(['cancel one']);
  });

  it('takes a prompt away when its run is stopped', async () => {
    const { session, keys, text } = await stage();
    await keys('go', key.enter);
    const answer = session().approve('rm -rf build');
    answer.catch(() => {});
    await keys(key.escape);
    await expect(answer).rejects.toThrow('interrupted');
    expect(await text()).not.toContain('may run_shell run?');
  });

  it('does not take the keyboard from somebody who is typing', async () => {
    const { session, terminal, rest, text, clock, keys } = await stage();
    terminal.press('wri');
    const answer = session().approve('rm -rf build');
    terminal.press('t', 'y', key.enter);
    await rest();
    expect(await text()).toContain(' writy');
    clock.advance(1_000);
    await keys('n', key.enter);
    await expect(answer).resolves.toEqual({ kind: 'deny' });
    expect(await text()).toContain(' writy');
  });

  it('shows several agents one after the other, the oldest first', async () => {
    const { session, text, keys } = await stage();
    const first = session().approve('first');
    const second = session().approve('second');
    const shown = await text();
    expect(shown).toContain('$ first');
    expect(shown).toContain('(1 more behind this)');
    await keys('y');
    await expect(first).resolves.toEqual({ kind: 'once' });
    expect(await text()).toContain('$ second');
    await keys('y');
    await expect(second).resolves.toEqual({ kind: 'once' });
  });

  it('asks several questions, shows the answers and sends them', async () => {
    const { session, text, keys } = await stage();
    const answers = session().ask([
      {
        header: 'Storage',
        question: 'Where to?',
        options: [{ label: 'SQLite', description: 'a file' }, { label: 'Postgres' }],
      },
      {
        header: 'Errors',
        question: 'Which ones?',
        options: [{ label: 'Log' }, { label: 'Throw' }],
        multiple: true,
      },
    ]);
    expect(await text()).toContain('› 1  SQLite   a file');
    await keys('2', ' ', key.down, ' ', key.down, 'retry', key.enter);
    const shown = await text();
    expect(shown).toContain('1  Storage: Postgres');
    expect(shown).toContain('2  Errors: Log, Throw, retry');
    await keys(key.enter);
    await expect(answers).resolves.toEqual(['Postgres', 'Log, Throw, retry']);
  });

  it('keeps the choices in sight where the call is longer than the screen, and scrolls the call', async () => {
    const { session, text, keys } = await stage({ columns: 60, rows: 15 });
    const lines = Array.from({ length: 40 }, (_, index) => `line-${index}`).join('\n');
    const answer = session().approve(lines);
    const before = await text();
    expect(before).toContain('$ line-0');
    expect(before).toContain('y  Allow once');
    expect(before).toContain('lines not shown');
    await keys(...Array.from({ length: 10 }, () => key.pageDown));
    const after = await text();
    expect(after).toContain('line-39');
    expect(after).toContain('y  Allow once');
    await keys('y');
    await answer;
  });
});

describe('questions of the program', () => {
  it('are read before they are answered, and no agent counts as waiting for them', async () => {
    const { session, keys, text } = await stage();
    const chosen = session().decide(
      {
        title: 'This repository wants to run hooks',
        text: 'PreToolUse hook\n    | rm \u001b[2K -rf',
        choices: [
          { id: 'without', key: 'n', label: 'Go on without them' },
          { id: 'agree', key: 'y', label: 'Agree' },
        ],
      },
      new AbortController().signal,
    );
    const shown = await text();
    expect(shown).toContain('| rm ␛[2K -rf');
    expect(shown).toContain('› n  Go on without them');
    await keys('y');
    await expect(chosen).resolves.toBe('agree');
  });

  it('fill in the form of a server; a field is checked as it is left', async () => {
    const { session, keys, text } = await stage();
    const field = { description: '', required: true };
    const request: Parameters<ReturnType<typeof session>['forms']['fill']>[0] = {
      server: 'billing',
      agent: { name: 'main', type: 'main' },
      message: 'Who pays?',
      form: {
        fields: [
          {
            ...field,
            name: 'amount',
            title: 'Amount',
            kind: { kind: 'number', whole: true, minimum: 1, maximum: 9 },
          },
          { ...field, name: 'paid', title: 'Paid', kind: { kind: 'yes-no' } },
        ],
      },
    };
    // oxlint-disable-next-line unicorn/no-array-fill-with-reference-type -- A form is filled in here, no array.
    const filled = session().forms.fill(request, new AbortController().signal);
    expect(await text()).toContain('The MCP server billing asks for information');
    await keys('y');
    expect(await text()).toContain('a whole number, 1 to 9 · required');
    await keys('1', '2', key.enter);
    expect(await text()).toContain('✗ The answer must be at most 9.');
    expect(await text()).toContain('✗ Amount');
    await keys(key.ctrl('u'), '7');
    expect(await text()).not.toContain('✗');
    await keys(key.enter);
    const asked = await text();
    expect(asked).toContain('yes or no · required');
    expect(asked).not.toContain('your own answer');
    await keys('1', key.enter);
    await expect(filled).resolves.toEqual({ action: 'accept', values: { amount: 7, paid: true } });
  });

  it('name the agent on whose call a server asks, say how many wait, and end it with Esc', async () => {
    const { session, keys, text } = await stage();
    const { agents, calls, forms } = session();
    for (const name of ['one', 'two']) {
      agents.change({ name, type: 'general', parent: 'main', state: 'working', task: 'look', outcome: '' });
      const kind = { kind: 'yes-no' } as const;
      const fields = [{ name: 'a', title: 'A', description: '', required: true, kind }];
      const request = { server: 'billing', agent: { name, type: 'general' }, message: 'Who pays?' };
      // oxlint-disable-next-line unicorn/no-array-fill-with-reference-type -- A form is filled in here, no array.
      void forms.fill({ ...request, form: { fields } }, new AbortController().signal);
    }
    const shown = await text();
    expect(shown).toContain('For one: the MCP server billing asks for information (1 more behind this)');
    expect(shown).toContain('Esc ends one');
    await keys(key.escape);
    expect(calls).toEqual(['cancel one']);
    await keys('y');
    expect(await text()).toContain(
      'For two: the MCP server billing asks for information (1 more behind this)',
    );
    await keys('n');
    expect(await text()).toContain('billing (MCP server) asks for one: A');
    await keys(key.escape);
    expect(calls).toEqual(['cancel one', 'cancel one']);
  });

  it('say for which agents a server may ask, and are put off with Esc, which ends none of them', async () => {
    const { session, keys, text } = await stage();
    const { calls, forms } = session();
    const kind = { kind: 'yes-no' } as const;
    const fields = [{ name: 'a', title: 'A', description: '', required: true, kind }];
    const agent = { name: 'one', type: 'general' };
    const request = { server: 'billing', agent, oneOf: ['one', 'two'], message: 'Who pays?' };
    const fill = (): Promise<unknown> => {
      const form = { fields };
      // oxlint-disable-next-line unicorn/no-array-fill-with-reference-type -- A form is filled in here, no array.
      const filled = forms.fill({ ...request, form }, new AbortController().signal);
      return filled.catch((error: Error) => error.message);
    };
    const first = fill();
    const shown = await text();
    expect(shown).toContain('For one of one, two: the MCP server billing asks for information');
    expect(shown).toContain('Esc puts it off');
    await keys(key.escape);
    expect(await first).toBe('put off');
    const second = fill();
    await keys('y');
    expect(await text()).toContain('billing (MCP server) asks for one of one, two: A');
    await keys(key.escape);
    expect(await second).toBe('put off');
    expect(await text()).not.toContain('billing');
    expect(calls).toEqual([]);
  });

  it('say of many fields which one it is', async () => {
    const { session, keys, text } = await stage();
    const fields = Array.from({ length: 12 }, (_, index) => ({
      name: `field${index}`,
      title: `A field with a long name ${index}`,
      description: '',
      required: false,
      kind: { kind: 'yes-no' as const },
    }));
    const main = { name: 'main', type: 'main' };
    const request = { server: 'billing', agent: main, message: 'Who pays?', form: { fields } };
    // oxlint-disable-next-line unicorn/no-array-fill-with-reference-type -- A form is filled in here, no array.
    void session().forms.fill(request, new AbortController().signal);
    await keys('y', '1', key.tab);
    expect(await text()).toContain('3 of 12  ●○○○○○○○○○○○  A field with a long name 2');
  });

  it('open an address only after a yes', async () => {
    const { session, keys, text, addresses } = await stage();
    const main = { name: 'main', type: 'main' };
    const url = 'https://example.com/?a=b';
    const request = { server: 'billing', agent: main, message: 'Sign in', url };
    const never = new AbortController().signal;
    const declined = session().forms.visit(request, never);
    expect(await text()).toContain('https://example.com/?a=b');
    await keys('n');
    await expect(declined).resolves.toBe('decline');
    expect(addresses).toEqual([]);
    const accepted = session().forms.visit(request, never);
    await keys('y');
    await expect(accepted).resolves.toBe('accept');
    expect(addresses).toEqual(['https://example.com/?a=b']);
  });
});

describe('tabs', () => {
  it('says which session is looked at, each time it is another one', async () => {
    const { keys, inView } = await stage();
    await keys(key.ctrl('t'), 'hello', key.enter, key.alt('1'), key.alt('2'), key.alt('w'));
    expect(inView).toEqual(['session-1', 'session-2', 'session-1', 'session-2', 'session-1']);
  });

  it('each is a session of its own, opened by key and left by key [codey.session.tab-is-session]', async () => {
    const { keys, host, text } = await stage();
    await keys(key.ctrl('t'));
    expect(host.sessionsOpened.map(({ what }) => what)).toEqual([{ kind: 'new' }, { kind: 'new' }]);
    await keys('/rename billing', key.enter);
    expect(await text()).toContain('2 billing');
    await keys('hello', key.enter);
    expect(host.sessionsOpened.map(({ calls }) => calls)).toEqual([[], ['prompt hello']]);
    await keys(key.alt('w'));
    expect(host.sessionsOpened[1]?.calls.at(-1)).toBe('close closed');
    expect(await text()).not.toContain('billing');
  });

  it('an agent that waits in a background tab is seen from every other one', async () => {
    const { keys, session, text } = await stage();
    await keys(key.ctrl('t'), key.ctrl('t'));
    const second = session(2).approve('rm -rf build');
    const first = session(1).ask([
      { header: 'Storage', question: 'Where to?', options: [{ label: 'SQLite' }, { label: 'Postgres' }] },
    ]);
    const shown = await text();
    expect(shown).toContain('tab 2 (shop) waits for you: bash: rm -rf build');
    expect(shown).toContain('Alt+2 · 1 more');
    expect(shown.split('\n')[0]).toMatch(/1 shop ●! .*2 shop ●! .*3 shop/);
    await keys(key.alt('2'), 'y');
    await expect(second).resolves.toEqual({ kind: 'once' });
    expect(await text()).toContain('tab 1 (shop) waits for you: asked about Storage');
    await keys(key.alt('1'), '1');
    await expect(first).resolves.toEqual(['SQLite']);
    expect(await text()).not.toContain('waits for you');
  });

  it('marks what was added to a tab nobody looks at', async () => {
    const { keys, session, text } = await stage();
    await keys(key.ctrl('t'));
    session(1).say({ kind: 'notice', text: 'something' });
    expect((await text()).split('\n')[0]).toContain('1 shop •');
    await keys(key.alt('1'), key.alt('2'));
    expect((await text()).split('\n')[0]).not.toContain('•');
  });

  it('keeps its draft while another tab is looked at', async () => {
    const { keys, text } = await stage();
    await keys('half a sen', key.ctrl('t'));
    expect(await text()).not.toContain('half a sen');
    await keys(key.alt('1'));
    expect(await text()).toContain('half a sen');
  });

  it('says in the tab why a further session did not open', async () => {
    const { keys, host, text } = await stage();
    host.refuseNext(new Error('no model: name one'));
    await keys(key.ctrl('t'));
    expect(await text()).toContain('✗ no model: name one');
  });

  it('begins an empty conversation in place of a cleared one', async () => {
    const { keys, host, text } = await stage();
    await keys('hello', key.enter);
    await keys('/clear', key.enter);
    expect(host.sessionsOpened[0]?.calls.at(-1)).toBe('close clear');
    expect(host.sessionsOpened[1]?.what).toEqual({ kind: 'new', cleared: true });
    expect(await text()).not.toContain('hello');
  });

  it('puts an earlier session in place of its own and shows what was said', async () => {
    const { keys, host, text } = await stage();
    await keys('/resume', key.enter);
    expect(await text()).toContain('fix the bill');
    await keys(key.enter);
    expect(host.sessionsOpened[1]?.what).toEqual({ kind: 'session', id: 'earlier', fork: false });
    expect(host.sessionsOpened[0]?.calls).toEqual(['close resume']);
    expect(await text()).toContain('▌ an earlier prompt');
  });

  it('keeps the session it has where the earlier one cannot be opened', async () => {
    const { keys, host, text } = await stage();
    host.refuseNext(new Error('it is open elsewhere'));
    await keys('/resume earlier', key.enter);
    expect(await text()).toContain('✗ it is open elsewhere');
    expect(host.sessionsOpened[0]?.calls).toEqual([]);
  });
});

describe('leaving', () => {
  it('takes Ctrl+C twice', async () => {
    const { app, terminal, rest } = await stage();
    let wants = false;
    void app.wantsToLeave.then(() => {
      wants = true;
    });
    terminal.press('text', key.ctrl('c'));
    await rest();
    terminal.press('x', key.ctrl('c'));
    await rest();
    expect(wants).toBe(false);
    terminal.press(key.ctrl('c'));
    await rest();
    expect(wants).toBe(true);
  });

  it('is offered no longer than a second Ctrl+C would do it', async () => {
    const { clock, terminal, text, rest } = await stage();
    const offer = 'Ctrl+C again leaves';
    terminal.press(key.ctrl('c'));
    await rest();
    expect(await text()).toContain(offer);
    terminal.press('x');
    await rest();
    expect(await text()).not.toContain(offer);
    terminal.press(key.ctrl('c'));
    await rest();
    expect(await text()).toContain(offer);
    clock.advance(2_000);
    expect(await text()).not.toContain(offer);
  });

  it('closes every session with its reason', async () => {
    const { app, host, keys } = await stage();
    await keys(key.ctrl('t'));
    await app.closeAll(() => ({ reason: 'signal', hurry: AbortSignal.timeout(1_000) }));
    expect(host.sessionsOpened.map(({ calls }) => calls)).toEqual([['close signal'], ['close signal']]);
  });

  it('goes back to the shell on Ctrl+Z', async () => {
    const { keys, suspended } = await stage();
    await keys(key.ctrl('z'));
    expect(suspended()).toBe(1);
  });
});

describe('the hooks panel', () => {
  const hook = {
    id: 'Stop:0a1b2c3d',
    event: 'Stop',
    type: 'command',
    runs: './check.sh',
    scope: 'project',
    file: '/work/shop/.codey/settings.json',
    line: 4,
    state: 'active',
    switchable: true,
  } as const;

  it('lists every hook while a run goes on, with why it is off [koder.slash-hooks.shows-active] [koder.slash-hooks.any-time] [koder.trouble.disabled-is-shown]', async () => {
    const { host, keys, text } = await stage({ columns: 100 });
    host.hooks.push(hook, {
      ...hook,
      id: 'Stop:2',
      runs: './other.sh',
      state: 'disabled',
      why: 'disableAllHooks is set',
      switchable: false,
    });
    await keys('work', key.enter, '/hooks', key.enter);
    const shown = await text();
    expect(shown).toContain('Hooks: 1 of 2 active');
    expect(shown).toContain('./check.sh');
    expect(shown).toContain('not run yet');
    await keys(key.down);
    expect(await text()).toContain('disabled: disableAllHooks is set');
    await keys(' ');
    expect(await text()).toContain('It cannot be switched here: disableAllHooks is set.');
  });

  it('switches one off and on and tries it', async () => {
    const { host, keys, text } = await stage({ columns: 100 });
    host.hooks.push(hook);
    await keys('/hooks', key.enter, ' ');
    expect(host.hooks[0]?.state).toBe('disabled');
    expect(await text()).toContain('Switched off for you');
    await keys(' ', 't');
    expect(host.hooks[0]?.state).toBe('active');
    expect(await text()).toContain('passed · 3 ms');
    await keys('o');
    expect(host.hooks).toHaveLength(1);
    await keys(key.escape);
    expect(await text()).not.toContain('Hooks: 1');
  });

  it('shows what came of a try on a small screen too, and scrolls what is longer than that', async () => {
    const { host, keys, text } = await stage({ columns: 60, rows: 15 });
    host.hooks.push(hook, { ...hook, id: 'Stop:2' }, { ...hook, id: 'Stop:3' }, { ...hook, id: 'Stop:4' });
    await keys('/hooks', key.enter, 't');
    expect(await text()).toContain('passed · 3 ms');
    host.tried.splice(0, 1, ...Array.from({ length: 30 }, (_, index) => `stdout: line ${index}`));
    await keys('t');
    const shown = await text();
    expect(shown).toContain('stdout: line 0');
    expect(shown).toContain('›● Stop');
    expect(shown).toContain('lines not shown');
    await keys(...Array.from({ length: 10 }, () => key.pageDown));
    expect(await text()).toContain('stdout: line 29');
  });

  it('shows the last run of a hook as it happens', async () => {
    const { host, keys, text, session } = await stage({ columns: 100 });
    host.hooks.push(hook);
    await keys('/hooks', key.enter);
    session().tell({
      kind: 'journal',
      entry: {
        kind: 'dispatch',
        dispatch: 'd',
        event: 'Stop',
        agent: 'main',
        turn: '1',
        verdict: 'none',
        ms: 12,
        hooks: [{ id: hook.id, scope: 'project', source: 'settings.json:4', outcome: 'passed', ms: 12 }],
      },
    });
    expect(await text()).toContain('passed in 12 ms');
  });
});

describe('what is drawn', () => {
  const sizes = [
    [60, 15],
    [80, 24],
    [120, 40],
    [250, 80],
  ] as const;

  it.each(sizes)('fits %i×%i with long words, wide characters and an open prompt', async (columns, rows) => {
    const { session, terminal, keys, text } = await stage({ columns, rows });
    await keys('漢字と👩‍👩‍👧の長い文'.repeat(20), key.enter);
    session().say({
      kind: 'text',
      agent: 'main',
      text: `# 見出し\n\n${'unbroken'.repeat(60)}\n\n| a | b |\n|---|---|\n| 漢字 | ${'x'.repeat(200)} |\n`,
    });
    session().say({
      kind: 'call',
      agent: 'main',
      id: '1',
      tool: 'run_shell',
      input: { command: `echo ${'🚀'.repeat(200)}` },
    });
    const answer = session().approve(`echo ${'漢'.repeat(300)}`);
    const shown = (await text()).split('\n');
    expect(shown).toHaveLength(rows);
    expect(shown.join('\n')).toContain('y  Allow once');
    expect(shown.at(-1)).toContain('/help');
    expect(terminal.columns).toBe(columns);
    await keys('y');
    await answer;
  });

  it('keeps a prompt answerable while the size changes', async () => {
    const { session, terminal, keys, text } = await stage({ columns: 120, rows: 40 });
    const answer = session().approve('rm -rf build');
    for (const [columns, rows] of sizes) {
      terminal.resize(columns, rows);
      expect(await text()).toContain('$ rm -rf build');
    }
    await keys('y');
    await expect(answer).resolves.toEqual({ kind: 'once' });
  });

  it('lets no control sequence of a model, tool or hook reach the terminal', async () => {
    const { session, terminal, text, keys } = await stage();
    const evil = 'before\u001b]52;c;ZXZpbA==\u0007\u001b[2J\u009b31mafter\u202e';
    await keys('go', key.enter);
    session().say({ kind: 'text', agent: 'main', text: evil });
    session().say({ kind: 'reasoning', agent: 'main', text: evil });
    session().say({ kind: 'call', agent: evil, id: '1', tool: evil, input: { command: evil } });
    session().say({ kind: 'progress', agent: 'main', id: '1', text: evil });
    await text();
    session().say({ kind: 'result', agent: 'main', id: '1', tool: evil, output: evil, failed: true, ms: 1 });
    session().say({ kind: 'denied', agent: 'main', id: '2', tool: evil, input: {}, reason: evil });
    session().tell({ kind: 'hook-notice', notice: { kind: 'message', hook: evil, text: evil } });
    session().tell({ kind: 'replied', title: evil, text: evil });
    const asked = session().ask([
      { header: evil, question: evil, options: [{ label: evil, description: evil }, { label: 'b' }] },
    ]);
    asked.catch(() => {});
    await text();
    for (const unwanted of ['\u001b]52', '\u009b', '\u202e'])
      expect(terminal.written).not.toContain(unwanted);
    // Only the renderer clears the screen, at the beginning and where a test asked for all of it.
    expect(terminal.written).not.toContain('before\u001b[2J');
  });

  it('uses no colour where NO_COLOR says so', async () => {
    const { session, terminal, keys, text } = await stage({ colour: false });
    await keys('go', key.enter);
    session().say({ kind: 'text', agent: 'main', text: '# Title\n\n`code` and *more*' });
    session()
      .approve('ls')
      .catch(() => {});
    await text();
    expect(coloursIn(terminal.written)).toEqual([]);
  });

  it('copies the last answer into the clipboard of the terminal', async () => {
    const { session, terminal, keys, text } = await stage();
    session().say({ kind: 'text', agent: 'main', text: 'the answer' });
    await keys('/copy', key.enter);
    await text();
    expect(terminal.written).toContain(`\u001b]52;c;${Buffer.from('the answer').toString('base64')}\u0007`);
  });

  it('begins what is left of a wrapped line under its text, in code and in what settings changed', async () => {
    const { session, text, keys } = await stage({ columns: 60 });
    await keys('go', key.enter);
    const line = `    return ${'somewhat(long) + '.repeat(6)}0;`;
    session().say({ kind: 'text', agent: 'main', text: `\`\`\`ts\nfunction f() {\n${line}\n}\n\`\`\`` });
    expect(await text()).toMatch(/^ {8}return somewhat.*\n {8}\S/m);
    void session().decide(
      {
        title: 'Settings were edited',
        text: `settings.json\n  + hook ${'with many words '.repeat(8)}`,
        choices: [{ id: 'keep', key: 'n', label: 'Go on' }],
      },
      new AbortController().signal,
    );
    expect(await text()).toMatch(/^ {3}\+ hook with.*\n {5}\S/m);
  });

  it('keeps the text of an option where it is when it is chosen', async () => {
    const { session, text } = await stage();
    const options = [
      { label: 'SQLite', description: 'a file' },
      { label: 'SQLite', description: 'a file' },
    ];
    session()
      .ask([{ header: 'Storage', question: 'Where to?', options }])
      .catch(() => {});
    const rows = (await text()).split('\n').filter((row) => row.includes('SQLite'));
    expect(new Set(rows.map((row) => row.indexOf('a file'))).size).toBe(1);
  });

  it('folds long output and unfolds all of it by key', async () => {
    const { session, keys, text } = await stage({ rows: 60 });
    session().say({ kind: 'call', agent: 'main', id: '1', tool: 'run_shell', input: { command: 'seq 30' } });
    const output = Array.from({ length: 30 }, (_, index) => `out-${index}`).join('\n');
    session().say({
      kind: 'result',
      agent: 'main',
      id: '1',
      tool: 'run_shell',
      output,
      failed: false,
      ms: 1,
    });
    expect(await text()).toContain('24 more lines');
    await keys(key.ctrl('o'));
    const shown = await text();
    expect(shown).toContain('out-0');
    expect(shown).toContain('out-29');
  });

  it('folds a large paste in the composer and sends all of it', async () => {
    const { session, keys, text } = await stage();
    const pasted = Array.from({ length: 30 }, (_, index) => `row ${index}`).join('\n');
    await keys(key.paste(pasted));
    expect(await text()).toContain('[paste #1 +30 lines]');
    await keys(key.enter);
    expect(session().calls).toEqual([`prompt ${pasted}`]);
  });

  it('completes commands and offers what was typed before', async () => {
    const { session, keys, text } = await stage();
    await keys('/');
    expect(await text()).toMatch(/→ \/help.*\n +\/hooks.*\n +\/status/);
    await keys(key.ctrl('c'), '/mod');
    expect(await text()).toContain('/model [provider/name]');
    await keys(key.ctrl('c'), 'first thing', key.enter);
    session().endRun();
    await keys(key.ctrl('r'), 'first', key.enter);
    expect(await text()).toMatch(/^ first thing/m);
  });
});

function lifecycle(event: 'paused' | 'resumed') {
  return {
    kind: 'lifecycle',
    event,
    agent: 'main',
    turn: '1',
    tool: '',
    reason: 'user',
    message: '',
    error: '',
  } as const;
}
