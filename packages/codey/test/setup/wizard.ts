// The wizard on a terminal of its own, answered by a test as by a person: it reads the question, then presses keys.
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { spawn } from '@lydell/node-pty';
import { expect, vi } from 'vitest';

const program = fileURLToPath(new URL('../../bin/codey.js', import.meta.url));

export const keys = {
  enter: '\r',
  up: '\u001b[A',
  down: '\u001b[B',
  left: '\u001b[D',
  escape: '\u001b',
  interrupt: '\u0003',
  clear: '\u0015',
} as const;

export interface Wizard {
  /** Waits until the text stands on the screen below what was pressed last. */
  reads(text: string): Promise<void>;
  press(...keys: readonly string[]): void;
  /** Everything it ever drew, without what moves the cursor. */
  output(): string;
  /** The same with it. */
  raw(): string;
  /** Resolves with the exit code when it has ended. */
  ended: Promise<number>;
  kill(): void;
}

export interface WizardOptions {
  readonly home: string;
  readonly cwd: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  readonly columns?: number;
}

export function startWizard({
  home,
  cwd,
  environment = {},
  args = ['setup'],
  columns = 120,
}: WizardOptions): Wizard {
  const terminal = spawn(process.execPath, [program, ...args], {
    cwd,
    cols: columns,
    rows: 40,
    env: { ...(process.env as Record<string, string>), HOME: home, ...environment },
  });
  let raw = '';
  let from = 0;
  terminal.onData((text) => {
    raw += text;
  });
  const ended = new Promise<number>((resolve) => terminal.onExit(({ exitCode }) => resolve(exitCode)));
  return {
    reads: (text) =>
      vi.waitFor(() => expect(stripVTControlCharacters(raw.slice(from))).toContain(text), {
        timeout: 30_000,
        interval: 20,
      }),
    press(...pressed) {
      from = raw.length;
      terminal.write(pressed.join(''));
    },
    output: () => stripVTControlCharacters(raw),
    raw: () => raw,
    ended,
    kill: () => terminal.kill('SIGKILL'),
  };
}
