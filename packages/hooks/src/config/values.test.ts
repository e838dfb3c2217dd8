// Every way to get a key beside `hooks` wrong, and what is read from right ones.
import { describe, expect, it } from 'vitest';
import { parseSettings } from './parse.ts';
import { formatProblem } from './problem.ts';
import { placeName } from './values.ts';

type Row = readonly [name: string, text: string, problems: readonly string[]];

function parse(text: string) {
  return parseSettings({ text, scope: 'managed', file: '/s.json' });
}

const rows: readonly Row[] = [
  ['a model that is empty', '{"model": ""}', ['/s.json:1:11  "model" is empty']],
  [
    'a provider address without scheme',
    '{"providers": {"local": {"baseURL": "localhost:8080"}}}',
    [
      '/s.json:1:37  "baseURL" must be an address that begins with http:// or https://  (such as https://host/path)',
    ],
  ],
  [
    'a provider that is a string',
    '{"providers": {"local": "x"}}',
    ['/s.json:1:25  "local" in "providers" must be an object, not a string'],
  ],
  [
    'a key variable that is a key',
    '{"providers": {"local": {"apiKeyEnv": "sk-12"}}}',
    [
      '/s.json:1:39  "apiKeyEnv" must be the name of an environment variable  (letters, digits and _, not beginning with a digit)',
    ],
  ],
  [
    'an address for http hooks that could match none',
    '{"allowedHttpHookUrls": ["*", "http://localhost:*", "hooks.example/*"]}',
    [
      '/s.json:1:53  entry 3 of "allowedHttpHookUrls" must be * or begin with a scheme and a host  (such as https://*.example.com/hooks/*)',
    ],
  ],
  [
    'permissions in a list',
    '{"permissions": []}',
    ['/s.json:1:17  "permissions" must be an object, not a list'],
  ],
  [
    'a rule list in one string',
    '{"permissions": {"deny": "run_shell"}}',
    ['/s.json:1:26  "deny" must be a list, not a string  (write ["run_shell"])'],
  ],
  [
    'a rule that is a number',
    '{"permissions": {"deny": [5]}}',
    ['/s.json:1:27  entry 1 of "deny" must be a rule such as "run_shell(git push*)", not a number'],
  ],
  [
    'a rule that does not close',
    '{"permissions": {"ask": ["read_file", "run_shell(rm"]}}',
    [
      '/s.json:1:39  entry 2 of "ask": rule "run_shell(rm" does not close its bracket  (did you mean run_shell(rm)?)',
    ],
  ],
  [
    'a misspelled rule list',
    '{"permissions": {"denny": []}}',
    ['/s.json:1:18  unknown key "denny" in "permissions"  (did you mean "deny"?)'],
  ],
  [
    'a mode in another case',
    '{"permissions": {"mode": "acceptedits"}}',
    [
      '/s.json:1:26  "mode" must be "default", "acceptEdits", "plan", "dontAsk" or "bypassPermissions", not "acceptedits"  (did you mean "acceptEdits"?)',
    ],
  ],
  [
    'a switch in quotes',
    '{"disableAllHooks": "true"}',
    ['/s.json:1:21  "disableAllHooks" must be true or false, not a string  (write true without quotes)'],
  ],
  [
    'an id that is none',
    '{"disabledHooks": ["PreToolUse"]}',
    ['/s.json:1:20  entry 1 of "disabledHooks" is not the id of a hook  (`codey hooks list` shows the ids)'],
  ],
  [
    'withhold in one string',
    '{"hookEnv": {"withhold": "TOKEN"}}',
    ['/s.json:1:26  "withhold" must be a list, not a string  (write ["TOKEN"])'],
  ],
  [
    'a misspelled withhold',
    '{"hookEnv": {"withold": []}}',
    ['/s.json:1:14  unknown key "withold" in "hookEnv"  (did you mean "withhold"?)'],
  ],
  [
    'a number as a variable',
    '{"env": {"PORT": 8080}}',
    ['/s.json:1:18  "PORT" in "env" must be a string, not a number  (put it in double quotes)'],
  ],
  [
    'a variable with a dash',
    '{"env": {"MY-PORT": "8080"}}',
    [
      '/s.json:1:10  the key "MY-PORT" in "env" must be the name of an environment variable  (letters, digits and _, not beginning with a digit)',
    ],
  ],
  [
    'a server that is a command',
    '{"mcpServers": {"docs": "npx docs"}}',
    ['/s.json:1:25  "docs" in "mcpServers" must be an object, not a string'],
  ],
  ['plugins in a list', '{"plugins": ["a"]}', ['/s.json:1:13  "plugins" must be an object, not a list']],
  ['herdr as a switch', '{"herdr": false}', ['/s.json:1:11  "herdr" must be an object, not false']],
  [
    'a collector without address',
    '{"telemetry": {"otlpEndpoint": "collector"}}',
    [
      '/s.json:1:32  "otlpEndpoint" must be an address that begins with http:// or https://  (such as https://host/path)',
    ],
  ],
  [
    'a failure mode that is unknown',
    '{"hookFailure": {"project": "pass"}}',
    ['/s.json:1:29  "project" must be "block", not "pass"'],
  ],
  [
    'a failure mode for no scope',
    '{"hookFailure": {"projects": "block"}}',
    ['/s.json:1:18  unknown key "projects" in "hookFailure"  (did you mean "project"?)'],
  ],
  ['a misspelled hooks key', '{"Hooks": {}}', ['/s.json:1:2  unknown key "Hooks"  (did you mean "hooks"?)']],
  [
    'a misspelled permissions key',
    '{"permission": {}}',
    ['/s.json:1:2  unknown key "permission"  (did you mean "permissions"?)'],
  ],
];

describe('a malformed key [contract.load.bad-entry-refuses] [contract.load.all-problems-located]', () => {
  it.each(rows)('%s', (_name, text, problems) => {
    expect(parse(text).problems.map(formatProblem)).toEqual(problems);
  });
});

it('a full file is read as it is written', () => {
  const { values, problems, warnings } = parse(`{
    "$schema": "./settings.schema.json",
    "model": "anthropic/claude",
    "providers": {"local": {"baseURL": "http://localhost:8080/v1", "apiKeyEnv": "LOCAL_KEY"}},
    "permissions": {"allow": ["read_file"], "mode": "plan"},
    "disableAllHooks": false,
    "disabledHooks": ["PreToolUse:0123abcd", "run_end:89abcdef"],
    "hookEnv": {"withhold": ["LOCAL_KEY"]},
    "claudeHooks": true,
    "mcpServers": {"docs": {"command": "npx", "args": ["docs"], "env": {"__proto__": "x"}}},
    "plugins": {"house-style": true},
    "env": {"EMPTY": ""},
    "theme": "dark",
    "herdr": {},
    "telemetry": {},
    "allowManagedHooksOnly": true,
    "allowedHttpHookUrls": ["https://hooks.example/*"],
    "hookFailure": {"project": "block"},
  }`);
  expect([problems, warnings]).toEqual([[], []]);
  expect(values).toMatchObject({
    model: 'anthropic/claude',
    providers: { local: { baseURL: 'http://localhost:8080/v1', apiKeyEnv: 'LOCAL_KEY' } },
    permissions: {
      allow: [{ rule: { text: 'read_file' }, source: { line: 5, column: 31 } }],
      ask: [],
      deny: [],
      mode: 'plan',
    },
    disableAllHooks: false,
    disabledHooks: ['PreToolUse:0123abcd', 'run_end:89abcdef'],
    hookEnv: { withhold: ['LOCAL_KEY'] },
    claudeHooks: true,
    plugins: { 'house-style': true },
    env: { EMPTY: '' },
    theme: 'dark',
    herdr: { report: true },
    telemetry: {},
    allowManagedHooksOnly: true,
    allowedHttpHookUrls: ['https://hooks.example/*'],
    hookFailure: { project: 'block' },
  });
  expect(JSON.stringify(values.mcpServers)).toBe(
    '{"docs":{"command":"npx","args":["docs"],"env":{"__proto__":"x"}}}',
  );
});

it('a key nobody knows is pointed out and refuses nothing, unless it was meant to guard', () => {
  const { problems, warnings } = parse(
    '{"fancy": true, "themes": "dark", "herdr": {"raport": true}, "hook": {}}',
  );
  expect(warnings.map(formatProblem)).toEqual([
    '/s.json:1:2  unknown key "fancy"',
    '/s.json:1:17  unknown key "themes"  (did you mean "theme"?)',
    '/s.json:1:45  unknown key "raport" in "herdr"  (did you mean "report"?)',
  ]);
  expect(problems.map((problem) => [problem.area, formatProblem(problem)])).toEqual([
    ['hooks', '/s.json:1:62  unknown key "hook"  (did you mean "hooks"?)'],
  ]);
});

it('a rule with a problem leaves the other rules in force and counts as a permissions problem', () => {
  const { values, problems } = parse(
    '{"permissions": {"deny": ["run_shell(rm*)", "run_shell(", "write_file"]}}',
  );
  expect(values.permissions?.deny.map(({ rule }) => rule.text)).toEqual(['run_shell(rm*)', 'write_file']);
  expect(problems.map(({ area }) => area)).toEqual(['permissions']);
});

it('every key and what it holds has a place', () => {
  const { places } = parse('{\n  "env": {\n    "A.B": "x",\n    "PORT": "1"\n  }\n}');
  expect(places.get(placeName(['env']))).toEqual({ line: 2, column: 3 });
  expect(places.get(placeName(['env', 'PORT']))).toEqual({ line: 4, column: 5 });
});

it('no message repeats a value that may be a secret', () => {
  const secret = 'hunter2-hunter2';
  for (const text of [
    `{"env": {"TOKEN": ["${secret}"]}}`,
    `{"providers": {"a": {"apiKeyEnv": "${secret}"}}}`,
    `{"providers": {"a": {"baseURL": "https://me:${secret}@host/"}}}`,
    `{"hooks": {"Stop": [{"hooks": [{"type": "http", "url": "https://a.example/", "headers": {"A": "${secret}\\n"}}]}]}}`,
  ]) {
    const { problems } = parse(text);
    expect(problems).toHaveLength(1);
    expect(problems.map(formatProblem).join('')).not.toContain('hunter2');
  }
});
