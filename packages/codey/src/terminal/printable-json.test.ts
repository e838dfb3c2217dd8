import { expect, it } from 'vitest';
import { printableJson } from './printable-json.ts';

it('writes what a terminal would act on as escapes, and says the same', () => {
  const value = {
    name: 'a\u009b31m \u202eb\u200b \u{e0041} \u001b[2J',
    plain: 'é 漢 👩',
    list: [1, null, '\n'],
  };
  const text = printableJson(value, 2);
  expect(JSON.parse(text)).toEqual(value);
  expect(text).not.toMatch(/(?!\n)\p{Cc}|\p{Cf}/u);
  expect(text).toContain('é 漢 👩');
});
