// A line of text being typed, with its cursor. Pure; moves by what a reader takes for one character.
import type { Key } from '../screen/keys.ts';

export interface TextField {
  readonly text: string;
  /** Index into the text, always between two characters. */
  readonly cursor: number;
}

export const emptyField: TextField = { text: '', cursor: 0 };

export function fieldOf(text: string): TextField {
  return { text, cursor: text.length };
}

/** Undefined for a key that does nothing to a line of text. */
export function editField(field: TextField, key: Key): TextField | undefined {
  if (key.kind !== 'named') return insert(field, key.text.replace(/\s+/g, ' '));
  const { text, cursor } = field;
  switch (key.name) {
    case 'left':
    case 'ctrl+b':
      return { text, cursor: before(text, cursor) };
    case 'right':
      return { text, cursor: behind(text, cursor) };
    case 'home':
    case 'ctrl+a':
      return { text, cursor: 0 };
    case 'end':
    case 'ctrl+e':
      return { text, cursor: text.length };
    case 'backspace':
      return remove(field, before(text, cursor), cursor);
    case 'delete':
      return remove(field, cursor, behind(text, cursor));
    case 'ctrl+w':
    case 'alt+backspace':
      return remove(field, wordStart(text, cursor), cursor);
    case 'ctrl+u':
      return remove(field, 0, cursor);
    case 'ctrl+k':
      return remove(field, cursor, text.length);
    case 'space':
      return insert(field, ' ');
    default:
      return undefined;
  }
}

function insert({ text, cursor }: TextField, added: string): TextField {
  return { text: text.slice(0, cursor) + added + text.slice(cursor), cursor: cursor + added.length };
}

function remove({ text }: TextField, from: number, to: number): TextField {
  return { text: text.slice(0, from) + text.slice(to), cursor: from };
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

function before(text: string, cursor: number): number {
  return [...segmenter.segment(text.slice(0, cursor))].at(-1)?.index ?? 0;
}

function behind(text: string, cursor: number): number {
  const next = segmenter.segment(text.slice(cursor))[Symbol.iterator]().next();
  return next.done === true ? text.length : cursor + next.value.segment.length;
}

function wordStart(text: string, cursor: number): number {
  return text.slice(0, cursor).replace(/\S+\s*$/, '').length;
}
