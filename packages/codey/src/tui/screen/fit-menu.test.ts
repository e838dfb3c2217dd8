import { SelectList } from '@earendil-works/pi-tui';
import { expect, it } from 'vitest';
import { fitMenu } from './fit-menu.ts';
import { columnsOf } from './text.ts';

const items = [
  { value: '/a', label: `/a ${'[argument] '.repeat(6)}`, detail: 'what it does, '.repeat(20) },
  { value: '/b', label: '/b', detail: 'short' },
];
const plain = (text: string): string => text;
const theme = {
  selectedPrefix: plain,
  selectedText: plain,
  description: plain,
  scrollInfo: plain,
  noMatch: plain,
};

it.each([30, 44, 60, 80, 120])('what a menu of %i columns cuts ends in an ellipsis', (columns) => {
  const shown = fitMenu(items, '/', columns).map(({ detail, ...item }) => ({
    ...item,
    ...(detail !== undefined && { description: detail }),
  }));
  const list = new SelectList(shown, 6, theme, { minPrimaryColumnWidth: 12, maxPrimaryColumnWidth: 32 });
  const [long = '', short = ''] = list.render(columns - 2);
  expect(long.trimEnd()).toMatch(/…$/);
  expect(long).toMatch(/\/a \[argument\].*…/);
  expect(columnsOf(long)).toBeLessThanOrEqual(columns - 2);
  expect(short).toContain('/b');
});
