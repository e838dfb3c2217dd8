// Entries of the completion menu as wide as the editor's list shows them: it cuts in the middle of a word and does not say so.
import { sanitise } from '../../terminal/sanitise.ts';
import type { Completion } from '../composer/completion.ts';
import { columnsOf, cut } from './text.ts';

/** `prefix` is the typed part that a choice replaces; the list lays commands out in another way. */
export function fitMenu(
  items: readonly Completion[],
  prefix: string,
  columns: number,
): readonly Completion[] {
  const width = columns - 2 * padding;
  const names = Math.min(namesWidth(items, prefix), width - mark - 4);
  const details = width - mark - names - margin;
  const besideDetails = width > 40 && details > 10;
  return items.map(({ detail, ...item }) => {
    if (detail === undefined || detail === '' || !besideDetails)
      return { ...item, label: plainCut(item.label, width - mark - margin) };
    return { ...item, label: plainCut(item.label, names - gap), detail: plainCut(detail, details) };
  });
}

const padding = 1;
/** Of the chosen entry: `→ `. */
const mark = 2;
const gap = 2;
const margin = 2;

function namesWidth(items: readonly Completion[], prefix: string): number {
  if (!prefix.startsWith('/')) return 32;
  const widest = Math.max(0, ...items.map(({ label }) => columnsOf(label) + gap));
  return Math.min(32, Math.max(12, widest));
}

/** Without the ends of styles that come with a cut: the list paints the whole line. Skills and servers wrote some of it. */
function plainCut(text: string, width: number): string {
  return sanitise(cut(sanitise(text, { oneLine: true }), width));
}
