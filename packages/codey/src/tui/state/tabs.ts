// All tabs and which one is looked at.
import { agentsAtWork } from './at-work.ts';
import { newTab, reduceTab, type Tab, type TabEvent } from './tab.ts';

export interface Tabs {
  /** In the order of their numbers on screen; never empty while the program runs. */
  readonly list: readonly Tab[];
  /** Key of the tab that is looked at. */
  readonly active: number;
  readonly nextKey: number;
}

export const noTabs: Tabs = { list: [], active: 0, nextKey: 1 };

/** The new tab is looked at. */
export function addTab(tabs: Tabs): Tabs {
  const { list, nextKey } = tabs;
  return { list: [...list, newTab(nextKey)], active: nextKey, nextKey: nextKey + 1 };
}

/** A new tab where the old one was; it is looked at. */
export function replaceTab(tabs: Tabs, key: number): Tabs {
  const { list, nextKey } = tabs;
  const replaced = list.map((tab) => (tab.key === key ? newTab(nextKey) : tab));
  return { list: replaced, active: nextKey, nextKey: nextKey + 1 };
}

/** Its neighbour is looked at where it was. */
export function removeTab(tabs: Tabs, key: number): Tabs {
  const at = tabs.list.findIndex((tab) => tab.key === key);
  if (at === -1) return tabs;
  const list = tabs.list.toSpliced(at, 1);
  const neighbour = list[Math.min(at, list.length - 1)];
  const active = tabs.active === key ? (neighbour?.key ?? 0) : tabs.active;
  return look({ ...tabs, list, active });
}

export function tellTab(tabs: Tabs, key: number, event: TabEvent, at: number): Tabs {
  const list = tabs.list.map((tab) => (tab.key === key ? reduceTab(tab, event, at) : tab));
  return look({ ...tabs, list });
}

export function activeTab(tabs: Tabs): Tab | undefined {
  return tabs.list.find((tab) => tab.key === tabs.active);
}

export function switchTo(tabs: Tabs, key: number): Tabs {
  return tabs.list.some((tab) => tab.key === key) ? look({ ...tabs, active: key }) : tabs;
}

/** By the number on screen, from 1. */
export function switchToNumber(tabs: Tabs, number: number): Tabs {
  const tab = tabs.list[number - 1];
  return tab === undefined ? tabs : switchTo(tabs, tab.key);
}

export function switchBy(tabs: Tabs, step: -1 | 1): Tabs {
  const at = tabs.list.findIndex((tab) => tab.key === tabs.active);
  const next = tabs.list[(at + step + tabs.list.length) % tabs.list.length];
  return next === undefined ? tabs : switchTo(tabs, next.key);
}

/** The tabs in the background in which somebody waits for the user, the longest wait first. */
export function waitingElsewhere(tabs: Tabs): readonly Tab[] {
  return tabs.list
    .filter((tab) => tab.key !== tabs.active && tab.prompts.length > 0)
    .toSorted((one, other) => (one.prompts[0]?.key ?? 0) - (other.prompts[0]?.key ?? 0));
}

/** Who would end with the program. */
export function allAgentsAtWork({ list }: Tabs): readonly string[] {
  return list.flatMap(agentsAtWork);
}

/** What is looked at is read. */
function look(tabs: Tabs): Tabs {
  const list = tabs.list.map((tab) =>
    tab.key === tabs.active ? reduceTab(tab, { kind: 'looked-at' }, 0) : tab,
  );
  return { ...tabs, list };
}
