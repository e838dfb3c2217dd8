// Wires the screen: its state, the live tabs, prompts, commands, keys and what is drawn. What each does is elsewhere.
import type { Leaving } from '@codey/agent';
import { exitCodes, StartError } from '../start/exit.ts';
import { createActions } from './actions.ts';
import type { CommandContext } from './commands/command.ts';
import { sayListed } from './commands/live-list.ts';
import { commands } from './commands/registry.ts';
import { noSessions, sessionItems } from './commands/resume.ts';
import { submitText } from './commands/submit.ts';
import { createComposer } from './composer/composer.ts';
import { createProjectFiles, type ProjectFiles } from './composer/files.ts';
import { createInput } from './input.ts';
import { keyHelp } from './keys.ts';
import { createPanelOpener } from './panels/open-panels.ts';
import type { OpenWhat, SessionHost } from './ports.ts';
import { createCallEditors } from './prompts/call-editor.ts';
import { createKeyboardOwner } from './prompts/keyboard-owner.ts';
import type { Clock } from './screen/clock.ts';
import type { Highlighter } from './screen/highlight.ts';
import type { Screen } from './screen/screen.ts';
import type { Style } from './screen/style.ts';
import type { SetupEnd } from '../setup/open-wizard.ts';
import type { Notices } from '../terminal/notices.ts';
import { noticesOf } from './session/tab-notices.ts';
import { createStore } from './state/store.ts';
import type { Tab } from './state/tab.ts';
import { allAgentsAtWork } from './state/tabs.ts';
import type { TabControl } from './tabs/control.ts';
import { createTabSet } from './tabs/tab-set.ts';
import { createTicker } from './tabs/ticker.ts';
import { createView } from './view.ts';
import { createTranscriptView } from './widgets/transcript-view.ts';

export interface AppPorts {
  readonly screen: Screen;
  readonly style: Style;
  readonly highlighter: Highlighter;
  readonly clock: Clock;
  readonly host: SessionHost;
  readonly cwd: string;
  /** Said in the first tab before anything else: what the screen hides of the start. */
  readonly saidBefore?: string;
  readonly openAddress: (url: string) => void;
  /** Told the id of the session that is looked at, whenever it is another one. */
  readonly inView: (session: string) => void;
  /** Stops the program until the shell lets it go on. */
  readonly suspend: () => void;
  /** Shows a file to the user; resolves with a sentence on why not. */
  readonly editFile: (file: string, line: number) => Promise<string | undefined>;
  /** Runs the setup wizard in place of the screen; what it has to say is shown when that is back. */
  readonly setUp: (notices: Notices) => Promise<SetupEnd>;
  /** The user is tired of waiting for sessions to close. */
  readonly hurry: () => void;
}

export interface App {
  /** Opens the first session. Rejects with StartError for what keeps it from opening. */
  open(what: OpenWhat | 'choose'): Promise<void>;
  /** Resolves when the user wants to leave. */
  readonly wantsToLeave: Promise<void>;
  closeAll(leaving: () => Leaving): Promise<void>;
  /** Names of the agents beside the main ones that end when the sessions are closed now. */
  readonly atWork: readonly string[];
  /** The sessions on screen in which something was asked, for saying how to come back to them. */
  readonly sessionIds: readonly string[];
}

export function createApp(ports: AppPorts): App {
  const { screen, style, clock, host, highlighter, editFile } = ports;
  const { history } = host;
  let closing = false;
  let files: ProjectFiles | undefined;
  let inView: string | undefined;
  let leave: () => void = () => {};
  const wantsToLeave = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const store = createStore(clock, () => {
    ticker.look();
    tellInView();
    screen.changed();
  });
  const ticker = createTicker(clock, screen.changed, () => store.active);
  const keyboard = createKeyboardOwner(clock, screen.changed);
  const panels = createPanelOpener({ store, style, clock, changed: screen.changed, editFile });
  const tabSet = createTabSet({
    store,
    host,
    cwd: ports.cwd,
    openAddress: ports.openAddress,
    createComposer: (control) =>
      createComposer({
        screen,
        style,
        commands,
        history: history.entries,
        context: () => contextOf(control),
        files: () => (files ??= createProjectFiles(control.session?.facts().root ?? ports.cwd, clock)),
        submit(text) {
          screen.scrollToEnd();
          void submitText(text, control, { store, history, contextOf });
        },
      }),
    createTranscript: (key) =>
      createTranscriptView({
        blocks: () => store.tab(key)?.transcript.blocks ?? [],
        style,
        highlight: highlighter.highlight,
        again: screen.changed,
      }),
  });
  const editors = createCallEditors({
    screen,
    style,
    answer(promptKey, answer) {
      tabSet.active?.control.answer(promptKey, { kind: 'approval', answer });
    },
    change: (prompt) => store.tell(store.tabs.active, { kind: 'prompt-changed', prompt }),
  });
  const hurry = (): (() => void) | undefined => (closing ? ports.hurry : undefined);
  const actions = createActions({
    store,
    tabSet,
    screen,
    clock,
    panels,
    history,
    suspend: ports.suspend,
    leave,
    hurry,
  });
  const input = createInput({ store, tabSet, keyboard, editors, actions });

  function sayAgain(): void {
    const { saidBefore: text } = ports;
    if (text !== undefined) store.tell(store.tabs.active, { kind: 'said', tone: 'plain', text });
  }

  function tellInView(): void {
    const id = store.active?.facts?.id;
    if (id === undefined || id === inView) return;
    inView = id;
    ports.inView(id);
  }

  function contextOf(control: TabControl): CommandContext {
    const { key, session } = control;
    return {
      tab: () => store.tab(key),
      session,
      host,
      commands,
      keys: keyHelp,
      say: (tone, text) => store.tell(key, { kind: 'said', tone, text }),
      reply: (title, text) => store.tell(key, { kind: 'replied', title, text }),
      choose: panels.choose,
      showHooks: () => panels.hooks(control),
      setUp: () => ports.setUp(noticesOf((event) => store.tell(key, event))),
      showAgents: () => panels.agents(control),
      async showList(list) {
        const listed = await list.read();
        if (listed.kind === 'rows') return panels.list(control, list, listed);
        sayListed(listed, list.title(), {
          say: (tone, text) => store.tell(key, { kind: 'said', tone, text }),
          reply: () => {},
        });
      },
      refresh: control.refresh,
      openTab: () => tabSet.openLater({ kind: 'new' }),
      closeTab: () => actions.act({ kind: 'close-tab' }),
      clearTab: () => tabSet.clear(key),
      resumeSession: (id) => tabSet.resume(key, id),
      togglePause: control.togglePause,
      copy(text) {
        screen.copy(text);
        screen.flash('copied');
      },
      quit: actions.leave,
    };
  }

  screen.start(createView({ store, tabSet, editors, input, clock, style }));
  // Behind the first frame; without it code stays plain.
  highlighter.load().then(
    () => {
      tabSet.refreshAll();
      screen.changed();
    },
    () => {},
  );

  return {
    wantsToLeave,
    async open(what) {
      const became = await tabSet.open(() => {
        sayAgain();
        return what === 'choose' ? chooseSession() : what;
      });
      if (became === 'open') return;
      const reason = store.active?.transcript.blocks.findLast((block) => block.kind === 'notice');
      throw new StartError(
        reason?.kind === 'notice' ? reason.text : 'The session was not opened.',
        exitCodes.failed,
      );
    },
    async closeAll(leaving) {
      closing = true;
      store.open(undefined);
      await tabSet.closeAll(leaving);
      ticker.stop();
    },
    get atWork() {
      return allAgentsAtWork(store.tabs);
    },
    get sessionIds() {
      return store.tabs.list.filter(wasUsed).flatMap(({ facts }) => (facts === undefined ? [] : [facts.id]));
    },
  };

  async function chooseSession(): Promise<OpenWhat> {
    const items = sessionItems(await host.sessions());
    const id = await panels.choose('Go on with which session?', items, noSessions);
    return id === undefined ? { kind: 'new' } : { kind: 'session', id, fork: false };
  }
}

function wasUsed({ transcript }: Tab): boolean {
  return transcript.blocks.some(({ kind }) => kind === 'prompt');
}
