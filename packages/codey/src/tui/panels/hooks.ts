// Every hook of the session, live: where it is from, whether it runs and why not, and what it did last.
import { sanitise } from '../../terminal/sanitise.ts';
import type { HookControl, ListedHook } from '../ports.ts';
import { type Key, keyName } from '../screen/keys.ts';
import type { Size } from '../screen/screen.ts';
import type { Paint, Style } from '../screen/style.ts';
import { ends, fill, wrap } from '../screen/text.ts';
import type { LastRun } from '../state/hook-runs.ts';
import { firstShown, moveSelection } from '../state/selection.ts';
import { sayDuration, saySeconds } from '../widgets/duration.ts';
import { scrolledLines } from '../widgets/scrolled-lines.ts';
import { fillRows, type Panel } from './panel.ts';

export interface HooksPanelPorts {
  readonly control: HookControl;
  readonly lastRuns: () => ReadonlyMap<string, LastRun>;
  readonly now: () => number;
  /** Shows a file of settings where a hook was written. */
  readonly openFile: (file: string, line: number) => void;
  /** Starts the review of what the repository supplies; the panel makes room for it. */
  readonly review: () => void;
  readonly changed: () => void;
}

export interface HooksState {
  readonly hooks: readonly ListedHook[] | undefined;
  readonly selected: number;
  /** What the last thing that was done came to. */
  readonly said: readonly string[];
  /** First line of it that is shown. */
  readonly scroll: number;
}

export function createHooksPanel(ports: HooksPanelPorts, style: Style): Panel {
  let state: HooksState = { hooks: undefined, selected: 0, said: [], scroll: 0 };
  const show = (change: Partial<HooksState>): void => {
    state = { ...state, scroll: 0, ...change };
    ports.changed();
  };
  const reload = async (said: readonly string[]): Promise<void> =>
    show({ hooks: await ports.control.list(), said });
  const say = (error: unknown): void =>
    show({ said: [error instanceof Error ? error.message : String(error)] });
  reload([]).catch(say);

  async function switchOver(hook: ListedHook): Promise<void> {
    if (!hook.switchable) return show({ said: [whyFixed(hook)] });
    const on = hook.state === 'disabled';
    const problem = await ports.control.switchTo(hook.id, on);
    await reload([problem ?? `Switched ${on ? 'on' : 'off'} for you, in this session and from now on.`]);
  }

  async function tryOut(hook: ListedHook): Promise<void> {
    show({ said: [`Running it on the sample of ${hook.event}…`] });
    show({ said: ['On a sample:', ...(await ports.control.tryOut(hook.id))] });
  }

  return {
    lines: (size) => hooksLines(state, ports.lastRuns(), ports.now(), size, style),
    key(key) {
      const { hooks = [], selected, said, scroll } = state;
      const step = said.length === 0 ? undefined : scrollSteps[keyName(key)];
      if (step !== undefined) {
        show({ scroll: Math.max(0, scroll + step) });
        return 'stays';
      }
      const moved = moveSelection(selected, hooks.length, keyName(key));
      if (moved !== undefined) {
        show({ selected: moved, said: [] });
        return 'stays';
      }
      const hook = hooks[selected];
      switch (keyOf(key)) {
        case 'close':
          return 'closed';
        case 'switch':
          if (hook !== undefined) switchOver(hook).catch(say);
          return 'stays';
        case 'try':
          if (hook !== undefined) tryOut(hook).catch(say);
          return 'stays';
        case 'open':
          if (hook !== undefined) ports.openFile(hook.file, hook.line);
          return 'stays';
        case 'review':
          ports.review();
          return 'closed';
        case undefined:
          return undefined;
      }
    },
  };
}

const scrollSteps: Readonly<Record<string, number>> = { pageUp: -5, pageDown: 5 };

function keyOf(key: Key): 'close' | 'switch' | 'try' | 'open' | 'review' | undefined {
  switch (keyName(key)) {
    case 'escape':
    case 'q':
    case 'ctrl+c':
      return 'close';
    case ' ':
    case 'space':
    case 's':
      return 'switch';
    case 't':
      return 'try';
    case 'o':
    case 'enter':
      return 'open';
    case 'r':
      return 'review';
    default:
      return undefined;
  }
}

function whyFixed({ scope, why }: ListedHook): string {
  return scope === 'managed'
    ? 'It is set by whoever manages this machine and cannot be switched off here.'
    : `It cannot be switched here: ${why ?? 'it is part of the program'}.`;
}

const stateSigns: Readonly<Record<ListedHook['state'], string>> = {
  active: '●',
  untrusted: '?',
  modified: '≠',
  disabled: '○',
};

function statePaint(state: ListedHook['state'], style: Style): Paint {
  return state === 'active' ? style.green : state === 'disabled' ? style.dim : style.yellow;
}

/** Rows of the list that stay beside a long result. */
const leastHooks = 3;

/** What happened last stays in sight: of the list as much is shown as there is room left. */
export function hooksLines(
  { hooks, selected, said, scroll }: HooksState,
  lastRuns: ReadonlyMap<string, LastRun>,
  now: number,
  { columns, rows }: Size,
  style: Style,
): readonly string[] {
  if (hooks === undefined) return fillRows([' Hooks', style.dim(' reading…')], rows);
  if (hooks.length === 0) {
    const where = 'No hooks. They go under "hooks" in .codey/settings.json or in ~/.codey/settings.json.';
    return fillRows(
      [
        style.bold(' Hooks'),
        ...wrap(where, columns - 2).map((line) => ` ${line}`),
        '',
        style.dim(' Esc closes'),
      ],
      rows,
    );
  }
  const hook = hooks[selected];
  const details = hook === undefined ? [] : detailLines(hook, columns, style);
  const results = said
    .flatMap((line) => wrap(sanitise(line), columns - 2))
    .map((line) => ` ${style.yellow(line)}`);
  const keys = wrap(
    'Space switches off/on · t tries it on a sample · o opens the file · r reviews · Esc closes',
    columns - 2,
  ).map((line) => style.dim(` ${line}`));
  // What somebody just asked for comes before what is always there.
  const most = Math.max(2, rows - keys.length - 2 - Math.min(hooks.length, leastHooks));
  const told = results.length <= most ? results : scrolledLines(results, scroll, most, style);
  const half = Math.max(2, Math.floor(rows / 2));
  const below = [...details.slice(0, Math.max(0, half - told.length)), ...told];
  const room = Math.max(1, rows - below.length - keys.length - 2);
  const first = firstShown(selected, hooks.length, room);
  const list = hooks
    .slice(first, first + room)
    .map((each, index) =>
      hookRow(each, lastRuns.get(each.id), now, index + first === selected, columns, style),
    );
  const active = hooks.filter((each) => each.state === 'active').length;
  return fillRows(
    [
      ends(
        style.bold(` Hooks: ${active} of ${hooks.length} active`),
        style.dim('event · runs · last run '),
        columns,
      ),
      ...list,
      style.dim('─'.repeat(columns)),
      ...below,
      ...keys,
    ],
    rows,
  );
}

function hookRow(
  hook: ListedHook,
  last: LastRun | undefined,
  now: number,
  marked: boolean,
  columns: number,
  style: Style,
): string {
  const sign = stateSigns[hook.state];
  const what = `${fill(hook.event, Math.min(20, Math.floor(columns / 4)))} ${clean(hook.runs)}`;
  const right = `${lastWords(last, now)} `;
  if (marked) return style.inverse(ends(`›${sign} ${what}`, right, columns));
  return ends(` ${statePaint(hook.state, style)(sign)} ${what}`, style.dim(right), columns);
}

function lastWords(last: LastRun | undefined, now: number): string {
  if (last === undefined) return 'not run yet';
  const why = last.why === undefined ? '' : ` (${last.why})`;
  const took = last.ms === undefined ? '' : ` in ${sayDuration(last.ms)}`;
  return `${last.outcome}${why}${took}, ${saySeconds(now - last.at)} ago`;
}

function detailLines(hook: ListedHook, columns: number, style: Style): readonly string[] {
  const conditions = [
    ...(hook.matcher === undefined ? [] : [`matcher ${hook.matcher}`]),
    ...(hook.if === undefined ? [] : [`if ${hook.if}`]),
  ].join(', ');
  const state = hook.why === undefined ? hook.state : `${hook.state}: ${hook.why}`;
  const plain: Paint = (text) => text;
  const lines: readonly (readonly [string, Paint])[] = [
    [state, statePaint(hook.state, style)],
    [`${hook.type}: ${hook.runs}`, plain],
    ...(conditions === '' ? [] : [[conditions, plain] as const]),
    [`${hook.scope}, ${hook.file}:${hook.line}`, style.dim],
    [hook.id, style.dim],
  ];
  return lines.flatMap(([text, paint]) => wrap(clean(text), columns - 2).map((line) => ` ${paint(line)}`));
}

function clean(text: string): string {
  return sanitise(text, { oneLine: true });
}
