import { expect, it } from 'vitest';
import type { Key } from '../screen/keys.ts';
import { editField, fieldOf, type TextField } from './text-field.ts';

const named = (name: string): Key => ({ kind: 'named', name });

const cases: readonly (readonly [string, TextField, Key, TextField | undefined])[] = [
  [
    'inserts at the cursor',
    { text: 'ac', cursor: 1 },
    { kind: 'text', text: 'b' },
    { text: 'abc', cursor: 2 },
  ],
  [
    'makes one line of a paste',
    fieldOf('a'),
    { kind: 'paste', text: 'b\nc\t d' },
    { text: 'ab c d', cursor: 6 },
  ],
  ['moves over an emoji family as one', fieldOf('x👩‍👩‍👧'), named('left'), { text: 'x👩‍👩‍👧', cursor: 1 }],
  ['removes an emoji family as one', fieldOf('x👩‍👩‍👧'), named('backspace'), { text: 'x', cursor: 1 }],
  ['removes behind the cursor', { text: 'ab', cursor: 0 }, named('delete'), { text: 'b', cursor: 0 }],
  ['removes a word', fieldOf('one two '), named('ctrl+w'), { text: 'one ', cursor: 4 }],
  ['removes to the start', { text: 'abcd', cursor: 2 }, named('ctrl+u'), { text: 'cd', cursor: 0 }],
  ['removes to the end', { text: 'abcd', cursor: 2 }, named('ctrl+k'), { text: 'ab', cursor: 2 }],
  ['stays at the start', { text: 'a', cursor: 0 }, named('left'), { text: 'a', cursor: 0 }],
  ['stays at the end', fieldOf('a'), named('right'), fieldOf('a')],
  ['leaves other keys alone', fieldOf('a'), named('up'), undefined],
];

it.each(cases)('%s', (_name, field, key, after) => {
  expect(editField(field, key)).toEqual(after);
});
