// The live parts of all tabs: each with its session, its composer and its transcript; opened, closed, put in place of another.
import type { Leaving } from '@codey/agent';
import type { Composer } from '../composer/composer.ts';
import type { OpenWhat, SessionHost } from '../ports.ts';
import type { Store } from '../state/store.ts';
import { agentsAtWork, nameAgents } from '../state/at-work.ts';
import { addTab, removeTab, replaceTab } from '../state/tabs.ts';
import type { TranscriptView } from '../widgets/transcript-view.ts';
import { createTabControl, type TabControl } from './control.ts';

export interface LiveTab {
  readonly control: TabControl;
  readonly composer: Composer;
  readonly transcript: TranscriptView;
}

export interface TabSet {
  readonly active: LiveTab | undefined;
  get(key: number): LiveTab | undefined;
  /** A new tab that is looked at. Rejects with what kept its session from opening. */
  open(choose: () => OpenWhat | Promise<OpenWhat>): Promise<'open' | 'blocked'>;
  /** The same; what went wrong is told in the tab. */
  openLater(what: OpenWhat): void;
  close(key: number): Promise<void>;
  /** Ends the session of a tab and begins an empty one in its place. */
  clear(key: number): void;
  /** Puts an earlier session in the place of the tab's own, which stays if that one cannot be opened. */
  resume(key: number, id: string): void;
  closeAll(leaving: () => Leaving): Promise<void>;
  refreshAll(): void;
}

export interface TabSetPorts {
  readonly store: Store;
  readonly host: Pick<SessionHost, 'open'>;
  readonly cwd: string;
  readonly openAddress: (url: string) => void;
  readonly createComposer: (control: TabControl) => Composer;
  readonly createTranscript: (key: number) => TranscriptView;
}

/** A closed tab waits so long for its hooks; the program's own budget is another one. */
const closeMs = 30_000;

export function createTabSet(ports: TabSetPorts): TabSet {
  const { store, host, cwd } = ports;
  const live = new Map<number, LiveTab>();
  let promptCount = 0;

  /** The live side of the tab that is looked at, which was just added. */
  function equip(): LiveTab {
    const key = store.tabs.active;
    const control = createTabControl(key, {
      host,
      cwd,
      openAddress: ports.openAddress,
      state: () => store.tab(key),
      tell: (event) => store.tell(key, event),
      nextPromptKey() {
        promptCount += 1;
        return promptCount;
      },
      giveBack: (text) => composer.setText([text, composer.text()].filter(Boolean).join('\n\n')),
    });
    const composer = ports.createComposer(control);
    const made = { control, composer, transcript: ports.createTranscript(key) };
    live.set(key, made);
    return made;
  }

  function sayProblem(key: number, error: unknown): void {
    const text = error instanceof Error ? error.message : String(error);
    store.tell(key, { kind: 'said', tone: 'error', text });
  }

  function remove(key: number): void {
    store.change((tabs) => removeTab(tabs, key));
    live.delete(key);
  }

  /** Who ends with the session of a tab; asked before it closes, said where somebody looks then. */
  function agentsIn(key: number): readonly string[] {
    const tab = store.tab(key);
    return tab === undefined ? [] : agentsAtWork(tab);
  }

  function sayEnded(key: number, agents: readonly string[]): void {
    const text = `${nameAgents(agents)} at work ended with the conversation before.`;
    if (agents.length > 0) store.tell(key, { kind: 'said', tone: 'plain', text });
  }

  function leave(reason: Leaving['reason']): Leaving {
    return { reason, hurry: AbortSignal.timeout(closeMs) };
  }

  return {
    get active() {
      return live.get(store.tabs.active);
    },
    get: (key) => live.get(key),
    async open(choose) {
      store.change(addTab);
      const made = equip();
      return made.control.open(await choose());
    },
    openLater(what) {
      store.change(addTab);
      const made = equip();
      made.control.open(what).catch((error: unknown) => sayProblem(made.control.key, error));
    },
    async close(key) {
      const ended = agentsIn(key);
      await live.get(key)?.control.close(leave('closed'));
      remove(key);
      if (ended.length > 0) store.say(`${nameAgents(ended)} ended with the tab`);
    },
    clear(key) {
      const old = live.get(key);
      const ended = agentsIn(key);
      void old?.control.close(leave('clear')).finally(() => {
        store.change((tabs) => replaceTab(tabs, key));
        live.delete(key);
        const made = equip();
        sayEnded(made.control.key, ended);
        made.control
          .open({ kind: 'new', cleared: true })
          .catch((error: unknown) => sayProblem(made.control.key, error));
      });
    },
    resume(key, id) {
      store.change(addTab);
      const made = equip();
      made.control.open({ kind: 'session', id, fork: false }).then(
        async (became) => {
          if (became === 'blocked') return;
          sayEnded(made.control.key, agentsIn(key));
          await live.get(key)?.control.close(leave('resume'));
          remove(key);
        },
        (error: unknown) => {
          remove(made.control.key);
          sayProblem(key, error);
        },
      );
    },
    async closeAll(leaving) {
      await Promise.all([...live.values()].map(({ control }) => control.close(leaving())));
    },
    refreshAll() {
      for (const { transcript } of live.values()) transcript.refresh();
    },
  };
}
