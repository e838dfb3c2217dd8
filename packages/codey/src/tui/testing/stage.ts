// The whole screen on a terminal in memory, with sessions a test speaks for.
import { createApp, type App } from '../app.ts';
import { createScreen } from '../screen/screen.ts';
import { createStyle } from '../screen/style.ts';
import { createFakeHost, type FakeHost, type FakeSession } from './fake-host.ts';
import { createManualClock, type ManualClock } from './manual-clock.ts';
import { createVirtualTerminal, type VirtualTerminal } from './virtual-terminal.ts';

export interface Stage {
  readonly app: App;
  readonly host: FakeHost;
  readonly clock: ManualClock;
  readonly terminal: VirtualTerminal;
  /** Ctrl+Z was pressed so many times. */
  readonly suspended: () => number;
  /** The wizard ran so many times. */
  readonly setups: () => number;
  /** Ids of sessions, as they came into view. */
  readonly inView: readonly string[];
  /** What was opened outside the terminal. */
  readonly addresses: readonly string[];
  /** The session of a tab, by the order in which they were opened. */
  session(number?: number): FakeSession;
  /** Types and lets a second pass, so that a prompt that opens has the keyboard. */
  keys(...inputs: readonly string[]): Promise<void>;
  /** Lets everything that was started come to rest. */
  rest(): Promise<void>;
  /** What is on screen after everything came to rest. */
  text(): Promise<string>;
  /** Closes the sessions and gives the terminal back. */
  close(): Promise<void>;
}

export interface StageOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly colour?: boolean;
}

export async function openStage({
  columns = 80,
  rows = 24,
  colour = true,
}: StageOptions = {}): Promise<Stage> {
  const clock = createManualClock();
  const terminal = createVirtualTerminal(columns, rows);
  const style = createStyle(colour);
  const screen = createScreen(terminal, style, clock);
  const host = createFakeHost();
  let suspensions = 0;
  let setups = 0;
  const addresses: string[] = [];
  const inView: string[] = [];
  const app = createApp({
    screen,
    style,
    clock,
    host,
    cwd: '/work/shop',
    openAddress: (url) => void addresses.push(url),
    inView: (session) => void inView.push(session),
    highlighter: { highlight: (code) => code, load: async () => {} },
    suspend: () => {
      suspensions += 1;
    },
    async setUp() {
      setups += 1;
      return { kind: 'done' };
    },
    editFile: async (file, line) => `${file}:${line} is not opened here`,
    hurry: () => {},
  });
  const rest = async (): Promise<void> => {
    for (let round = 0; round < 5; round += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  const stage: Stage = {
    app,
    host,
    clock,
    terminal,
    suspended: () => suspensions,
    setups: () => setups,
    inView,
    addresses,
    session(number = host.sessionsOpened.length) {
      const session = host.sessionsOpened[number - 1];
      if (session === undefined) throw new Error(`session ${number} is not open`);
      return session;
    },
    async keys(...inputs) {
      for (const input of inputs) {
        terminal.press(input);
        await rest();
      }
      clock.advance(1_000);
      await rest();
    },
    rest,
    async text() {
      await rest();
      clock.advance(50);
      screen.redraw();
      return (await terminal.screen()).join('\n');
    },
    async close() {
      await app.closeAll(() => ({ reason: 'exit', hurry: AbortSignal.timeout(1_000) }));
      screen.stop();
    },
  };
  await app.open({ kind: 'new' });
  return stage;
}

export const key = {
  enter: '\r',
  escape: '\u001b',
  up: '\u001b[A',
  down: '\u001b[B',
  tab: '\t',
  shiftTab: '\u001b[Z',
  pageUp: '\u001b[5~',
  pageDown: '\u001b[6~',
  ctrl: (letter: string): string => String.fromCharCode(letter.toUpperCase().charCodeAt(0) - 64),
  alt: (character: string): string => `\u001b${character}`,
  paste: (text: string): string => `\u001b[200~${text}\u001b[201~`,
} as const;
