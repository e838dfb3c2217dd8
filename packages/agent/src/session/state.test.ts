import { expect, it } from 'vitest';
import type { Message } from '../model/model.ts';
import { interruptedResult } from './conversation.ts';
import type { LoggedEntry, SessionEntry } from './entry.ts';
import { createSessionFold, foldSession } from './state.ts';

const model = { kind: 'model', model: 'script:x' } as const;
const user = { kind: 'user' } as const;
const hook = { kind: 'hook', event: 'PostToolUse', id: 'PostToolUse:1' } as const;

const session: SessionEntry = { kind: 'session', format: 1, id: 's', projectRoot: '/p', cwd: '/p' };
const opened: SessionEntry = { kind: 'opened', source: 'resume', model: 'script:x', cwd: '/p/sub' };
const prompt = (text: string, agent = 'main'): SessionEntry => ({ kind: 'prompt', agent, text, from: user });
const context = (text: string): SessionEntry => ({
  kind: 'context',
  agent: 'main',
  text,
  from: hook,
  source: 'guard',
});
const runs = (state: 'start' | 'end', agent = 'main'): SessionEntry => ({ kind: 'run', agent, state });
const result = (callId: string, output = callId): SessionEntry => ({
  kind: 'result',
  agent: 'main',
  callId,
  tool: 'run_shell',
  output,
  failed: false,
  from: { kind: 'tool', tool: 'run_shell' },
});
const answer = (text: string, ...calls: string[]): SessionEntry => ({
  kind: 'answer',
  agent: 'main',
  text,
  calls: calls.map((id) => ({ id, tool: 'run_shell', input: {} })),
  usage: { input: 10, output: 1 },
  from: model,
});

function logged(entries: readonly SessionEntry[]): readonly LoggedEntry[] {
  return entries.map((entry, i) => ({ n: i + 1, time: '2026-01-01T00:00:00.000Z', ...entry }));
}

/** Messages as one word each: u:text, a:text, c:text, t:call, and x:call for a result that says interrupted. */
function conversation(entries: readonly SessionEntry[], agent = 'main'): string {
  return spell(foldSession(logged(entries)).messages.get(agent) ?? []);
}

function spell(messages: readonly Message[]): string {
  return messages
    .map((message) => {
      switch (message.role) {
        case 'user':
          return `u:${message.text}`;
        case 'assistant':
          return `a:${message.text}`;
        case 'context':
          return `c:${message.text}`;
        case 'tool':
          return message.output === interruptedResult && message.failed
            ? `x:${message.callId}`
            : `t:${message.callId}`;
      }
    })
    .join(' ');
}

const cases: [name: string, entries: SessionEntry[], messages: string][] = [
  [
    'in the order of its entries',
    [prompt('1'), answer('2', 'a', 'b'), result('b'), result('a'), answer('3')],
    'u:1 a:2 t:b t:a a:3',
  ],
  ['with a word for each call the log ends in', [answer('1', 'a', 'b'), result('a')], 'a:1 t:a x:b'],
  ['with a word for each call a later prompt cut off', [answer('1', 'a'), prompt('2')], 'a:1 x:a u:2'],
  [
    'with a word for each call a crash cut off',
    [answer('1', 'a'), opened, context('2'), prompt('3')],
    'a:1 x:a c:2 u:3',
  ],
  [
    'the same when the context came before the session was opened again',
    [answer('1', 'a'), context('2'), opened, prompt('3')],
    'a:1 x:a c:2 u:3',
  ],
  [
    'with a word for each call the end of the run cut off',
    [answer('1', 'a'), runs('end'), context('2')],
    'a:1 x:a c:2',
  ],
  [
    'with context behind the results it came between',
    [answer('1', 'a', 'b'), context('2'), result('a'), context('3'), result('b'), answer('4')],
    'a:1 t:a t:b c:2 c:3 a:4',
  ],
  [
    'without results nobody waits for',
    [result('z'), answer('1', 'a'), result('a'), result('a', 'again')],
    'a:1 t:a',
  ],
  [
    'without what a compaction put away',
    [
      prompt('1'),
      answer('2'),
      prompt('3'),
      { kind: 'compacted', agent: 'main', summary: 'S', keptFrom: 3, from: model },
    ],
    'c:S u:3',
  ],
  [
    'never with a result whose answer a compaction put away',
    [
      answer('1', 'a'),
      result('a'),
      prompt('3'),
      { kind: 'compacted', agent: 'main', summary: 'S', keptFrom: 2, from: model },
    ],
    'c:S u:3',
  ],
  [
    'with one summary after two compactions',
    [
      prompt('1'),
      prompt('2'),
      { kind: 'compacted', agent: 'main', summary: 'S', keptFrom: 2, from: model },
      prompt('4'),
      { kind: 'compacted', agent: 'main', summary: 'T', keptFrom: 4, from: model },
    ],
    'c:T u:4',
  ],
];

it.each(cases)('gives the conversation %s', (_, entries, messages) => {
  expect(conversation(entries)).toBe(messages);
});

it('keeps the conversations of agents apart', () => {
  const entries = [
    prompt('1'),
    prompt('2', 'reviewer'),
    answer('3', 'a'),
    prompt('4', 'reviewer'),
    result('a'),
  ];
  expect(conversation(entries)).toBe('u:1 a:3 t:a');
  expect(conversation(entries, 'reviewer')).toBe('u:2 u:4');
});

it('passes provider data on with the answer it belongs to', () => {
  const carry = { signature: 'x' };
  const entry: SessionEntry = {
    kind: 'answer',
    agent: 'main',
    text: 't',
    calls: [],
    usage: { input: 0, output: 0 },
    carry,
    from: model,
  };
  expect(foldSession(logged([entry])).messages.get('main')).toEqual([
    { role: 'assistant', text: 't', calls: [], carry },
  ]);
});

it('knows what the session is and has [contract.once.spent-by-start]', () => {
  const state = foldSession(
    logged([
      session,
      { ...opened, source: 'startup' },
      { kind: 'once', identity: 'abc' },
      { kind: 'env', values: { A: '1', B: '2', __proto__x: 'y' }, from: hook },
      { kind: 'env', values: { A: null, B: '3' }, from: hook },
      { kind: 'prompt', agent: 'main', text: 'from the host', from: { kind: 'host' } },
      runs('start'),
      prompt('first'),
      answer('x'),
      runs('end'),
      runs('start'),
      runs('start', 'reviewer'),
      answer('y'),
      { kind: 'cwd', cwd: '/p/other' },
      { kind: 'team', team: 'shop', state: 'opened', lead: 'main' },
      { kind: 'team', team: 'garden', state: 'opened', lead: 'main-2' },
      { kind: 'team', team: 'field', state: 'opened', lead: 'main' },
      { kind: 'team', team: 'shop', state: 'opened', lead: 'main' },
      { kind: 'team', team: 'field', state: 'closed' },
      { kind: 'name', name: 'a name' },
      { kind: 'closed', reason: 'exit' },
    ]),
  );
  const { messages: _, sizes, ...rest } = state;
  expect(sizes.get('main')).toEqual({ origins: [6, 8, 9, 13], counted: { messages: 4, tokens: 11 } });
  expect([...rest.teams]).toEqual([
    ['garden', 'main-2'],
    ['shop', 'main'],
  ]);
  expect(rest).toEqual({
    id: 's',
    lastInput: 10,
    projectRoot: '/p',
    cwd: '/p/other',
    name: 'a name',
    model: 'script:x',
    firstPrompt: 'first',
    agents: new Set(),
    teams: new Map([
      ['garden', 'main-2'],
      ['shop', 'main'],
    ]),
    once: new Set(['abc']),
    env: new Map([
      ['B', '3'],
      ['__proto__x', 'y'],
    ]),
    runs: 2,
    openRuns: new Set(['main', 'reviewer']),
    usage: { input: 20, output: 2 },
    closed: 'exit',
  });
  expect(foldSession(logged([session, { kind: 'closed', reason: 'exit' }, opened])).closed).toBeUndefined();
});

it('waits for no result of a call that was compacted away', () => {
  const entries = logged([
    session,
    prompt('1'),
    answer('2', 'a'),
    { kind: 'compacted', agent: 'main', summary: 'S', keptFrom: 4, from: model },
    result('a'),
    prompt('3'),
  ]);
  expect(spell(foldSession(entries).messages.get('main') ?? [])).toBe(
    spell([
      { role: 'context', text: 'S', source: 'compaction' },
      { role: 'user', text: '3' },
    ]),
  );
});

it('is the same live and after a resume, at every entry', () => {
  const entries = logged([
    session,
    prompt('1'),
    answer('2', 'a', 'b'),
    result('a'),
    context('3'),
    result('b'),
    answer('4', 'c'),
    result('c'),
    answer('5'),
  ]);
  const fold = createSessionFold();
  for (const [at, entry] of entries.entries()) {
    fold.add(entry);
    const live = fold.state().messages.get('main') ?? [];
    const folded = foldSession(entries.slice(0, at + 1)).messages.get('main') ?? [];
    // A resumed session says of the calls under way that they were interrupted; a live one waits for them.
    const settled = folded.filter(
      (message) => !(message.role === 'tool' && message.output === interruptedResult),
    );
    expect(spell(settled).startsWith(spell(live))).toBe(true);
  }
  expect(fold.state().messages).toEqual(foldSession(entries).messages);
});

it('lets go of the conversation of an agent that is gone, and never of its name', () => {
  const about = (state: 'started' | 'gone'): SessionEntry => ({
    kind: 'agent',
    agent: 'reviewer',
    type: 'reviewer',
    state,
  });
  const during = logged([session, prompt('1'), about('started'), prompt('look', 'reviewer')]);
  expect([...foldSession(during).messages.keys()]).toEqual(['main', 'reviewer']);
  const after = foldSession([...during, ...logged([about('gone')])]);
  expect([...after.messages.keys()]).toEqual(['main']);
  expect([...after.agents]).toEqual(['reviewer']);
});
