// The loop of line mode: read a prompt, print what comes of it, ask what agents ask, until the user leaves.
import type { Leaving } from '@codey/agent';
import { sanitise } from '../../terminal/sanitise.ts';
import { sayAgent } from '../commands/agents.ts';
import type { CommandContext } from '../commands/command.ts';
import { hookLine } from '../commands/hook-line.ts';
import { sayListed } from '../commands/live-list.ts';
import { mayEnd } from '../commands/may-end.ts';
import { commands } from '../commands/registry.ts';
import { submitText } from '../commands/submit.ts';
import type { OpenWhat, SessionHost } from '../ports.ts';
import type { Clock } from '../screen/clock.ts';
import { agentsAtWork, runningShell, sayEnded } from '../state/at-work.ts';
import { newTab, reduceTab, type Tab, type TabEvent } from '../state/tab.ts';
import { createTabControl } from '../tabs/control.ts';
import { type AskPorts, askInLines, pickInLines } from './ask.ts';
import { createPrinter } from './printer.ts';

export interface ConversationPorts extends AskPorts {
  readonly host: SessionHost;
  readonly cwd: string;
  readonly openAddress: (url: string) => void;
  readonly clock: Clock;
}

export interface Conversation {
  open(what: OpenWhat): Promise<'open' | 'blocked'>;
  /** Resolves when the user has left. */
  loop(): Promise<void>;
  interrupt(): void;
  close(leaving: Leaving): Promise<void>;
}

export function createConversation(ports: ConversationPorts): Conversation {
  const { host, clock, reader, print } = ports;
  const printer = createPrinter(print, ports.width);
  let tab: Tab = newTab(1);
  let left = false;
  let promptKey = 0;
  let changed: () => void = () => {};

  function tell(event: TabEvent): void {
    tab = reduceTab(tab, event, clock.now());
    printer.show(tab.transcript.blocks);
    changed();
  }

  const control = createTabControl(1, {
    host,
    tell,
    state: () => tab,
    cwd: ports.cwd,
    openAddress: ports.openAddress,
    nextPromptKey() {
      promptKey += 1;
      return promptKey;
    },
    giveBack: (text) => print(`Not sent: ${text}`),
  });

  function context(): CommandContext {
    const notHere = (): void => print('Line mode has one session; start codey again for another one.');
    return {
      tab: () => tab,
      session: control.session,
      host,
      commands,
      keys: [],
      say: (tone, text) => tell({ kind: 'said', tone, text }),
      reply: (title, text) => tell({ kind: 'replied', title, text }),
      choose: (title, items, empty) => pickInLines(title, items, empty, ports),
      async showHooks() {
        for (const hook of (await control.session?.hooks.list()) ?? []) print(hookLine(hook));
      },
      // Its questions are drawn over themselves, which plain lines cannot do.
      setUp: async () => ({
        kind: 'refused',
        why: 'it needs a terminal that can do more; run codey setup in one',
      }),
      showAgents() {
        const list = control.session?.agents.list() ?? [];
        for (const agent of list) print(sanitise(sayAgent(agent), { oneLine: true }));
        if (list.length === 0) print('No agent is at work; /fork <prompt> starts one.');
      },
      async showList(list) {
        sayListed(await list.read(), list.title(), {
          say: (tone, text) => tell({ kind: 'said', tone, text }),
          reply: (title, text) => tell({ kind: 'replied', title, text }),
        });
      },
      refresh: control.refresh,
      openTab: notHere,
      closeTab: leave,
      clearTab: notHere,
      resumeSession: notHere,
      togglePause: control.togglePause,
      copy: () => print('There is no clipboard here.'),
      quit: leave,
    };
  }

  async function leave(): Promise<void> {
    left = await mayEnd(agentsAtWork(tab), (...asked) => pickInLines(...asked, ports));
  }

  /** Asks what is asked until the work is done. */
  async function attend(isDone: () => boolean): Promise<void> {
    while (!isDone()) {
      const [prompt] = tab.prompts;
      const answer = prompt && (await askInLines(prompt, ports));
      if (prompt !== undefined && answer !== undefined) control.answer(prompt.key, answer);
      // Nobody is there any more to answer.
      else if (prompt !== undefined) control.stopAsker(prompt);
      if (!isDone() && tab.prompts.length === 0) await nextChange();
    }
  }

  function nextChange(): Promise<void> {
    return new Promise((resolve) => {
      changed = resolve;
    });
  }

  return {
    async open(what) {
      let isOpen = false;
      const opening = control.open(what).finally(() => {
        isOpen = true;
        changed();
      });
      // The program may ask before there is a session: about hooks of the repository, about broken settings.
      await attend(() => isOpen);
      return opening;
    },
    async loop() {
      for (;;) {
        const line = await reader.ask('> ');
        if (line === undefined) return;
        if (line.trim() === '') await leave();
        await submitText(line, control, {
          store: { tell: (_key, event) => tell(event) },
          history: host.history,
          contextOf: context,
        });
        await attend(() => tab.run === undefined && runningShell(tab) === undefined);
        if (left) return;
      }
    },
    interrupt: control.interrupt,
    async close(leaving) {
      const ended = agentsAtWork(tab);
      await control.close(leaving);
      if (ended.length > 0) print(sayEnded(ended));
    },
  };
}
