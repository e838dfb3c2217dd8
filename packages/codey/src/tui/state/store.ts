// The one place where the screen's state changes: tabs, what lies over them, a word in passing.
import type { Panel } from '../panels/panel.ts';
import type { Clock } from '../screen/clock.ts';
import type { Tab, TabEvent } from './tab.ts';
import { activeTab, noTabs, type Tabs, tellTab } from './tabs.ts';

export interface Store {
  readonly tabs: Tabs;
  readonly active: Tab | undefined;
  readonly panel: Panel | undefined;
  readonly message: string | undefined;
  tab(key: number): Tab | undefined;
  change(next: (tabs: Tabs) => Tabs): void;
  tell(key: number, event: TabEvent): void;
  /** Undefined closes the panel. */
  open(panel: Panel | undefined): void;
  /** Says something for two seconds, unless the returned function takes it back before. */
  say(text: string): () => void;
}

export const messageMs = 2_000;

/** `changed` is called after every change. */
export function createStore(clock: Clock, changed: () => void): Store {
  let tabs: Tabs = noTabs;
  let panel: Panel | undefined;
  let message: { readonly text: string } | undefined;

  function show(next: Panel | undefined): void {
    const before = panel;
    panel = next;
    before?.closed?.();
  }

  return {
    get tabs() {
      return tabs;
    },
    get active() {
      return activeTab(tabs);
    },
    get panel() {
      return panel;
    },
    get message() {
      return message?.text;
    },
    tab: (key) => tabs.list.find((tab) => tab.key === key),
    change(next) {
      const before = tabs.active;
      tabs = next(tabs);
      // A panel is about the tab it was opened over.
      if (tabs.active !== before) show(undefined);
      changed();
    },
    tell(key, event) {
      tabs = tellTab(tabs, key, event, clock.now());
      changed();
    },
    open(next) {
      show(next);
      changed();
    },
    say(text) {
      const said = { text };
      const takeBack = (): void => {
        if (message !== said) return;
        message = undefined;
        changed();
      };
      message = said;
      changed();
      clock.after(messageMs, takeBack);
      return takeBack;
    },
  };
}
