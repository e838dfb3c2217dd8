import { parseTree, type ParseError } from 'jsonc-parser';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDocument, plainValue } from './document.ts';
import { editSetting, type SettingPath } from './edit-text.ts';

function edited(text: string, path: SettingPath, value: unknown): string {
  const edit = editSetting(text, path, value);
  if (!edit.ok) throw new Error(edit.message);
  return edit.text;
}

type Row = readonly [name: string, before: string, path: SettingPath, value: unknown, after: string];

const rows: readonly Row[] = [
  ['an empty file', '', ['model'], 'a/b', '{\n  "model": "a/b"\n}\n'],
  ['a file of comments', '// mine', ['model'], 'a/b', '// mine\n{\n  "model": "a/b"\n}\n'],
  ['an empty object', '{}', ['model'], 'a/b', '{\n  "model": "a/b"\n}'],
  [
    'objects on the way',
    '{}\n',
    ['permissions', 'allow'],
    ['x'],
    '{\n  "permissions": {\n    "allow": [\n      "x"\n    ]\n  }\n}\n',
  ],
  [
    'a replaced value',
    '{\n  "model": "a/b", // fast\n  "x": 1\n}',
    ['model'],
    'c/d',
    '{\n  "model": "c/d", // fast\n  "x": 1\n}',
  ],
  ['the same value in another dress', '{"a": [1,2 , 3]}', ['a'], [1, 2, 3], '{"a": [1,2 , 3]}'],
  ['a new key', '{\n  "a": 1\n}\n', ['b'], 2, '{\n  "a": 1,\n  "b": 2\n}\n'],
  [
    'a new key behind comments',
    '{\n  "a": 1 // one\n  // "old": 0\n}\n',
    ['b'],
    2,
    '{\n  "a": 1, // one\n  // "old": 0\n  "b": 2\n}\n',
  ],
  [
    'a new key behind a trailing comma',
    '{\n  "a": 1, // one\n}',
    ['b'],
    2,
    '{\n  "a": 1, // one\n  "b": 2,\n}',
  ],
  [
    'tabs',
    '{\n\t"a": {\n\t\t"x": 1\n\t}\n}',
    ['a', 'y'],
    [true],
    '{\n\t"a": {\n\t\t"x": 1,\n\t\t"y": [\n\t\t\ttrue\n\t\t]\n\t}\n}',
  ],
  [
    'four blanks',
    '{\n    "a": 1\n}',
    ['b'],
    { c: 1 },
    '{\n    "a": 1,\n    "b": {\n        "c": 1\n    }\n}',
  ],
  [
    'Windows line ends',
    '{\r\n  "a": 1\r\n}\r\n',
    ['b'],
    { c: 1 },
    '{\r\n  "a": 1,\r\n  "b": {\r\n    "c": 1\r\n  }\r\n}\r\n',
  ],
  ['a byte order mark', '\ufeff{"a": 1}', ['a'], 2, '\ufeff{"a": 2}'],
  ['one line', '{ "a": 1 }', ['b'], [2], '{ "a": 1, "b": [2] }'],
  ['one line with a comment', '{ "a": 1 /* one */ }', ['b'], 2, '{ "a": 1, /* one */ "b": 2 }'],
  ['one line with a trailing comma', '{"a": 1,}', ['b'], 2, '{"a": 1, "b": 2,}'],
  ['an object that opens on one line', '{\n  "a": {}\n}', ['a', 'b'], 2, '{\n  "a": {\n    "b": 2\n  }\n}'],
  ['a list on one line', '{"a": ["x"]}', ['a', 1], 'y', '{"a": ["x", "y"]}'],
  ['an empty list', '{\n  "a": []\n}', ['a', 0], 'y', '{\n  "a": ["y"]\n}'],
  [
    'a list on several lines',
    '{\n  "a": [\n    "x" // one\n  ]\n}',
    ['a', 1],
    'y',
    '{\n  "a": [\n    "x", // one\n    "y"\n  ]\n}',
  ],
  ['an item', '{"a": ["x", "y"]}', ['a', 0], 'z', '{"a": ["z", "y"]}'],
  ['a key that goes', '{\n  "a": 1,\n  "b": 2,\n  "c": 3\n}', ['b'], undefined, '{\n  "a": 1,\n  "c": 3\n}'],
  [
    'the last key that goes',
    '{\n  "a": 1, // one\n  "b": 2 // two\n}',
    ['b'],
    undefined,
    '{\n  "a": 1 // one\n  // two\n}',
  ],
  ['the only key that goes', '{\n  // why\n  "a": 1\n}', ['a'], undefined, '{\n  // why\n}'],
  ['a key on one line that goes', '{ "a": 1, "b": 2, "c": 3 }', ['b'], undefined, '{ "a": 1, "c": 3 }'],
  ['the last one there', '{ "a": 1, "b": 2 }', ['b'], undefined, '{ "a": 1 }'],
  [
    'a key whose comma stands apart',
    '{\n  "a": 1 /* one */,\n  "b": 2\n}',
    ['a'],
    undefined,
    '{\n  /* one */\n  "b": 2\n}',
  ],
  ['an item that goes', '{"a": ["x", "y", "z"]}', ['a', 1], undefined, '{"a": ["x", "z"]}'],
  ['a key that was not there', '{"a": 1}', ['b', 'c'], undefined, '{"a": 1}'],
  ['nothing from nothing', ' \n', ['b'], undefined, ' \n'],
  ['a key that looks like a path', '{"a.b": 1}', ['a.b'], 2, '{"a.b": 2}'],
  ['a key that means something to JavaScript', '{"__proto__": 1}', ['__proto__'], 2, '{"__proto__": 2}'],
];

it.each(rows)(
  'changes %s and nothing else [contract.write.only-asked-keys]',
  (_name, before, path, value, after) => {
    expect(edited(before, path, value)).toBe(after);
  },
);

describe('a text that cannot be edited stays as it is', () => {
  it.each<[name: string, text: string, path: SettingPath, message: string]>([
    ['no JSON', '{\n"a": x}', ['a'], 'line 2, column 6: this is not JSON; correct it first'],
    [
      'a missing comma',
      '{"a": 1 "b": 2}',
      ['a'],
      'line 1, column 9: a comma is missing before this; correct it first',
    ],
    ['a list', '[]', ['a'], 'settings must be an object, not a list'],
    [
      'text where an object is needed',
      '{"permissions": "x"}',
      ['permissions', 'mode'],
      '"mode" cannot be set in a string',
    ],
    ['a list where a key is meant', '{"hooks": []}', ['hooks', 'Stop'], '"Stop" cannot be set in a list'],
  ])('%s', (_name, text, path, message) => {
    expect(editSetting(text, path, 1)).toEqual({ ok: false, message });
  });

  it('a key that stands twice is not half taken away', () => {
    expect(editSetting('{"a": 1,\n"a": 2}', ['a'], undefined)).toEqual({
      ok: false,
      message: 'line 2: "a" stands here twice; take one away first',
    });
    expect(edited('{"a": 1, "a": 2}', ['a'], 3)).toBe('{"a": 1, "a": 3}');
  });
});

/** Texts that people could have written: comments, trailing commas and blanks in every place that allows them. */
const gap = fc.constantFrom('', ' ', '\n', '\n  ', ' /* c */ ', '\n  // d\n  ', '\t');
const scalar = fc.constantFrom('1', '"x"', 'true', 'null', '"// no comment"', '[]', '{}');
const written = fc.letrec<{ value: string; object: string; list: string }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, scalar, tie('object'), tie('list')),
  object: fc
    .tuple(
      fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 4 }),
      fc.array(gap, { minLength: 20, maxLength: 20 }),
      fc.array(tie('value'), { minLength: 4, maxLength: 4 }),
      fc.boolean(),
    )
    .map(([keys, gaps, values, trailing]) => {
      const items = keys.map(
        (key, index) =>
          `${gaps[index]}"${key}"${gaps[4 + index]}:${gaps[8 + index]}${values[index]}${gaps[12 + index]}`,
      );
      return `{${items.join(',')}${trailing && keys.length > 0 ? `,${gaps[16]}` : ''}${gaps[17]}}`;
    }),
  list: fc
    .tuple(
      fc.array(tie('value'), { maxLength: 3 }),
      fc.array(gap, { minLength: 8, maxLength: 8 }),
      fc.boolean(),
    )
    .map(([values, gaps, trailing]) => {
      const items = values.map((value, index) => `${gaps[index]}${value}${gaps[4 + index]}`);
      return `[${items.join(',')}${trailing && values.length > 0 ? ',' : ''}${gaps[7]}]`;
    }),
}));
const steps = fc.array(fc.constantFrom<string | number>('a', 'b', 'c', 'e', 0, 1), { maxLength: 2 });
const newValue = fc.constantFrom<unknown>(undefined, 2, 'new', false, [1, { z: 1 }], { z: ['y'] });

it('whatever the text, only the asked key changes and every comment outside of it stays [contract.write.only-asked-keys]', () => {
  fc.assert(
    fc.property(
      written.object,
      fc.constantFrom('a', 'b', 'e'),
      steps,
      newValue,
      fc.boolean(),
      (lines, first, rest, value, windows) => {
        const text = windows ? lines.replaceAll('\n', '\r\n') : lines;
        const path: SettingPath = [first, ...rest];
        const edit = editSetting(text, path, value);
        const before = plain(text);
        const expected = structuredClone(before) as Record<string, unknown>;
        const possible = put(expected, path, value);
        expect(edit.ok).toBe(possible);
        if (!edit.ok) return;
        expect(plain(edit.text)).toEqual(expected);
        const inside = touchedText(text, path, value === undefined);
        expect(comments(edit.text)).toEqual(
          comments(edit.text === text ? text : text.slice(0, inside.start) + text.slice(inside.end)),
        );
        if (text.includes('\r\n')) expect(edit.text).not.toMatch(/[^\r]\n/);
        else expect(edit.text).not.toContain('\r');
        const names = path.every((key) => typeof key === 'string');
        if (names) expect(edited(edit.text, path, value)).toBe(edit.text);
      },
    ),
    { numRuns: 2000 },
  );
});

/** The value of a text, which must be right in every detail. */
function plain(text: string): unknown {
  const errors: ParseError[] = [];
  parseTree(text, errors, { allowTrailingComma: true });
  expect(errors, text).toEqual([]);
  const { root } = parseDocument(text);
  return root === undefined ? undefined : plainValue(root);
}

/** The same change on plain values; false where the path cannot be walked. */
function put(target: unknown, path: readonly (string | number)[], value: unknown): boolean {
  const [key, ...rest] = path;
  if (key === undefined) return true;
  if (typeof key === 'string' ? !isPlainObject(target) : !Array.isArray(target)) return false;
  const container = target as Record<string | number, unknown>;
  if (typeof key === 'number' && key >= (target as unknown[]).length) {
    if (value !== undefined) (target as unknown[]).push(wrap(rest, value));
    return true;
  }
  if (!(key in container)) {
    if (value !== undefined) container[key] = wrap(rest, value);
    return true;
  }
  if (rest.length > 0) return put(container[key], rest, value);
  if (value !== undefined) container[key] = value;
  else if (Array.isArray(target)) target.splice(key as number, 1);
  else delete container[key];
  return true;
}

function isPlainObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function wrap(path: readonly (string | number)[], value: unknown): unknown {
  return path.reduceRight<unknown>(
    (inner, key) => (typeof key === 'string' ? { [key]: inner } : [inner]),
    value,
  );
}

/** Where the addressed value stands, of one that goes with its key; an empty stretch where there is none. */
function touchedText(
  text: string,
  path: SettingPath,
  withKey: boolean,
): { readonly start: number; readonly end: number } {
  let node = parseTree(text, [], { allowTrailingComma: true });
  let touched = node;
  for (const key of path) {
    const item =
      typeof key === 'number'
        ? node?.children?.[key]
        : node?.children?.find((one) => one.children?.[0]?.value === key);
    if (item === undefined) return { start: 0, end: 0 };
    node = item.type === 'property' ? item.children?.[1] : item;
    touched = withKey ? item : node;
  }
  return { start: touched?.offset ?? 0, end: (touched?.offset ?? 0) + (touched?.length ?? 0) };
}

function comments(text: string): readonly string[] {
  const withoutStrings = text.replaceAll('"// no comment"', '""');
  return withoutStrings.match(/\/\*.*?\*\/|\/\/[^\r\n]*/g) ?? [];
}
