// Every way to get one hook wrong, each with the sentence that tells.
import { describe, expect, it } from 'vitest';
import { type HandlerType, handlerTypes } from './hook-fields.ts';
import { parseSettings } from './parse.ts';
import { formatProblem } from './problem.ts';

type Row = readonly [name: string, hook: string, problems: readonly string[]];

/** Places the hook on a line of its own. */
function parseHook(hook: string) {
  const text = `{"hooks": {"PreToolUse": [{"hooks": [\n${hook}\n]}]}}`;
  return parseSettings({ text, scope: 'user', file: '/s.json' });
}

const rows: readonly Row[] = [
  [
    'a command that is a number',
    '{"type": "command", "command": 5}',
    ['/s.json:2:32  "command" must be a non-empty string, not a number  (put it in double quotes)'],
  ],
  ['an empty command', '{"type": "command", "command": "  "}', ['/s.json:2:32  "command" is empty']],
  ['no command', '{"type": "command"}', ['/s.json:2:1  a command hook needs "command"']],
  [
    'a misspelled command field',
    '{"type": "command", "comand": "x"}',
    [
      '/s.json:2:1  a command hook needs "command"',
      '/s.json:2:21  unknown field "comand" in a hook  (did you mean "command"?)',
    ],
  ],
  [
    'no type beside a command',
    '{"command": "x"}',
    ['/s.json:2:1  this hook has no "type"  (add "type": "command")'],
  ],
  [
    'no type beside a url',
    '{"url": "https://a.example/"}',
    ['/s.json:2:1  this hook has no "type"  (add "type": "http")'],
  ],
  [
    'no type beside a prompt',
    '{"prompt": "ok?"}',
    ['/s.json:2:1  this hook has no "type"  (add "type": "prompt")'],
  ],
  [
    'nothing at all',
    '{}',
    ['/s.json:2:1  this hook has no "type"  (it is one of command, http, prompt, agent or worker)'],
  ],
  [
    'a misspelled type',
    '{"type": "comand", "command": "x"}',
    [
      '/s.json:2:10  "type" must be "command", "http", "prompt", "agent" or "worker", not "comand"  (did you mean "command"?)',
    ],
  ],
  [
    'a type in another case',
    '{"type": "HTTP", "url": "https://a.example/"}',
    [
      '/s.json:2:10  "type" must be "command", "http", "prompt", "agent" or "worker", not "HTTP"  (did you mean "http"?)',
    ],
  ],
  [
    'a type that is a list',
    '{"type": ["command"], "command": "x"}',
    ['/s.json:2:10  "type" must be "command", "http", "prompt", "agent" or "worker", not a list'],
  ],
  [
    'a function',
    '{"type": "function", "name": "x"}',
    [
      '/s.json:2:10  "type" must be "command", "http", "prompt", "agent" or "worker", not "function"',
      '/s.json:2:22  unknown field "name" in a hook',
    ],
  ],
  [
    'a NUL in a command',
    '{"type": "command", "command": "a\\u0000b"}',
    ['/s.json:2:32  "command" holds a NUL character, which cannot be handed to a program'],
  ],
  [
    'a timeout in milliseconds',
    '{"type": "command", "command": "x", "timeout": 30000}',
    [
      '/s.json:2:48  "timeout" must be above 0 and at most 3600 seconds, not 30000  (did you mean 30? 30000 looks like milliseconds)',
    ],
  ],
  [
    'a timeout of zero',
    '{"type": "command", "command": "x", "timeout": 0}',
    ['/s.json:2:48  "timeout" must be above 0 and at most 3600 seconds, not 0'],
  ],
  [
    'a negative timeout',
    '{"type": "prompt", "prompt": "x", "timeout": -5}',
    ['/s.json:2:46  "timeout" must be above 0 and at most 3600 seconds, not -5'],
  ],
  [
    'a timeout above an hour',
    '{"type": "agent", "prompt": "x", "timeout": 3601}',
    ['/s.json:2:45  "timeout" must be above 0 and at most 3600 seconds, not 3601'],
  ],
  [
    'a timeout beyond all numbers',
    '{"type": "command", "command": "x", "timeout": 1e999}',
    ['/s.json:2:48  "timeout" must be above 0 and at most 3600 seconds, not Infinity'],
  ],
  [
    'a timeout in quotes',
    '{"type": "http", "url": "https://a.example/", "timeout": "30s"}',
    ['/s.json:2:58  "timeout" must be a number of seconds, not a string  (write 30 without quotes)'],
  ],
  [
    'a timeout in words',
    '{"type": "worker", "command": "x", "timeout": "soon"}',
    ['/s.json:2:47  "timeout" must be a number of seconds, not a string'],
  ],
  [
    'a timeout of null',
    '{"type": "command", "command": "x", "timeout": null}',
    ['/s.json:2:48  "timeout" must be a number of seconds, not null'],
  ],
  [
    'a shell that is a flag',
    '{"type": "command", "command": "x", "shell": true}',
    ['/s.json:2:46  "shell" must be a non-empty string, not true  (put it in double quotes)'],
  ],
  ['an empty shell', '{"type": "worker", "command": "x", "shell": ""}', ['/s.json:2:45  "shell" is empty']],
  [
    'args in one string',
    '{"type": "command", "command": "x", "args": "--all"}',
    ['/s.json:2:45  "args" must be a list, not a string  (write ["--all"])'],
  ],
  [
    'an argument that is a number',
    '{"type": "worker", "command": "x", "args": ["-n", 5]}',
    ['/s.json:2:51  entry 2 of "args" must be a string, not a number  (put it in double quotes)'],
  ],
  [
    'args beside a shell',
    '{"type": "command", "command": "x", "args": [], "shell": "bash"}',
    [
      '/s.json:2:49  "shell" cannot stand beside "args", which start a program without a shell  (take one of the two away)',
    ],
  ],
  [
    'a url on a command hook',
    '{"type": "command", "command": "x", "url": "https://a.example/"}',
    ['/s.json:2:37  "url" belongs to http hooks, and this is a command hook'],
  ],
  [
    'a command on an http hook',
    '{"type": "http", "url": "https://a.example/", "command": "x"}',
    ['/s.json:2:47  "command" belongs to command or worker hooks, and this is an http hook'],
  ],
  [
    'headers on a prompt hook',
    '{"type": "prompt", "prompt": "x", "headers": {}}',
    ['/s.json:2:35  "headers" belongs to http hooks, and this is a prompt hook'],
  ],
  [
    'a model on a worker',
    '{"type": "worker", "command": "x", "model": "a/b"}',
    ['/s.json:2:36  "model" belongs to prompt or agent hooks, and this is a worker hook'],
  ],
  [
    'a shell on an agent hook',
    '{"type": "agent", "prompt": "x", "shell": "bash"}',
    ['/s.json:2:34  "shell" belongs to command or worker hooks, and this is an agent hook'],
  ],
  ['no url', '{"type": "http"}', ['/s.json:2:1  an http hook needs "url"']],
  [
    'half a url',
    '{"type": "http", "url": "a.example/hook"}',
    [
      '/s.json:2:25  "url" must be an address that begins with http:// or https://  (such as https://host/path)',
    ],
  ],
  [
    'a url of another kind',
    '{"type": "http", "url": "file:///etc/passwd"}',
    [
      '/s.json:2:25  "url" must be an address that begins with http:// or https://  (such as https://host/path)',
    ],
  ],
  [
    'a url with a password',
    '{"type": "http", "url": "https://me:secret@a.example/"}',
    ['/s.json:2:25  "url" cannot hold a user name or password  (send an Authorization header instead)'],
  ],
  [
    'headers in a list',
    '{"type": "http", "url": "https://a.example/", "headers": ["a: b"]}',
    ['/s.json:2:58  "headers" must be an object, not a list'],
  ],
  [
    'a header that is a number',
    '{"type": "http", "url": "https://a.example/", "headers": {"X-Key": 5}}',
    ['/s.json:2:68  "X-Key" in "headers" must be a string, not a number  (put it in double quotes)'],
  ],
  [
    'a header name with a space',
    '{"type": "http", "url": "https://a.example/", "headers": {"X Key": "5"}}',
    ['/s.json:2:59  the key "X Key" in "headers" cannot be the name of a header'],
  ],
  [
    'a header that frames the request',
    '{"type": "http", "url": "https://a.example/", "headers": {"Content-Length": "5"}}',
    [
      '/s.json:2:59  the key "Content-Length" in "headers" is a header that codey sets itself  (leave it out)',
    ],
  ],
  [
    'a header of two lines',
    '{"type": "http", "url": "https://a.example/", "headers": {"X-Key": "a\\nb"}}',
    ['/s.json:2:68  "X-Key" in "headers" holds a line break or a NUL character'],
  ],
  [
    'allowedEnvVars in one string',
    '{"type": "http", "url": "https://a.example/", "allowedEnvVars": "TOKEN"}',
    ['/s.json:2:65  "allowedEnvVars" must be a list, not a string  (write ["TOKEN"])'],
  ],
  [
    'an allowed variable with a dollar',
    '{"type": "http", "url": "https://a.example/", "allowedEnvVars": ["$TOKEN"]}',
    [
      '/s.json:2:66  entry 1 of "allowedEnvVars" must be the name of an environment variable  (letters, digits and _, not beginning with a digit)',
    ],
  ],
  ['no prompt', '{"type": "agent", "model": "a/b"}', ['/s.json:2:1  an agent hook needs "prompt"']],
  [
    'a prompt that is a list',
    '{"type": "prompt", "prompt": ["is this fine?"]}',
    ['/s.json:2:30  "prompt" must be a non-empty string, not a list'],
  ],
  [
    'a model that is an object',
    '{"type": "prompt", "prompt": "x", "model": {}}',
    ['/s.json:2:44  "model" must be a non-empty string, not an object'],
  ],
  [
    'a broken if',
    '{"type": "command", "command": "x", "if": "run_shell(git push*"}',
    [
      '/s.json:2:43  "if": rule "run_shell(git push*" does not close its bracket  (did you mean run_shell(git push*)?)',
    ],
  ],
  [
    'an if that is a list',
    '{"type": "command", "command": "x", "if": ["run_shell"]}',
    ['/s.json:2:43  "if" must be a non-empty string, not a list'],
  ],
  ['an empty if', '{"type": "http", "url": "https://a.example/", "if": ""}', ['/s.json:2:53  "if" is empty']],
  [
    'once in quotes',
    '{"type": "command", "command": "x", "once": "true"}',
    ['/s.json:2:45  "once" must be true or false, not a string  (write true without quotes)'],
  ],
  [
    'once as a number',
    '{"type": "prompt", "prompt": "x", "once": 1}',
    ['/s.json:2:43  "once" must be true or false, not a number'],
  ],
  [
    'async in words',
    '{"type": "command", "command": "x", "async": "yes"}',
    ['/s.json:2:46  "async" must be true or false, not a string'],
  ],
  [
    'an unknown failure mode',
    '{"type": "command", "command": "x", "onFailure": "Block"}',
    ['/s.json:2:50  "onFailure" must be "pass" or "block", not "Block"  (did you mean "block"?)'],
  ],
  [
    'a failure mode that is a flag',
    '{"type": "http", "url": "https://a.example/", "onFailure": true}',
    ['/s.json:2:60  "onFailure" must be "pass" or "block", not true'],
  ],
  [
    'a blocking async hook',
    '{"type": "command", "command": "x", "async": true, "onFailure": "block"}',
    [
      '/s.json:2:52  "onFailure": "block" cannot stand beside "async", which never blocks  (take one of the two away)',
    ],
  ],
  [
    'an empty status message',
    '{"type": "command", "command": "x", "statusMessage": ""}',
    ['/s.json:2:54  "statusMessage" is empty'],
  ],
  [
    'a matcher on a hook',
    '{"type": "command", "command": "x", "matcher": "run_shell"}',
    ['/s.json:2:37  unknown field "matcher" in a hook  (it belongs to the group, beside "hooks")'],
  ],
  [
    'an unknown field',
    '{"type": "command", "command": "x", "colour": "red"}',
    ['/s.json:2:37  unknown field "colour" in a hook'],
  ],
  [
    'a bare string',
    '"./guard.sh"',
    [
      '/s.json:2:1  a hook must be an object, not a string  (write {"type": "command", "command": "./guard.sh"})',
    ],
  ],
  ['a list', '[]', ['/s.json:2:1  a hook must be an object, not a list']],
  ['null', 'null', ['/s.json:2:1  a hook must be an object, not null']],
  [
    'two mistakes at once',
    '{"type": "command", "timeout": 0, "onFailure": "no"}, {"type": "http"}',
    [
      '/s.json:2:1  a command hook needs "command"',
      '/s.json:2:32  "timeout" must be above 0 and at most 3600 seconds, not 0',
      '/s.json:2:48  "onFailure" must be "pass" or "block", not "no"',
      '/s.json:2:55  an http hook needs "url"',
    ],
  ],
];

describe('a malformed hook [contract.load.bad-entry-refuses] [contract.load.all-problems-located]', () => {
  it.each(rows)('%s', (_name, hook, problems) => {
    const parsed = parseHook(hook);
    expect(parsed.problems.map(formatProblem)).toEqual(problems);
    expect(parsed.hooks).toEqual([]);
  });
});

/** A hook of each type with nothing but what it needs. */
const smallest: Readonly<Record<HandlerType, Readonly<Record<string, unknown>>>> = {
  command: { type: 'command', command: 'x' },
  worker: { type: 'worker', command: 'x' },
  http: { type: 'http', url: 'https://a.example/' },
  prompt: { type: 'prompt', prompt: 'x' },
  agent: { type: 'agent', prompt: 'x' },
};

/** A value that fits, and the types of hook the field belongs to. */
const fields: Readonly<Record<string, readonly [fits: unknown, on: readonly HandlerType[]]>> = {
  command: ['x', ['command', 'worker']],
  args: [['-a'], ['command', 'worker']],
  shell: ['bash', ['command', 'worker']],
  url: ['https://a.example/', ['http']],
  headers: [{ 'X-Key': 'v' }, ['http']],
  allowedEnvVars: [['TOKEN'], ['http']],
  prompt: ['x', ['prompt', 'agent']],
  model: ['a/b', ['prompt', 'agent']],
  timeout: [1.5, handlerTypes],
  if: ['run_shell(git push*)', handlerTypes],
  once: [true, handlerTypes],
  async: [true, handlerTypes],
  onFailure: ['block', handlerTypes],
  statusMessage: ['x', handlerTypes],
};

const samples = { string: '', number: 0, boolean: true, null: null, list: [[]], object: { a: 1 } };

describe.each(handlerTypes)('a %s hook', (type) => {
  it.each(Object.entries(fields))('takes %s where the field belongs to it', (field, [fits, on]) => {
    const { problems, hooks } = parseHook(JSON.stringify({ ...smallest[type], [field]: fits }));
    if (on.includes(type)) {
      expect(problems).toEqual([]);
      expect(hooks).toHaveLength(1);
    } else {
      expect(problems).toHaveLength(1);
      expect(problems[0]?.message).toMatch(
        new RegExp(`^"${field}" belongs to .* hooks, and this is an? ${type} hook$`),
      );
      expect(hooks).toEqual([]);
    }
  });

  it.each(Object.entries(fields))('takes %s in no other shape', (field, [fits]) => {
    const kind = kindOf(fits);
    for (const [name, value] of Object.entries(samples)) {
      if (name === kind && name !== 'string' && name !== 'number') continue;
      const { problems, hooks } = parseHook(JSON.stringify({ ...smallest[type], [field]: value }));
      expect(hooks, name).toEqual([]);
      expect(
        problems.filter(({ message }) => message.startsWith(`"${field}" `)).length,
        name,
      ).toBeGreaterThan(0);
      expect(
        problems.every(({ area, line }) => area === 'hooks' && line === 2),
        name,
      ).toBe(true);
    }
  });
});

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'list';
  return typeof value;
}

it('a hook keeps everything that was written about it [koder.field.four-types]', () => {
  const hook = {
    type: 'http',
    url: 'https://a.example/hook',
    headers: { Authorization: 'Bearer ${TOKEN}' },
    allowedEnvVars: ['TOKEN'],
    if: 'run_shell(git push*)',
    timeout: 2.5,
    once: true,
    onFailure: 'block',
    statusMessage: 'asking the gate',
  };
  const { hooks, problems, warnings } = parseHook(JSON.stringify(hook));
  expect([problems, warnings]).toEqual([[], []]);
  expect(hooks).toHaveLength(1);
  expect(hooks[0]).toMatchObject({
    event: 'PreToolUse',
    handler: {
      type: 'http',
      url: 'https://a.example/hook',
      headers: { Authorization: 'Bearer ${TOKEN}' },
      allowedEnvVars: ['TOKEN'],
    },
    condition: { text: 'run_shell(git push*)' },
    timeoutMs: 2500,
    once: true,
    async: false,
    onFailure: 'block',
    statusMessage: 'asking the gate',
    source: { scope: 'user', file: '/s.json', line: 2, column: 1, fromRepository: false },
    group: '/s.json:PreToolUse[0]',
    dialect: 'native',
  });
});

it('a hook that does not say has 60 seconds and breaks without blocking [contract.deadline.default-and-cap]', () => {
  const [hook] = parseHook('{"type": "command", "command": "x"}').hooks;
  expect(hook).toMatchObject({ timeoutMs: 60_000, once: false, async: false, onFailure: 'pass' });
  expect(hook).not.toHaveProperty('condition');
  expect(parseHook('{"type": "agent", "prompt": "x", "timeout": 3600}').hooks[0]?.timeoutMs).toBe(3_600_000);
});

it('an unlisted variable in a header is a warning', () => {
  const headers = '"headers": {"A": "${ONE} ${TWO} ${ONE}", "B": "$ONE"}';
  const { hooks, problems, warnings } = parseHook(
    `{"type": "http", "url": "https://a.example/", "allowedEnvVars": ["TWO"], ${headers}}`,
  );
  expect(hooks).toHaveLength(1);
  expect(problems).toEqual([]);
  expect(warnings.map(formatProblem)).toEqual([
    '/s.json:2:91  "A" uses ${ONE}, which "allowedEnvVars" does not list: it becomes empty  (add "allowedEnvVars": ["TWO","ONE"])',
  ]);
});
