// What is on screen, made of the state with every frame.
import type { Input } from './input.ts';
import type { CallEditors } from './prompts/call-editor.ts';
import type { Clock } from './screen/clock.ts';
import type { View } from './screen/screen.ts';
import type { Style } from './screen/style.ts';
import type { Store } from './state/store.ts';
import { tabBar } from './tabs/tab-bar.ts';
import type { TabSet } from './tabs/tab-set.ts';
import { bottomLines } from './widgets/bottom.ts';

export interface ViewPorts {
  readonly store: Store;
  readonly tabSet: TabSet;
  readonly editors: CallEditors;
  readonly input: Input;
  readonly clock: Clock;
  readonly style: Style;
}

export function createView({ store, tabSet, editors, input, clock, style }: ViewPorts): View {
  return {
    top: (width) => [tabBar(store.tabs, width, style)],
    main: () =>
      store.panel === undefined ? (tabSet.active?.transcript ?? nothing) : { rowsFor: store.panel.lines },
    bottom(size) {
      const prompt = input.promptBefore();
      return bottomLines(
        {
          tabs: store.tabs,
          tab: store.active,
          now: clock.now(),
          message: store.message,
          composerOwns: input.composerOwns(),
          panelOpen: store.panel !== undefined,
          editor: prompt === undefined ? undefined : editors.of(prompt)?.lines(size.columns),
          composer: (focused) => tabSet.active?.composer.lines(size.columns, focused) ?? [],
        },
        size,
        style,
      );
    },
    input: input.read,
    takesScrollKeys: () =>
      store.panel !== undefined ||
      input.promptBefore() !== undefined ||
      tabSet.active?.composer.menuOpen === true,
  };
}

const nothing = { lines: () => [], clicked: () => {} };
