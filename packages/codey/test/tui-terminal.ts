// The program in a real pseudo-terminal: keys go in, the screen is read back as text.
import { fileURLToPath } from 'node:url';
import { type IPty, spawn } from '@lydell/node-pty';
import headless from '@xterm/headless';
import type { Script, Stage } from './stage.ts';
import { until } from './waiting.ts';

const program = fileURLToPath(new URL('../bin/codey.js', import.meta.url));

export interface TerminalSession {
  /** What is on screen now. */
  screen(): string;
  /** Everything the program wrote. */
  readonly written: () => string;
  /** Waits until the screen matches and gives it back. */
  see(pattern: RegExp): Promise<string>;
  /** Types it, then waits until the screen matches. */
  type(text: string, pattern: RegExp): Promise<string>;
  send(text: string): void;
  /** Resolves when every question of the program to the terminal has its answer. */
  answered(): Promise<void>;
  resize(columns: number, rows: number): void;
  kill(signal: NodeJS.Signals): void;
  readonly pid: number;
  /** Resolves with the exit code when the program has ended. */
  readonly ended: Promise<number>;
}

export interface TerminalOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Another program than codey, such as a shell that runs it. */
  readonly command?: readonly [string, ...string[]];
  /** How long the terminal takes to answer what it is asked, as one at the far end of a slow line. */
  readonly answerAfterMs?: number;
}

export const codeyCommand = (stage: Stage, args: readonly string[]): readonly [string, ...string[]] => [
  process.execPath,
  program,
  '--model',
  `script:${stage.home}/script.json`,
  ...args,
];

/** A screen that has not come by then never will: the test says what came instead. */
const patienceMs = 20_000;

/** Ended by the caller; a terminal that is left open would keep the test from ending. */
export function openTerminal(
  stage: Stage,
  script: Script,
  { columns = 100, rows = 30, args = [], environment = {}, command, answerAfterMs = 0 }: TerminalOptions = {},
): TerminalSession {
  stage.write('~/script.json', script);
  const [file, ...argv] = command ?? codeyCommand(stage, args);
  const pty: IPty = spawn(file, argv, {
    cols: columns,
    rows,
    cwd: stage.project,
    name: environment.TERM ?? 'xterm-256color',
    env: { ...inherited(), HOME: stage.home, ...environment },
  });
  const terminal = new headless.Terminal({ cols: columns, rows, allowProposedApi: true });
  let written = '';
  pty.onData((data) => {
    written += data;
    terminal.write(data);
  });
  let over = false;
  let unanswered = 0;
  terminal.onData((answer) => {
    unanswered += 1;
    setTimeout(() => {
      unanswered -= 1;
      if (!over) pty.write(answer);
    }, answerAfterMs);
  });
  const ended = new Promise<number>((resolve) => {
    pty.onExit(({ exitCode, signal }) => {
      terminal.write('', () => {
        over = true;
        resolve(signal === undefined || signal === 0 ? exitCode : 128 + signal);
      });
    });
  });
  const screen = (): string => {
    const { active } = terminal.buffer;
    return Array.from(
      { length: terminal.rows },
      (_, row) => active.getLine(active.baseY + row)?.translateToString(true) ?? '',
    ).join('\n');
  };
  const see = async (pattern: RegExp): Promise<string> => {
    const limit = Date.now() + patienceMs;
    await until(() => pattern.test(screen()) || over || Date.now() > limit);
    const shown = screen();
    if (!pattern.test(shown)) throw new Error(`${pattern} never came; this is on screen:\n${shown}`);
    return shown;
  };
  return {
    pid: pty.pid,
    ended,
    screen,
    written: () => written,
    see,
    type(text, pattern) {
      pty.write(text);
      return see(pattern);
    },
    send: (text) => pty.write(text),
    answered: () => until(() => unanswered === 0),
    resize(nextColumns, nextRows) {
      pty.resize(nextColumns, nextRows);
      terminal.resize(nextColumns, nextRows);
    },
    kill: (signal) => pty.kill(signal),
  };
}

function inherited(): Record<string, string> {
  const kept = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const { TMUX: _tmux, COLUMNS: _columns, LINES: _lines, ...rest } = Object.fromEntries(kept);
  return rest;
}
