// A list to choose from: sessions, models, modes, what was typed before. Typing narrows it down.
import { sanitise } from '../../terminal/sanitise.ts';
import { type Key, keyName } from '../screen/keys.ts';
import type { Style } from '../screen/style.ts';
import { columnsOf, cut, fill } from '../screen/text.ts';
import { firstShown, moveSelection } from '../state/selection.ts';
import { editField, emptyField, type TextField } from '../state/text-field.ts';
import { fieldLine } from '../widgets/field-line.ts';
import { fillRows, type Panel } from './panel.ts';

export interface PickItem {
  readonly value: string;
  readonly label: string;
  readonly detail?: string;
}

export interface PickOptions {
  readonly title: string;
  readonly items: readonly PickItem[];
  /** Said where there is nothing to choose from. */
  readonly empty: string;
  readonly pick: (value: string) => void;
}

export interface PickState {
  readonly filter: TextField;
  readonly selected: number;
}

export const newPick: PickState = { filter: emptyField, selected: 0 };

/** Those with every typed word in them. */
export function matching(items: readonly PickItem[], filter: string): readonly PickItem[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return items.filter(({ label, detail = '' }) => {
    const text = `${label} ${detail}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

export type PickStep =
  | { readonly kind: 'state'; readonly state: PickState }
  | { readonly kind: 'picked'; readonly value: string }
  | { readonly kind: 'closed' };

export function pickKey(state: PickState, items: readonly PickItem[], key: Key): PickStep | undefined {
  const shown = matching(items, state.filter.text);
  const name = keyName(key);
  if (name === 'escape' || name === 'ctrl+c') return { kind: 'closed' };
  if (name === 'enter') {
    const chosen = shown[state.selected];
    return chosen === undefined ? { kind: 'closed' } : { kind: 'picked', value: chosen.value };
  }
  const moved = key.kind === 'named' ? moveSelection(state.selected, shown.length, name) : undefined;
  if (moved !== undefined) return { kind: 'state', state: { ...state, selected: moved } };
  const filter = editField(state.filter, key);
  return filter && { kind: 'state', state: { filter, selected: 0 } };
}

export function createPick(options: PickOptions, style: Style): Panel {
  let state = newPick;
  return {
    lines: (size) => pickLines(options, state, size, style),
    key(key) {
      const step = pickKey(state, options.items, key);
      switch (step?.kind) {
        case undefined:
          return undefined;
        case 'state':
          state = step.state;
          return 'stays';
        case 'picked':
          options.pick(step.value);
          return 'closed';
        case 'closed':
          return 'closed';
      }
    },
  };
}

export function pickLines(
  { title, items, empty }: PickOptions,
  state: PickState,
  { columns, rows }: { readonly columns: number; readonly rows: number },
  style: Style,
): readonly string[] {
  const shown = matching(items, state.filter.text);
  const room = Math.max(1, rows - 4);
  const first = firstShown(state.selected, shown.length, room);
  const labels = Math.min(
    Math.floor(columns * 0.6),
    Math.max(0, ...shown.map(({ label }) => columnsOf(oneLine(label)))),
  );
  const list = shown.slice(first, first + room).map(({ label, detail = '' }, index) => {
    const text = `${fill(oneLine(label), labels)}  ${detail === '' ? '' : style.dim(oneLine(detail))}`;
    const line = cut(text, columns - 2);
    return index + first === state.selected ? style.inverse(`› ${line}`) : `  ${line}`;
  });
  const nothing = items.length === 0 ? empty : 'nothing has all of these words';
  return fillRows(
    [
      cut(` ${style.bold(title)}`, columns),
      ` ${style.dim('find:')} ${fieldLine(state.filter, columns - 9, style)}`,
      ...(list.length === 0 ? [style.dim(cut(`  ${nothing}`, columns))] : list),
      '',
      style.dim(
        cut(` Enter chooses · Esc closes${shown.length > room ? ` · ${shown.length} in all` : ''}`, columns),
      ),
    ],
    rows,
  );
}

function oneLine(text: string): string {
  return sanitise(text, { oneLine: true });
}
