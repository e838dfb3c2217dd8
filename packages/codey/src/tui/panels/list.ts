// A list that is read again while it is open: what other agents and other processes change is seen at once, or a second later.
import { sanitise } from '../../terminal/sanitise.ts';
import type { Listed, LiveList } from '../commands/live-list.ts';
import type { Clock } from '../screen/clock.ts';
import { keyName } from '../screen/keys.ts';
import type { Size } from '../screen/screen.ts';
import type { Style } from '../screen/style.ts';
import { columnsOf, cut } from '../screen/text.ts';
import { firstShown, moveSelection } from '../state/selection.ts';
import { fillRows, type Panel } from './panel.ts';

export interface ListPanelPorts {
  readonly list: LiveList;
  /** What it said last. */
  readonly listed: Listed;
  /** Told of what changes in this process; call the result to stop. */
  readonly watch: (told: () => void) => () => void;
  readonly clock: Clock;
  readonly changed: () => void;
}

/** Other processes tell nothing: their changes are looked for. */
const lookAgainMs = 1_000;

export function createListPanel(ports: ListPanelPorts, style: Style): Panel {
  const { list, clock, changed } = ports;
  let { listed } = ports;
  let row = 0;
  let open = true;
  let takeBack = clock.after(lookAgainMs, look);
  const unwatch = ports.watch(look);

  function look(): void {
    takeBack();
    void list.read().then((now) => {
      if (!open) return;
      listed = now;
      changed();
      takeBack();
      takeBack = clock.after(lookAgainMs, look);
    });
  }

  return {
    lines: (size) => listLines(list.title(), listed, row, size, style),
    key(key) {
      const name = keyName(key);
      if (name === 'escape' || name === 'ctrl+c' || name === 'q') return 'closed';
      const moved = moveSelection(row, listed.kind === 'rows' ? listed.rows.length : 0, name);
      if (moved === undefined) return undefined;
      row = moved;
      return 'stays';
    },
    closed() {
      open = false;
      takeBack();
      unwatch();
    },
  };
}

function listLines(
  title: string,
  listed: Listed,
  row: number,
  { columns, rows }: Size,
  style: Style,
): readonly string[] {
  const room = Math.max(1, rows - 3);
  const all = linesOf(listed).map((line) => cut(`  ${line}`, columns));
  const first = firstShown(row, all.length, room);
  return fillRows(
    [
      cut(` ${style.bold(title)} ${style.dim('· live')}`, columns),
      ...all.slice(first, first + room),
      '',
      style.dim(cut(` ${all.length > room ? '↑↓ scrolls · ' : ''}Esc closes`, columns)),
    ],
    rows,
  );
}

function linesOf(listed: Listed): readonly string[] {
  switch (listed.kind) {
    case 'rows': {
      const cells = listed.rows.map(
        ([left, right]) => [sanitise(left, { oneLine: true }), sanitise(right, { oneLine: true })] as const,
      );
      const width = Math.max(0, ...cells.map(([left]) => columnsOf(left)));
      return cells.map(([left, right]) => `${left}${' '.repeat(width - columnsOf(left))}  ${right}`);
    }
    case 'nothing':
      return [listed.text];
    case 'refused':
      return [listed.reason];
  }
}
