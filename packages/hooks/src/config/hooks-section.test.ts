// Every way to get events and groups wrong, and what is read from right ones.
import { describe, expect, it } from 'vitest';
import { parseSettings } from './parse.ts';
import { formatProblem } from './problem.ts';

type Row = readonly [name: string, hooks: string, problems: readonly string[]];

function parseHooks(hooks: string) {
  return parseSettings({ text: `{"hooks":\n${hooks}}`, scope: 'user', file: '/s.json' });
}

const rows: readonly Row[] = [
  [
    'a matcher that is a list',
    '{"PreToolUse": [{"matcher": ["edit_file", "write_file"], "hooks": []}]}',
    ['/s.json:2:29  "matcher" must be a string, not a list  (write "edit_file|write_file")'],
  ],
  [
    'a matcher that does not compile',
    '{"PreToolUse": [{"matcher": "run_shell(", "hooks": []}]}',
    ['/s.json:2:29  matcher "run_shell(" is not a regular expression: missing closing ) at character 10'],
  ],
  [
    'a matcher that is a glob',
    '{"PreToolUse": [{"matcher": "*_file", "hooks": []}]}',
    [
      '/s.json:2:29  matcher "*_file" is not a regular expression: missing argument to repetition operator at character 1  (a matcher is a regular expression; did you mean ".*_file"?)',
    ],
  ],
  [
    'a timeout on a group',
    '{"PreToolUse": [{"timeout": 5, "hooks": []}]}',
    [
      '/s.json:2:18  "timeout" stands on a group of PreToolUse, but it belongs to a hook  (move it into each object inside "hooks")',
    ],
  ],
  [
    'an unknown key on a group',
    '{"PreToolUse": [{"match": "x", "hooks": []}]}',
    ['/s.json:2:18  unknown key "match" in a group of PreToolUse  (did you mean "matcher"?)'],
  ],
  [
    'a group without hooks',
    '{"PreToolUse": [{"matcher": "x"}]}',
    ['/s.json:2:17  this group of PreToolUse has no "hooks" list'],
  ],
  [
    'a hook in a group’s place',
    '{"PreToolUse": [{"type": "command", "command": "x"}]}',
    [
      '/s.json:2:17  this is a hook, where PreToolUse takes groups of hooks  (put it into a group: {"hooks": [ … ]})',
    ],
  ],
  [
    'one hook instead of a list',
    '{"PreToolUse": [{"hooks": {"type": "command"}}]}',
    [
      '/s.json:2:27  "hooks" of a group must be a list of hooks, not an object  (put the hook into a list: [ … ])',
      '/s.json:2:27  a command hook needs "command"',
    ],
  ],
  [
    'hooks in one string',
    '{"PreToolUse": [{"hooks": "x"}]}',
    [
      '/s.json:2:27  "hooks" of a group must be a list of hooks, not a string  (write [{"type": "command", "command": "x"}])',
    ],
  ],
  [
    'a command in a group’s place',
    '{"PreToolUse": ["./guard.sh"]}',
    [
      '/s.json:2:17  a group of PreToolUse must be an object, not a string  (write {"hooks": [{"type": "command", "command": "./guard.sh"}]})',
    ],
  ],
  [
    'a list in a group’s place',
    '{"PreToolUse": [[]]}',
    ['/s.json:2:17  a group of PreToolUse must be an object, not a list  (take one pair of brackets away)'],
  ],
  [
    'one group instead of a list',
    '{"PreToolUse": {"hooks": [{"type": "command"}]}}',
    [
      '/s.json:2:16  PreToolUse takes a list of groups of hooks, not an object  (put it into a list: [ … ])',
      '/s.json:2:27  a command hook needs "command"',
    ],
  ],
  [
    'a command instead of a list',
    '{"PreToolUse": "./guard.sh"}',
    [
      '/s.json:2:16  PreToolUse takes a list of groups of hooks, not a string  (write [{"hooks": [{"type": "command", "command": "./guard.sh"}]}])',
    ],
  ],
  [
    'null instead of a list',
    '{"PreToolUse": null}',
    ['/s.json:2:16  PreToolUse takes a list of groups of hooks, not null'],
  ],
  [
    'an if where no tool is called',
    '{"SessionStart": [{"hooks": [{"type": "command", "command": "x", "if": "run_shell"}]}]}',
    [
      '/s.json:2:66  "if" asks about a tool call, and SessionStart is not about one  (leave it out, or choose an event about a tool call such as PreToolUse)',
    ],
  ],
  [
    'a lifecycle command alone',
    '{"run_end": "notify-send done"}',
    ['/s.json:2:13  run_end takes a list of shell commands, not a string  (write ["notify-send done"])'],
  ],
  [
    'groups under a lifecycle event',
    '{"run_end": [{"hooks": [{"type": "command", "command": "notify-send done"}]}]}',
    [
      '/s.json:2:14  run_end takes shell commands, not an object  (write the command itself: "notify-send done")',
    ],
  ],
  [
    'one group under a lifecycle event',
    '{"run_end": {"command": "x"}}',
    [
      '/s.json:2:13  run_end takes a list of shell commands, not an object  (put it into a list: [ … ])',
      '/s.json:2:13  run_end takes shell commands, not an object  (write the command itself: "x")',
    ],
  ],
  ['an empty lifecycle command', '{"blocked": ["", "x"]}', ['/s.json:2:14  a command of blocked is empty']],
  ['a number as a command', '{"blocked": [5]}', ['/s.json:2:14  blocked takes shell commands, not a number']],
  [
    'a list in a command’s place',
    '{"blocked": [["x"]]}',
    ['/s.json:2:14  blocked takes shell commands, not a list'],
  ],
  [
    'a NUL in a lifecycle command',
    '{"blocked": ["a\\u0000"]}',
    ['/s.json:2:14  a command of blocked holds a NUL character, which cannot be handed to a program'],
  ],
  [
    'an event in small letters',
    '{"pretooluse": []}',
    ['/s.json:2:2  unknown event "pretooluse"  (did you mean "PreToolUse"?)'],
  ],
  [
    'an event in snake case',
    '{"pre_tool_use": []}',
    ['/s.json:2:2  unknown event "pre_tool_use"  (did you mean "PreToolUse"?)'],
  ],
  [
    'a lifecycle event in capitals',
    '{"RunEnd": []}',
    ['/s.json:2:2  unknown event "RunEnd"  (did you mean "run_end"?)'],
  ],
  [
    'a misspelled event',
    '{"PostTolUse": []}',
    ['/s.json:2:2  unknown event "PostTolUse"  (did you mean "PostToolUse"?)'],
  ],
  [
    'an event nobody knows',
    '{"BeforeCoffee": []}',
    ['/s.json:2:2  unknown event "BeforeCoffee"  (`codey hooks schema` lists the events)'],
  ],
  [
    'a mistake under a misspelled event',
    '{"pretooluse": [{"hooks": [{"type": "command"}]}]}',
    [
      '/s.json:2:2  unknown event "pretooluse"  (did you mean "PreToolUse"?)',
      '/s.json:2:28  a command hook needs "command"',
    ],
  ],
  [
    'a list of hooks',
    '[]',
    [
      '/s.json:2:1  "hooks" must be an object of events, not a list  (such as {"PostToolUse": [ … ], "run_end": [ … ]})',
    ],
  ],
  [
    'a command for all hooks',
    '"x"',
    [
      '/s.json:2:1  "hooks" must be an object of events, not a string  (such as {"PostToolUse": [ … ], "run_end": [ … ]})',
    ],
  ],
];

describe('a malformed event [contract.load.bad-entry-refuses] [contract.load.all-problems-located]', () => {
  it.each(rows)('%s', (_name, hooks, problems) => {
    expect(parseHooks(hooks).problems.map(formatProblem)).toEqual(problems);
  });
});

it('case counts in the names of events [koder.trouble.case-sensitive] [codey.config.unknown-event-refused]', () => {
  for (const name of ['pretooluse', 'PRETOOLUSE', 'preToolUse', 'Run_End', 'RUN_END']) {
    const { problems, hooks, lifecycle } = parseHooks(`{"${name}": []}`);
    expect(problems.map(({ message }) => message)).toEqual([`unknown event "${name}"`]);
    expect([hooks, lifecycle]).toEqual([[], []]);
  }
});

it('an entry with a problem hides neither its neighbours nor their problems [contract.load.all-problems-located]', () => {
  const { problems, hooks, lifecycle } = parseHooks(`{
    "PreToolUse": [
      {"matcher": "(", "hooks": [{"type": "command"}]},
      {"hooks": [{"type": "command", "command": "good"}, {"type": "http"}]}
    ],
    "Nonsense": [],
    "run_end": ["first", 5, "second"]
  }`);
  expect(problems.map(({ line }) => line)).toEqual([4, 4, 5, 7, 8]);
  expect(hooks.map(({ handler }) => handler)).toEqual([{ type: 'command', command: 'good' }]);
  expect(lifecycle.map(({ command }) => command)).toEqual(['first', 'second']);
});

it('hooks stand in the order of the file, each with its place and group [codey.config.list-order]', () => {
  const { hooks, lifecycle } = parseHooks(`{
    "Stop": [{"hooks": [{"type": "command", "command": "a"}, {"type": "command", "command": "b"}]}],
    "PreToolUse": [{"hooks": []}, {"matcher": "^run", "hooks": [{"type": "command", "command": "c"}]}],
    "run_end": ["d", "e"]
  }`);
  expect(hooks.map(({ event, group, source }) => [event, group, source.line, source.column])).toEqual([
    ['Stop', '/s.json:Stop[0]', 3, 25],
    ['Stop', '/s.json:Stop[0]', 3, 62],
    ['PreToolUse', '/s.json:PreToolUse[1]', 4, 65],
  ]);
  expect(hooks[2]?.matcher.test('run_shell')).toBe('yes');
  expect(hooks[2]?.matcher.test('read_file')).toBe('no');
  expect(lifecycle.map(({ event, command, source }) => [event, command, source.line, source.column])).toEqual(
    [
      ['run_end', 'd', 5, 17],
      ['run_end', 'e', 5, 22],
    ],
  );
});

it('a matcher on an event without a match value is a warning and matches always', () => {
  const { hooks, problems, warnings } = parseHooks(
    '{"Stop": [{"matcher": "main(", "hooks": [{"type": "command", "command": "x"}]}]}',
  );
  expect(problems).toEqual([]);
  expect(warnings.map(formatProblem)).toEqual([
    '/s.json:2:23  Stop has nothing a matcher could be tested on, so this one matches always  (leave it out)',
  ]);
  expect(hooks[0]?.matcher.test('anything')).toBe('yes');
});

it('an empty matcher and * need no warning anywhere', () => {
  for (const matcher of ['', '*']) {
    const { problems, warnings } = parseHooks(`{"Stop": [{"matcher": "${matcher}", "hooks": []}]}`);
    expect([problems, warnings]).toEqual([[], []]);
  }
});

it('a name that would play with the terminal is shown as what it is', () => {
  const { problems } = parseHooks('{"\\u001b[2JStop\\u202e": [], "\\u009b31m": []}');
  expect(problems.map(formatProblem)).toEqual([
    '/s.json:2:2  unknown event "\\u001b[2JStop\\u202e"  (`codey hooks schema` lists the events)',
    '/s.json:2:29  unknown event "\\u009b31m"  (`codey hooks schema` lists the events)',
  ]);
});

it('a name longer than a page is cut', () => {
  const { problems } = parseHooks(`{"${'x'.repeat(100_000)}": []}`);
  expect(problems[0]?.message).toHaveLength(500);
});
