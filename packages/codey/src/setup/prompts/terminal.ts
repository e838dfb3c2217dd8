// Puts questions on a terminal: keys in raw mode, each question drawn over itself until it is answered.
import { emitKeypressEvents } from 'node:readline';
import type { World } from '../../start/world.ts';
import { sanitise } from '../../terminal/sanitise.ts';
import { type Ask, type Key, type Prompt, SetupBack, SetupCancelled } from './prompt.ts';
import { cut } from './width.ts';

export interface QuestionTerminal {
  readonly ask: Ask;
  /** Gives the terminal back as it was. */
  close(): void;
}

/**
 * Nothing that is typed is echoed from here until `close`, also between two questions; what is typed ahead counts for the
 * next one. Both streams must be terminals.
 */
export function openQuestionTerminal({ stdin, stdout }: Pick<World, 'stdin' | 'stdout'>): QuestionTerminal {
  const typed: Read[] = [];
  /** Questions whose answers stand above the one that is asked. */
  let answered = 0;
  let wake: (() => void) | undefined;
  const push = (key: Read): void => {
    typed.push(key);
    wake?.();
  };
  const onKeypress = (text: string | undefined, key: Keypress): void => {
    const read = readKey(text, key);
    if (read !== undefined) push(read);
  };
  const onEnd = (): void => push('cancel');
  const write = (text: string): void => void stdout.write(text);

  emitKeypressEvents(stdin);
  stdin.setRawMode(true);
  stdin.on('keypress', onKeypress);
  stdin.on('end', onEnd);
  stdin.resume();

  const nextKey = async (): Promise<Read> => {
    for (;;) {
      const key = typed.shift();
      if (key !== undefined) return key;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      wake = undefined;
    }
  };

  return {
    async ask(prompt) {
      let state = prompt.first;
      const drawNow = (): number => {
        const width = widthOf(stdout);
        return draw(prompt.draw(state, width), keyLine(prompt, answered, width), write);
      };
      let drawn = drawNow();
      for (;;) {
        const key = await nextKey();
        erase(drawn, write);
        if (key === 'cancel' || (key === 'back' && answered === 0)) throw new SetupCancelled();
        const pressed = key === 'back' ? ({ kind: 'back' } as const) : prompt.press(state, key);
        if (pressed.kind === 'answer') {
          write(
            `${dim(sanitise(prompt.answered(pressed.answer), { oneLine: false }).slice(0, widthOf(stdout)))}\r\n`,
          );
          answered += 1;
          return pressed.answer;
        }
        if (pressed.kind === 'state') state = pressed.state;
        else if (answered > 0) {
          answered -= 1;
          erase(1, write);
          throw new SetupBack();
        }
        drawn = drawNow();
      }
    },
    close() {
      stdin.off('keypress', onKeypress);
      stdin.off('end', onEnd);
      stdin.setRawMode(false);
      stdin.pause();
    },
  };
}

/** What is meant by a key, whatever the question. */
type Read = Key | 'cancel' | 'back';

interface Keypress {
  readonly name?: string;
  readonly ctrl?: boolean;
  readonly meta?: boolean;
  readonly sequence?: string;
}

function readKey(text: string | undefined, key: Keypress): Read | undefined {
  if (key.ctrl === true) {
    switch (key.name) {
      case 'c':
      case 'd':
        return 'cancel';
      case 'u':
        return { kind: 'clear' };
      case 'a':
        return { kind: 'home' };
      case 'e':
        return { kind: 'end' };
      case 'h':
        return { kind: 'backspace' };
      case 'j':
        return { kind: 'enter' };
      case 'n':
        return { kind: 'down' };
      case 'p':
        return { kind: 'up' };
      default:
        return undefined;
    }
  }
  switch (key.name) {
    case 'escape':
      return 'back';
    case 'return':
    case 'enter':
      return { kind: 'enter' };
    case 'up':
    case 'down':
    case 'left':
    case 'right':
    case 'home':
    case 'end':
    case 'backspace':
    case 'delete':
      return { kind: key.name };
    default:
      return text === undefined || key.meta === true || /\p{Cc}/u.test(text)
        ? undefined
        : { kind: 'text', text };
  }
}

/** How many lines stand on the screen now; an empty line and the question above the cursor. */
function draw(lines: readonly string[], keys: string, write: (text: string) => void): number {
  const all = ['', ...lines.map(emphasise), '', dim(keys)];
  write(all.map((line) => `${line}\r\n`).join(''));
  return all.length;
}

function keyLine({ keys }: Pick<Prompt<never, never>, 'keys'>, answered: number, width: number): string {
  const leaving = answered === 0 ? 'Esc or Ctrl-C leaves' : 'Esc goes back · Ctrl-C leaves';
  return cut(` ${keys} · Enter takes it · ${leaving}`, width);
}

function erase(lines: number, write: (text: string) => void): void {
  write(`\u001b[${lines}A\r\u001b[J`);
}

/** The marked row stands out without colour, which not every terminal has or wants. */
function emphasise(line: string): string {
  const clean = sanitise(line);
  return clean.startsWith(' ▌') ? `\u001b[1m${clean}\u001b[22m` : clean;
}

function dim(line: string): string {
  return `\u001b[2m${line}\u001b[22m`;
}

/** One less than there are columns: a line that fills the last one wraps on some terminals. */
function widthOf(stdout: World['stdout']): number {
  const columns = 'columns' in stdout && typeof stdout.columns === 'number' ? stdout.columns : 80;
  return Math.max(20, columns - 1);
}
