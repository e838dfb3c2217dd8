// Everything below the conversation: what goes on, the prompt before the user or the composer, and the last row.
import { promptLines } from '../prompts/prompt-lines.ts';
import type { Size } from '../screen/screen.ts';
import type { Style } from '../screen/style.ts';
import { ends } from '../screen/text.ts';
import { sanitise } from '../../terminal/sanitise.ts';
import { whatIsAsked } from '../state/prompt.ts';
import type { Tab } from '../state/tab.ts';
import type { Tabs } from '../state/tabs.ts';
import { footer } from './footer.ts';
import { activityLines, elsewhereLines, queueLines } from './status-lines.ts';

export interface BottomState {
  readonly tabs: Tabs;
  readonly tab: Tab | undefined;
  readonly now: number;
  readonly message: string | undefined;
  /** Somebody is in the middle of a sentence: the composer stays beside the prompt and goes on taking keys. */
  readonly composerOwns: boolean;
  readonly panelOpen: boolean;
  /** The editor in which a call is changed. */
  readonly editor: readonly string[] | undefined;
  readonly composer: (focused: boolean) => readonly string[];
}

/** Rows that stay for the conversation, so that one sees what a prompt is about. */
const keptForTranscript = 2;

export function bottomLines(state: BottomState, { columns, rows }: Size, style: Style): readonly string[] {
  const { tabs, tab, now, message } = state;
  const elsewhere = elsewhereLines(tabs, columns, style);
  const last = footer(tab, message, columns, style);
  if (tab === undefined) return [...elsewhere, last];
  const [prompt, ...behind] = tab.prompts;
  const activity = activityLines(tab, now, columns, style);
  if (prompt === undefined) {
    const composer = state.panelOpen ? [] : state.composer(true);
    return [...elsewhere, ...activity, ...queueLines(tab, columns, style), ...composer, last];
  }
  if (state.panelOpen) {
    const what = ` ${sanitise(whatIsAsked(prompt), { oneLine: true })}`;
    return [...elsewhere, style.bold(style.yellow(ends(what, 'Esc, then answer ', columns))), last];
  }
  const beside = state.composerOwns ? state.composer(true) : (state.editor ?? []);
  const room = rows - 1 - keptForTranscript - elsewhere.length - beside.length - 1;
  const asked = promptLines(prompt, { width: columns, rows: room, waiting: behind.length, style });
  return [...elsewhere, ...asked, ...beside, last];
}
