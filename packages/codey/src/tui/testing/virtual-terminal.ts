// A terminal in memory: what was drawn can be read back as text, keys can be pressed, the size can change.
import type { Terminal } from '@earendil-works/pi-tui';
import headless from '@xterm/headless';

export interface VirtualTerminal extends Terminal {
  /** What is on screen now, one string a row, without spaces at the ends. */
  screen(): Promise<readonly string[]>;
  press(...inputs: readonly string[]): void;
  resize(columns: number, rows: number): void;
  /** Everything that was written. */
  readonly written: string;
}

export function createVirtualTerminal(columns: number, rows: number): VirtualTerminal {
  const terminal = new headless.Terminal({ cols: columns, rows, allowProposedApi: true });
  let written = '';
  let input: (data: string) => void = () => {};
  let resized: () => void = () => {};
  const nothing = (): void => {};
  return {
    start(onInput, onResize) {
      input = onInput;
      resized = onResize;
    },
    write(data) {
      written += data;
      terminal.write(data);
    },
    async screen() {
      await new Promise<void>((resolve) => terminal.write('', resolve));
      const { active } = terminal.buffer;
      return Array.from(
        { length: terminal.rows },
        (_, row) => active.getLine(active.baseY + row)?.translateToString(true) ?? '',
      );
    },
    press(...inputs) {
      for (const each of inputs) input(each);
    },
    resize(nextColumns, nextRows) {
      terminal.resize(nextColumns, nextRows);
      resized();
    },
    get written() {
      return written;
    },
    get columns() {
      return terminal.cols;
    },
    get rows() {
      return terminal.rows;
    },
    kittyProtocolActive: false,
    stop: nothing,
    drainInput: async () => {},
    moveBy: nothing,
    hideCursor: nothing,
    showCursor: nothing,
    clearLine: nothing,
    clearFromCursor: nothing,
    clearScreen: nothing,
    setTitle: nothing,
    setProgress: nothing,
    setProgramStatus: nothing,
  };
}
