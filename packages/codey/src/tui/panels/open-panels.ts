// Opens the panels over a tab: a list to choose from, the hooks of its session.
import type { Listed, LiveList } from '../commands/live-list.ts';
import type { Clock } from '../screen/clock.ts';
import type { Style } from '../screen/style.ts';
import type { Store } from '../state/store.ts';
import type { TabControl } from '../tabs/control.ts';
import { createAgentsPanel } from './agents.ts';
import { createHooksPanel } from './hooks.ts';
import { createListPanel } from './list.ts';
import { createPick, type PickItem } from './pick.ts';

export interface PanelOpener {
  /** Undefined when nothing was chosen. */
  choose(title: string, items: readonly PickItem[], empty: string): Promise<string | undefined>;
  hooks(control: TabControl): void;
  agents(control: TabControl): void;
  /** `listed` is what the list said just now. */
  list(control: TabControl, list: LiveList, listed: Listed): void;
}

export interface PanelPorts {
  readonly store: Store;
  readonly style: Style;
  readonly clock: Clock;
  readonly changed: () => void;
  readonly editFile: (file: string, line: number) => Promise<string | undefined>;
}

export function createPanelOpener({ store, style, clock, changed, editFile }: PanelPorts): PanelOpener {
  return {
    choose: (title, items, empty) =>
      new Promise((resolve) => {
        const pick = createPick({ title, items, empty, pick: resolve }, style);
        store.open({
          ...pick,
          closed() {
            // Whoever waits goes on without a choice; after one this changes nothing.
            resolve(undefined);
          },
        });
      }),
    agents({ session }) {
      if (session !== undefined) store.open(createAgentsPanel({ agents: session.agents, changed }, style));
    },
    list({ session }, list, listed) {
      if (session === undefined) return;
      const { watch } = session.agents;
      store.open(createListPanel({ list, listed, watch, clock, changed }, style));
    },
    hooks({ key, session }) {
      if (session === undefined) {
        store.tell(key, { kind: 'said', tone: 'plain', text: 'The session is not open.' });
        return;
      }
      const openFile = (file: string, line: number): void => {
        editFile(file, line).then(
          (problem) => {
            if (problem !== undefined) store.say(problem);
          },
          (error: unknown) => store.say(String(error)),
        );
      };
      const review = (): void => {
        session.hooks.review().then(
          (said) => store.tell(key, { kind: 'said', tone: 'plain', text: said }),
          (error: unknown) => store.say(String(error)),
        );
      };
      const lastRuns = () => store.tab(key)?.hooks.last ?? new Map();
      store.open(
        createHooksPanel(
          { control: session.hooks, lastRuns, now: clock.now, changed, openFile, review },
          style,
        ),
      );
    },
  };
}
