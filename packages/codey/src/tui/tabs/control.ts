// The live side of one tab: it opens the session, sends prompts one after the other and closes it. What it does it tells.
import type { Leaving, RunOutcome } from '@codey/agent';
import { createFormPort } from '../prompts/form-port.ts';
import { createPromptDesk, type PromptDesk } from '../prompts/desk.ts';
import type { OpenWhat, SessionHost, TabPorts, TabSession } from '../ports.ts';
import { escapeOf, type OpenPrompt } from '../state/prompt.ts';
import type { Tab, TabEvent } from '../state/tab.ts';
import { fileBefore } from './file-before.ts';

export interface TabControl {
  readonly key: number;
  /** Undefined until it is open, and after it was closed. */
  readonly session: TabSession | undefined;
  /** Resolves when the session is open or was refused; rejects with what kept it from opening. */
  open(what: OpenWhat): Promise<'open' | 'blocked'>;
  /** Sends a prompt, or queues it behind the run under way. */
  submit(text: string): void;
  runShell(line: string): void;
  /** Stops the run and lines of the shell; false when nothing runs. */
  interrupt(): boolean;
  /** Ends who waits for an answer to this prompt: an agent beside the main one, else the run. Where that is not sure, the prompt. */
  stopAsker(prompt: OpenPrompt): void;
  /** Holds the run at the next turn boundary, or lets it go on. */
  togglePause(): void;
  readonly answer: PromptDesk['answer'];
  /** Tells what changed about the session. */
  refresh(): void;
  close(leaving: Leaving): Promise<void>;
}

export interface ControlPorts {
  readonly host: Pick<SessionHost, 'open'>;
  readonly state: () => Tab | undefined;
  readonly tell: (event: TabEvent) => void;
  readonly nextPromptKey: () => number;
  /** Where the program was started: paths of calls are relative to it until the session says where it stands. */
  readonly cwd: string;
  readonly openAddress: (url: string) => void;
  /** Prompts that were queued behind a run that did not end well come back to whoever wrote them. */
  readonly giveBack: (text: string) => void;
}

export function createTabControl(key: number, ports: ControlPorts): TabControl {
  const { host, state, tell } = ports;
  let session: TabSession | undefined;
  let closing: Promise<void> | undefined;
  const shells = new Set<AbortController>();

  const before: Parameters<typeof createPromptDesk>[0]['before'] = (tool, input) =>
    fileBefore(tool, input, session?.facts().cwd ?? ports.cwd);
  const desk = createPromptDesk({ tell, nextKey: ports.nextPromptKey, before });
  const tabPorts: TabPorts = {
    human: desk.human,
    forms: createFormPort({ desk, openAddress: ports.openAddress }),
    decide: desk.decide,
    tell(event) {
      if (event.kind !== 'session' || event.event.kind !== 'call') return tell(event);
      const { tool, input } = event.event;
      const old = before(tool, input as Readonly<Record<string, unknown>>);
      tell({ ...event, ...(old !== undefined && { before: old }) });
    },
  };

  async function run(text: string): Promise<void> {
    if (session === undefined) return;
    tell({ kind: 'submitted', text });
    const outcome = await session.prompt(text);
    tell({ kind: 'run-ended', outcome });
    next(outcome);
  }

  /** What was typed while the session opened. */
  function sendQueued(): void {
    const [first] = state()?.queue ?? [];
    if (first === undefined) return;
    tell({ kind: 'unqueued', count: 1 });
    void run(first);
  }

  function next({ stop }: RunOutcome): void {
    const queue = state()?.queue ?? [];
    if (queue.length === 0 || closing !== undefined) return;
    if (stop === 'completed') {
      sendQueued();
      return;
    }
    tell({ kind: 'unqueued', count: queue.length });
    ports.giveBack(queue.join('\n\n'));
  }

  const control: TabControl = {
    key,
    answer: desk.answer,
    get session() {
      return session;
    },
    async open(what) {
      tell({ kind: 'phase', phase: 'opening' });
      try {
        const opened = await host.open(what, tabPorts);
        if (opened.kind === 'blocked') {
          tell({ kind: 'phase', phase: 'closed' });
          tell({ kind: 'said', tone: 'error', text: `The session was not opened: ${opened.reason}` });
          return 'blocked';
        }
        session = opened.session;
        tell({
          kind: 'opened',
          facts: session.facts(),
          history: what.kind === 'new' ? [] : session.messages(),
          tokens: { ...session.tokens(), lastInput: 0 },
        });
        sendQueued();
        return 'open';
      } catch (error) {
        tell({ kind: 'phase', phase: 'closed' });
        throw error;
      }
    },
    submit(text) {
      if (state()?.phase === 'closed') {
        const hint =
          'This tab has no session. /new opens one, /resume goes on with an earlier one, /close closes the tab.';
        tell({ kind: 'said', tone: 'plain', text: hint });
        ports.giveBack(text);
      } else if (state()?.run !== undefined || session === undefined) tell({ kind: 'queued', text });
      else void run(text);
    },
    runShell(line) {
      const blockKey = state()?.transcript.nextKey;
      if (session === undefined || blockKey === undefined) {
        tell({
          kind: 'said',
          tone: 'plain',
          text: 'The session is not open yet, and a line of the shell runs in it.',
        });
        ports.giveBack(`!${line}`);
        return;
      }
      tell({ kind: 'shell', line });
      const stop = new AbortController();
      shells.add(stop);
      const onOutput = (output: string): void => tell({ kind: 'shell-output', key: blockKey, output });
      void session.shell({ line, onOutput, signal: stop.signal }).then(({ problem }) => {
        shells.delete(stop);
        tell({ kind: 'shell-output', key: blockKey, output: '', ended: problem ?? '' });
      });
    },
    interrupt() {
      const busy = state()?.run !== undefined || shells.size > 0;
      for (const shell of shells) shell.abort(new Error('interrupted'));
      if (state()?.run !== undefined) {
        session?.interrupt();
        // A run that was stopped is not held any more, and neither is the next one.
        session?.resume();
        tell({ kind: 'pausing', pausing: 'no' });
      }
      return busy;
    },
    stopAsker(prompt) {
      const does = escapeOf(prompt);
      switch (does.kind) {
        case 'ends':
          session?.agents.cancel(does.agent);
          break;
        case 'stops-run':
          control.interrupt();
          break;
        case 'puts-off':
          desk.putOff(prompt.key);
      }
    },
    togglePause() {
      if (session === undefined) return;
      if (state()?.pausing === 'no') {
        session.pause();
        tell({ kind: 'pausing', pausing: 'asked' });
      } else {
        session.resume();
        tell({ kind: 'pausing', pausing: 'no' });
      }
    },
    refresh() {
      if (session !== undefined) tell({ kind: 'facts', facts: session.facts() });
    },
    close(leaving) {
      for (const shell of shells) shell.abort(new Error('closing'));
      tell({ kind: 'phase', phase: 'closing' });
      closing ??= (session?.close(leaving) ?? Promise.resolve()).finally(() => {
        session = undefined;
      });
      return closing;
    },
  };
  return control;
}
