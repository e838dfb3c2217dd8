// A line of text, typed or pasted; a secret one is never shown.
import { cut, lastColumns, wrap } from './width.ts';
import type { Prompt } from './prompt.ts';

export interface TextOptions {
  readonly question: string;
  readonly details?: readonly string[];
  /** What stands there at first and is the answer to Enter. */
  readonly initial?: string;
  /** Shown as dots, and not even counted once it is answered. */
  readonly secret?: boolean;
  /** Why this cannot be the answer; undefined when it can. */
  readonly check?: (text: string) => string | undefined;
}

export interface TextState {
  readonly text: readonly string[];
  readonly cursor: number;
  readonly complaint?: string;
}

/** Blanks around the answer are taken off: they come with pasting. */
export function text(options: TextOptions): Prompt<TextState, string> {
  const { question, details = [], secret = false, check = () => undefined } = options;
  const initial = [...(options.initial ?? '')];
  return {
    first: { text: initial, cursor: initial.length },
    keys: 'Ctrl-U empties the line',
    draw({ text, cursor, complaint }, width) {
      const shown = secret ? text.map(() => '•') : text;
      const before = lastColumns(shown.slice(0, cursor).join(''), width - 8);
      const field = cut(`${before}▏${shown.slice(cursor).join('')}`, width - 5);
      return [
        ...wrap(question, width - 1).map((line) => ` ${line}`),
        ...details.flatMap((detail) => wrap(detail, width - 3).map((line) => `   ${line}`)),
        '',
        ` ▌ ${field}`,
        ...(complaint === undefined ? [] : wrap(complaint, width - 3).map((line) => `   ${line}`)),
      ];
    },
    press(state, key) {
      if (key.kind !== 'enter') return { kind: 'state', state: edit(state, key) };
      const answer = state.text.join('').trim();
      const complaint = check(answer);
      return complaint === undefined
        ? { kind: 'answer', answer }
        : { kind: 'state', state: { text: state.text, cursor: state.cursor, complaint } };
    },
    answered: (answer) => ` ${question}  ${secret ? (answer === '' ? '' : '(not shown)') : answer}`,
  };
}

function edit(
  { text, cursor }: TextState,
  key: Parameters<Prompt<TextState, string>['press']>[1],
): TextState {
  switch (key.kind) {
    case 'text': {
      const typed = [...key.text];
      return {
        text: [...text.slice(0, cursor), ...typed, ...text.slice(cursor)],
        cursor: cursor + typed.length,
      };
    }
    case 'backspace':
      return cursor === 0 ? { text, cursor } : { text: text.toSpliced(cursor - 1, 1), cursor: cursor - 1 };
    case 'delete':
      return { text: text.toSpliced(cursor, 1), cursor };
    case 'clear':
      return { text: [], cursor: 0 };
    case 'left':
      return { text, cursor: Math.max(0, cursor - 1) };
    case 'right':
      return { text, cursor: Math.min(text.length, cursor + 1) };
    case 'home':
      return { text, cursor: 0 };
    case 'end':
      return { text, cursor: text.length };
    default:
      return { text, cursor };
  }
}
