// The first row: every tab with its number, name and mark, and at the right what the looked-at tab runs on.
import { basename } from 'node:path';
import { sanitise } from '../../terminal/sanitise.ts';
import type { Paint, Style } from '../screen/style.ts';
import { columnsOf, cut, fill } from '../screen/text.ts';
import { type Mark, markOf } from '../state/mark.ts';
import type { Tab } from '../state/tab.ts';
import { activeTab, type Tabs } from '../state/tabs.ts';

export function tabBar(tabs: Tabs, width: number, style: Style): string {
  const right = rightPart(activeTab(tabs));
  const room = width - (columnsOf(right) + 2 <= width / 2 ? columnsOf(right) + 1 : 0);
  const left = fitTabs(tabs, room, style);
  return room === width ? fill(left, width) : `${fill(left, room)}${style.dim(right)} `;
}

/** The session's own name, else its directory. */
export function tabName(tab: Tab): string {
  if (tab.facts === undefined) return tab.phase === 'closed' ? 'not opened' : 'opening…';
  return sanitise(tab.facts.name ?? basename(tab.facts.cwd), { oneLine: true });
}

const marks: Readonly<Record<Mark, string>> = {
  blocked: '●!',
  paused: '‖',
  working: '▸',
  unread: '•',
  idle: '',
};

/** In words, for places with room. */
export const markWords: Readonly<Record<Mark, string>> = {
  blocked: 'waits for you',
  paused: 'paused',
  working: 'working',
  unread: 'unread',
  idle: '',
};

function rightPart(tab: Tab | undefined): string {
  return tab?.facts === undefined ? '' : sanitise(tab.facts.model, { oneLine: true });
}

/** With names while they fit, else the names of the others go, so that every mark stays in sight. */
function fitTabs({ list, active }: Tabs, width: number, style: Style): string {
  const whole = list.map((tab, index) => label(tab, index + 1, tab.key === active, 24, style)).join(' ');
  if (columnsOf(whole) <= width) return whole;
  const short = list.map((tab, index) =>
    label(tab, index + 1, tab.key === active, tab.key === active ? 12 : 0, style),
  );
  return cut(short.join(''), width);
}

function label(tab: Tab, number: number, active: boolean, nameWidth: number, style: Style): string {
  const mark = markOf(tab);
  const name = nameWidth === 0 ? '' : ` ${cut(tabName(tab), nameWidth)}`;
  const sign = marks[mark] === '' ? '' : ` ${marks[mark]}`;
  const paint = markPaint(mark, style);
  return active ? style.inverse(` ${number}${name}${sign} `) : ` ${number}${name}${paint(sign)} `;
}

function markPaint(mark: Mark, style: Style): Paint {
  switch (mark) {
    case 'blocked':
      return (text) => style.bold(style.red(text));
    case 'paused':
      return style.yellow;
    case 'working':
      return style.green;
    case 'unread':
      return style.cyan;
    case 'idle':
      return style.dim;
  }
}
