// Wires the screen: tabs, their sessions, prompts, commands and keys. What each of them does is elsewhere.
import type { Leaving } from '@codey/agent';
import { commands, readCommand } from './commands/registry.ts';
import { noSessions, sessionItems } from './commands/resume.ts';
import type { CommandContext } from './commands/command.ts';
import { type Composer, createComposer } from './composer/composer.ts';
import { createProjectFiles, type ProjectFiles } from './composer/files.ts';
import { type Action, actionOf, keyHelp } from './keys.ts';
import { createHooksPanel } from './panels/hooks.ts';
import type { Panel } from './panels/panel.ts';
import { createPick, type PickItem } from './panels/pick.ts';
import type { OpenWhat, SessionHost } from './ports.ts';
import { createCallEditor, type CallEditor } from './prompts/call-editor.ts';
import { createKeyboardOwner } from './prompts/keyboard-owner.ts';
import { promptKey } from './prompts/prompt-key.ts';
import type { Clock } from './screen/clock.ts';
import type { Highlighter } from './screen/highlight.ts';
import { type Key, keyName, readKey } from './screen/keys.ts';
import type { Screen, View } from './screen/screen.ts';
import type { Style } from './screen/style.ts';
import { nextMode } from './state/next-mode.ts';
import type { OpenPrompt } from './state/prompt.ts';
import type { Tab, TabEvent } from './state/tab.ts';
import {
  activeTab,
  addTab,
  noTabs,
  removeTab,
  switchBy,
  switchToNumber,
  type Tabs,
  tellTab,
} from './state/tabs.ts';
import { createTabControl, type TabControl } from './tabs/control.ts';
import { createTicker } from './tabs/ticker.ts';
import { tabBar } from './tabs/tab-bar.ts';
import { bottomLines } from './widgets/bottom.ts';
import { createTranscriptView, type TranscriptView } from './widgets/transcript-view.ts';

export interface AppPorts {
  readonly screen: Screen;
  readonly style: Style;
  readonly highlighter: Highlighter;
  readonly clock: Clock;
  readonly host: SessionHost;
  readonly cwd: string;
  /** Stops the program until the shell lets it go on. */
  readonly suspend: () => void;
  /** Shows a file to the user; resolves with a sentence on why not. */
  readonly editFile: (file: string, line: number) => Promise<string | undefined>;
  /** The user is tired of waiting for sessions to close. */
  readonly hurry: () => void;
}

export interface App {
  /** Opens the first session; resolves when it is open, rejects with what kept it from opening. */
  open(what: OpenWhat | 'choose'): Promise<void>;
  /** Resolves when the user wants to leave. */
  readonly wantsToLeave: Promise<void>;
  /** Stops what every session is doing. */
  interruptAll(): void;
  /** Closes every session. */
  closeAll(leaving: () => Leaving): Promise<void>;
  /** Ids of the sessions that were open, for saying how to come back. */
  readonly sessionIds: () => readonly string[];
}

/** The live parts of one tab. */
interface Parts {
  readonly control: TabControl;
  readonly composer: Composer;
  readonly transcript: TranscriptView;
}

/** Within this time a second Ctrl+C leaves. */
const leaveMs = 2_000;

export function createApp(ports: AppPorts): App {
  const { screen, style, clock, host, highlighter } = ports;
  let tabs: Tabs = noTabs;
  let panel: Panel | undefined;
  let message: string | undefined;
  let leaveUntil = Number.NEGATIVE_INFINITY;
  let leaving = false;
  let promptCount = 0;
  let callEditor: CallEditor | undefined;
  let files: ProjectFiles | undefined;
  const parts = new Map<number, Parts>();
  const opened = new Set<string>();
  const keyboard = createKeyboardOwner(clock, screen.changed);
  const ticker = createTicker(clock, screen.changed, () => activeTab(tabs));
  let wantLeave: () => void = () => {};
  const wantsToLeave = new Promise<void>((resolve) => {
    wantLeave = resolve;
  });

  function tell(key: number, event: TabEvent): void {
    tabs = tellTab(tabs, key, event, clock.now());
    ticker.look();
    screen.changed();
  }

  function makeTab(): Parts {
    tabs = addTab(tabs);
    const key = tabs.active;
    const state = (): Tab | undefined => tabs.list.find((tab) => tab.key === key);
    const control = createTabControl(key, {
      host,
      state,
      cwd: ports.cwd,
      tell: (event) => tell(key, event),
      nextPromptKey: () => {
        promptCount += 1;
        return promptCount;
      },
      giveBack: (text) => composer.setText([text, composer.text()].filter(Boolean).join('\n\n')),
    });
    const composer: Composer = createComposer({
      screen,
      style,
      commands,
      context: () => contextOf(key),
      files: () => (files ??= createProjectFiles(control.session?.facts().root ?? ports.cwd, clock)),
      history: host.history.entries,
      submit: (text) => submit(key, text),
    });
    const transcript = createTranscriptView({
      blocks: () => state()?.transcript.blocks ?? [],
      style,
      highlight: highlighter.highlight,
      again: screen.changed,
    });
    const made = { control, composer, transcript };
    parts.set(key, made);
    return made;
  }

  const active = (): Parts | undefined => parts.get(tabs.active);

  async function openIn({ control }: Parts, what: OpenWhat): Promise<void> {
    const became = await control.open(what);
    if (became === 'blocked') return;
    const id = control.session?.facts().id;
    if (id !== undefined) opened.add(id);
    const [first] = tabs.list.find((tab) => tab.key === control.key)?.queue ?? [];
    // What was typed while the session opened.
    if (first !== undefined) {
      tell(control.key, { kind: 'unqueued' });
      control.submit(first);
    }
  }

  function openLater(made: Parts, what: OpenWhat): void {
    openIn(made, what).catch((error: unknown) => {
      const text = error instanceof Error ? error.message : String(error);
      tell(made.control.key, { kind: 'said', tone: 'error', text });
    });
  }

  function submit(key: number, text: string): void {
    const made = parts.get(key);
    if (made === undefined || text.trim() === '') return;
    screen.scrollToEnd();
    host.history.add(text);
    if (text.startsWith('!') && text.length > 1) return made.control.runShell(text.slice(1).trim());
    const read = readCommand(text);
    switch (read.kind) {
      case 'command':
        return runCommand(key, read);
      case 'unknown':
        return tell(key, { kind: 'said', tone: 'error', text: read.message });
      case 'prompt':
        return made.control.submit(text);
    }
  }

  function runCommand(
    key: number,
    { command, argument }: Extract<ReturnType<typeof readCommand>, { kind: 'command' }>,
  ): void {
    const failed = (error: unknown): void =>
      tell(key, {
        kind: 'said',
        tone: 'error',
        text: `/${command.name} failed: ${error instanceof Error ? error.message : String(error)}`,
      });
    try {
      Promise.resolve(command.run(contextOf(key), argument)).catch(failed);
    } catch (error) {
      failed(error);
    }
  }

  function contextOf(key: number): CommandContext {
    const { control } = parts.get(key) as Parts;
    return {
      tab: () => tabs.list.find((tab) => tab.key === key) as Tab,
      session: control.session,
      host,
      commands,
      keys: keyHelp,
      say: (tone, text) => tell(key, { kind: 'said', tone, text }),
      reply: (title, text) => tell(key, { kind: 'replied', title, text }),
      choose,
      showHooks: () => showHooks(control),
      refresh: control.refresh,
      openTab: (what) => openLater(makeTab(), what),
      closeTab: () => closeTab(key),
      reopen: (what, reason) => reopen(key, what, reason),
      togglePause: control.togglePause,
      copy(text) {
        screen.copy(text);
        screen.flash('copied');
      },
      quit: wantLeave,
    };
  }

  function choose(title: string, items: readonly PickItem[], empty: string): Promise<string | undefined> {
    return new Promise((resolve) => {
      const pick = createPick({ title, items, empty, pick: resolve }, style);
      open({
        lines: pick.lines,
        key(key) {
          const became = pick.key(key);
          // Nothing chosen: whoever waits goes on without. After a choice this changes nothing.
          if (became === 'closed') resolve(undefined);
          return became;
        },
      });
    });
  }

  function open(next: Panel | undefined): void {
    panel = next;
    screen.changed();
  }

  function showHooks({ key, session }: TabControl): void {
    if (session === undefined)
      return tell(key, { kind: 'said', tone: 'plain', text: 'The session is not open.' });
    open(
      createHooksPanel(
        {
          control: session.hooks,
          lastRuns: () => tabs.list.find((tab) => tab.key === key)?.hooks.last ?? new Map(),
          now: clock.now,
          changed: screen.changed,
          openFile(file, line) {
            ports.editFile(file, line).then(
              (problem) => problem !== undefined && say(problem),
              (error: unknown) => say(String(error)),
            );
          },
        },
        style,
      ),
    );
  }

  function say(text: string): void {
    message = text;
    screen.changed();
    clock.after(leaveMs, () => {
      if (message === text) message = undefined;
      screen.changed();
    });
  }

  function closeTab(key: number): void {
    const made = parts.get(key);
    if (made === undefined) return;
    if (tabs.list.length === 1) return wantLeave();
    void made.control.close({ reason: 'closed', hurry: AbortSignal.timeout(closeMs) }).finally(() => {
      tabs = removeTab(tabs, key);
      parts.delete(key);
      screen.changed();
    });
  }

  function reopen(key: number, what: OpenWhat, reason: 'clear' | 'resume'): void {
    const old = parts.get(key);
    if (old === undefined) return;
    const made = makeTab();
    void old.control.close({ reason, hurry: AbortSignal.timeout(closeMs) }).finally(() => {
      tabs = removeTab(tabs, key);
      parts.delete(key);
      openLater(made, what);
    });
  }

  function act(action: Action): void {
    switch (action.kind) {
      case 'new-tab':
        return openLater(makeTab(), { kind: 'new' });
      case 'close-tab':
        return closeTab(tabs.active);
      case 'next-tab':
        return look(switchBy(tabs, action.step));
      case 'to-tab':
        return look(switchToNumber(tabs, action.number));
      case 'pause':
        return active()?.control.togglePause();
      case 'next-mode':
        return changeMode();
      case 'unfold':
        active()?.transcript.toggleAll();
        return screen.changed();
      case 'history':
        return findPrompt();
      case 'redraw':
        return screen.redraw();
      case 'suspend':
        return ports.suspend();
      case 'leave-or-stop':
        return leaveOrStop();
    }
  }

  function look(next: Tabs): void {
    tabs = next;
    panel = undefined;
    callEditor = undefined;
    ticker.look();
    screen.changed();
  }

  function changeMode(): void {
    const control = active()?.control;
    const session = control?.session;
    if (control === undefined || session === undefined) return;
    session.useMode(nextMode(session.facts().mode));
    control.refresh();
  }

  function findPrompt(): void {
    const items = [...new Set(host.history.entries)]
      .toReversed()
      .map((text) => ({ value: text, label: text }));
    void choose('Earlier prompts', items, 'nothing was asked yet').then((text) => {
      if (text !== undefined) active()?.composer.setText(text);
    });
  }

  function leaveOrStop(): void {
    if (leaving) return ports.hurry();
    if (clock.now() < leaveUntil) return wantLeave();
    leaveUntil = clock.now() + leaveMs;
    const made = active();
    if (panel !== undefined) open(undefined);
    else if (made !== undefined && made.composer.text() !== '') made.composer.setText('');
    else made?.control.interrupt();
    say('Ctrl+C again leaves');
  }

  /** The prompt that has the keyboard, if one has. */
  function promptBefore(): OpenPrompt | undefined {
    const prompt = activeTab(tabs)?.prompts[0];
    if (prompt === undefined || panel !== undefined) return undefined;
    return keyboard.belongsTo(prompt.key) ? prompt : undefined;
  }

  function input(data: string): void {
    const key = readKey(data);
    const action = key?.kind === 'named' ? actionOf(key.name) : undefined;
    const prompt = promptBefore();
    // In a prompt of several questions Shift+Tab goes back to the one before.
    if (action !== undefined && !(prompt !== undefined && action.kind === 'next-mode')) return act(action);
    if (panel !== undefined) return panelInput(panel, key);
    if (prompt !== undefined) return promptInput(prompt, key, data);
    composerInput(key, data);
  }

  function panelInput(shown: Panel, key: Key | undefined): void {
    if (key !== undefined && shown.key(key) === 'closed' && panel === shown) open(undefined);
  }

  function promptInput(prompt: OpenPrompt, key: Key | undefined, data: string): void {
    const editing = editorOf(prompt);
    const name = key === undefined ? undefined : keyName(key);
    if (editing !== undefined && name !== 'escape') return editing.input(data);
    const step = key === undefined ? undefined : promptKey(prompt, key);
    switch (step?.kind) {
      case 'changed':
        return tell(tabs.active, { kind: 'prompt-changed', prompt: step.prompt });
      case 'answered':
        keyboard.typed();
        return active()?.control.answer(prompt.key, step.answer);
      case undefined:
        if (name === 'escape') active()?.control.interrupt();
    }
  }

  /** The editor in which a call is changed, while it is. */
  function editorOf(prompt: OpenPrompt): CallEditor | undefined {
    if (prompt.kind !== 'approval' || prompt.state.step.kind !== 'edit') return undefined;
    if (callEditor?.promptKey !== prompt.key) {
      callEditor = createCallEditor(prompt, screen, style, {
        done(answer) {
          keyboard.typed();
          active()?.control.answer(prompt.key, { kind: 'approval', answer });
        },
        problem: (text) =>
          tell(tabs.active, {
            kind: 'prompt-changed',
            prompt: { ...prompt, state: { ...prompt.state, step: { kind: 'edit', problem: text } } },
          }),
      });
    }
    return callEditor;
  }

  function composerInput(key: Key | undefined, data: string): void {
    const made = active();
    if (made === undefined) return;
    const { composer, control } = made;
    const name = key === undefined ? undefined : keyName(key);
    if (activeTab(tabs)?.prompts.length !== 0) keyboard.typed();
    if (name === 'escape' && !composer.menuOpen && control.interrupt()) return;
    if (name === 'ctrl+d' && composer.text() === '') return closeTab(tabs.active);
    // Enter while a prompt has just opened was meant for neither of the two for certain.
    if (name === 'enter' && activeTab(tabs)?.prompts.length !== 0) return;
    if (key?.kind !== 'named') keyboard.typed();
    composer.input(data);
  }

  const view: View = {
    top: (width) => [tabBar(tabs, width, style)],
    main: () => (panel === undefined ? (active()?.transcript ?? noRegion) : { fill: panel.lines }),
    bottom(size) {
      const tab = activeTab(tabs);
      const prompt = promptBefore();
      return bottomLines(
        {
          tabs,
          tab,
          now: clock.now(),
          message,
          ownsKeys: prompt !== undefined,
          panelOpen: panel !== undefined,
          editor: prompt === undefined ? undefined : editorOf(prompt)?.lines(size.columns),
          composer: (focused) => active()?.composer.lines(size.columns, focused) ?? [],
        },
        size,
        style,
      );
    },
    input,
    takesScrollKeys: () =>
      panel !== undefined || promptBefore() !== undefined || active()?.composer.menuOpen === true,
  };
  screen.start(view);
  highlighter.load().then(
    () => {
      for (const { transcript } of parts.values()) transcript.refresh();
      screen.changed();
    },
    // Code stays plain.
    () => {},
  );

  return {
    wantsToLeave,
    async open(what) {
      const made = makeTab();
      if (what !== 'choose') return openIn(made, what);
      const id = await choose('Go on with which session?', sessionItems(await host.sessions()), noSessions);
      return openIn(made, id === undefined ? { kind: 'new' } : { kind: 'session', id, fork: false });
    },
    interruptAll() {
      for (const { control } of parts.values()) control.interrupt();
    },
    async closeAll(leave) {
      leaving = true;
      panel = undefined;
      await Promise.all([...parts.values()].map(({ control }) => control.close(leave())));
      ticker.stop();
    },
    sessionIds: () => [...opened],
  };
}

/** A closed tab waits so long for its hooks; the program has a budget of its own. */
const closeMs = 30_000;

const noRegion = { lines: () => [], clicked: () => {} };
