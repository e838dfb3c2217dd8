// What the screen's own keys do.
import { mayEnd } from './commands/may-end.ts';
import type { Action } from './keys.ts';
import type { PanelOpener } from './panels/open-panels.ts';
import type { PromptHistory } from './ports.ts';
import type { Clock } from './screen/clock.ts';
import type { Screen } from './screen/screen.ts';
import { nameAgents } from './state/at-work.ts';
import { nextMode } from './state/next-mode.ts';
import { messageMs, type Store } from './state/store.ts';
import { allAgentsAtWork, switchBy, switchToNumber } from './state/tabs.ts';
import type { TabSet } from './tabs/tab-set.ts';

export interface ActionPorts {
  readonly store: Store;
  readonly tabSet: TabSet;
  readonly screen: Screen;
  readonly clock: Clock;
  readonly panels: PanelOpener;
  readonly history: PromptHistory;
  readonly suspend: () => void;
  readonly leave: () => void;
  /** Undefined until the program is leaving; then the way to wait no longer. */
  readonly hurry: () => (() => void) | undefined;
}

/** Within this time a second Ctrl+C leaves; the hint that says so stays as long. */
const leaveMs = messageMs;

export interface Actions {
  act(action: Action): void;
  /** Asks first where agents would end with it. */
  leave(): void;
  /** Another key than Ctrl+C was pressed: the next one is a first one again. */
  otherKey(): void;
}

export function createActions(ports: ActionPorts): Actions {
  const { store, tabSet, screen, clock, panels, history } = ports;
  let leaveUntil = Number.NEGATIVE_INFINITY;
  let takeBackHint: () => void = () => {};

  function changeMode(): void {
    const control = tabSet.active?.control;
    const session = control?.session;
    if (control === undefined || session === undefined) return;
    session.useMode(nextMode(session.facts().mode));
    control.refresh();
  }

  function findPrompt(): void {
    const typed = [...new Set(history.entries)].toReversed().map((text) => ({ value: text, label: text }));
    void panels.choose('Earlier prompts', typed, 'nothing was asked yet').then((text) => {
      if (text !== undefined) tabSet.active?.composer.setText(text);
    });
  }

  async function leave(): Promise<void> {
    const isLeaving = ports.hurry() !== undefined;
    if (isLeaving || (await mayEnd(allAgentsAtWork(store.tabs), panels.choose))) ports.leave();
  }

  function closeTab(): void {
    if (store.tabs.list.length <= 1) void leave();
    else void tabSet.close(store.tabs.active);
  }

  function leaveOrStop(): void {
    const hurry = ports.hurry();
    if (hurry !== undefined) {
      hurry();
      return;
    }
    if (clock.now() < leaveUntil) {
      ports.leave();
      return;
    }
    leaveUntil = clock.now() + leaveMs;
    const tab = tabSet.active;
    if (store.panel !== undefined) store.open(undefined);
    else if (tab !== undefined && tab.composer.text() !== '') tab.composer.setText('');
    else tab?.control.interrupt();
    const ended = allAgentsAtWork(store.tabs);
    takeBackHint = store.say(
      ended.length === 0 ? 'Ctrl+C again leaves' : `Ctrl+C again leaves and ends ${nameAgents(ended)}`,
    );
  }

  function act(action: Action): void {
    switch (action.kind) {
      case 'new-tab':
        tabSet.openLater({ kind: 'new' });
        break;
      case 'close-tab':
        closeTab();
        break;
      case 'next-tab':
        store.change((tabs) => switchBy(tabs, action.step));
        break;
      case 'to-tab':
        store.change((tabs) => switchToNumber(tabs, action.number));
        break;
      case 'pause':
        tabSet.active?.control.togglePause();
        break;
      case 'next-mode':
        changeMode();
        break;
      case 'unfold':
        tabSet.active?.transcript.toggleAll();
        screen.changed();
        break;
      case 'history':
        findPrompt();
        break;
      case 'redraw':
        screen.redraw();
        break;
      case 'suspend':
        ports.suspend();
        break;
      case 'leave-or-stop':
        leaveOrStop();
    }
  }

  return {
    act,
    leave: () => void leave(),
    otherKey() {
      leaveUntil = Number.NEGATIVE_INFINITY;
      takeBackHint();
    },
  };
}
