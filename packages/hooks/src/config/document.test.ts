// What the text of a file may suffer from, and what is made of it.
import { describe, expect, it } from 'vitest';
import { parseSettings } from './parse.ts';
import { formatProblem } from './problem.ts';

type Row = readonly [name: string, text: string, problems: readonly string[]];

function parse(text: string) {
  return parseSettings({ text, scope: 'managed', file: '/s.json' });
}

const rows: readonly Row[] = [
  [
    'a list at the top',
    '[]',
    ['/s.json:1:1  settings must be an object, not a list  (such as {"hooks": { … }})'],
  ],
  [
    'a missing comma beside a mistake',
    '{"theme": "dark"\n"model": 5}',
    [
      '/s.json:2:1  a comma is missing before this',
      '/s.json:2:10  "model" must be a non-empty string, not a number  (put it in double quotes)',
    ],
  ],
  ['a missing bracket', '{"model": "a/b"', ['/s.json:1:16  a closing } is missing']],
  [
    'no JSON',
    'model = "a/b"',
    [
      '/s.json:1:1  this is not JSON  (text stands in double quotes; everything else is a number, true, false or null)',
    ],
  ],
  [
    'single quotes',
    "{'model': 1}",
    [
      '/s.json:1:2  this is not JSON  (text stands in double quotes; everything else is a number, true, false or null)',
    ],
  ],
  ['a comment without end', '{} /* and', ['/s.json:1:4  this comment does not end  (close it with */)']],
  [
    'a line break in text',
    '{"model": "a\nb"}',
    ['/s.json:1:11  this text does not end  (close it with a double quote on the same line)'],
  ],
  [
    'a tab in text',
    '{"model": "a\tb"}',
    ['/s.json:1:11  this character cannot stand in JSON text  (write a tab as \\t and a line break as \\n)'],
  ],
  [
    'a wrong escape',
    '{"model": "a\\qb"}',
    ['/s.json:1:11  this escape does not exist in JSON  (write a backslash as \\\\)'],
  ],
  [
    'a backslash path',
    '{"model": "C:\\users"}',
    ['/s.json:1:11  this is not a valid \\u escape  (it takes four hex digits; write a backslash as \\\\)'],
  ],
  ['two objects', '{} {}', ['/s.json:1:4  nothing may follow the closing bracket']],
  ['a key without value', '{"model": , "theme": 5}', ['/s.json:1:11  a value was expected here']],
  ['too many brackets', '['.repeat(100_000), ['/s.json:1:201  more than 200 levels of brackets']],
  [
    'undefined',
    '{"model": undefined}',
    [
      '/s.json:1:11  this is not JSON  (text stands in double quotes; everything else is a number, true, false or null)',
    ],
  ],
];

describe('text that is no settings object [contract.load.bad-entry-refuses] [contract.load.all-problems-located]', () => {
  it.each(rows)('%s', (_name, text, problems) => {
    const parsed = parse(text);
    expect(parsed.problems.map(formatProblem)).toEqual(problems);
    expect(parsed.hooks).toEqual([]);
  });
});

it('comments and trailing commas are fine', () => {
  const { values, problems } = parse('// ours\n{\n  /* one */ "theme": "dark", // why\n}\n');
  expect([values, problems]).toEqual([{ theme: 'dark' }, []]);
});

it('a file with nothing in it says nothing', () => {
  for (const text of ['', ' \n\t', '// later\n', '/* later */']) {
    expect(parse(text)).toMatchObject({ values: {}, hooks: [], lifecycle: [], problems: [], warnings: [] });
  }
});

it('of a key that stands twice the last one counts, and the other is named', () => {
  const { values, problems, warnings, lifecycle } = parse(
    '{"theme": "a", "hooks": {"run_end": ["x"], "run_end": ["y"]},\n"theme": "b"}',
  );
  expect(values).toEqual({ theme: 'b' });
  expect(lifecycle.map(({ command }) => command)).toEqual(['y']);
  expect(problems).toEqual([]);
  expect(warnings.map(formatProblem)).toEqual([
    '/s.json:1:2  "theme" stands here twice; only the last one counts',
    '/s.json:1:26  "run_end" stands here twice; only the last one counts',
  ]);
});

it('every kind of line break counts as one line', () => {
  const { problems } = parse('{\r\n"theme":\r"dark",\n"model": 5}');
  expect(problems.map(({ line, column }) => [line, column])).toEqual([[4, 10]]);
});

it('a long list is as fine as a short one', () => {
  const { values, problems } = parse(
    `{"mcpServers": {"a": {"list": [${'1,'.repeat(300_000)}1]}}, "theme": "dark"}`,
  );
  expect([problems, values.theme]).toEqual([[], 'dark']);
});
