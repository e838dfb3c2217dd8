// The transcript as lines that scroll: only what changed is drawn again, so that its length does not slow it down.
import type { Highlight } from '../screen/highlight.ts';
import type { ScrollRegion } from '../screen/screen.ts';
import type { Style } from '../screen/style.ts';
import { copyOf } from '../screen/text.ts';
import type { Block } from '../state/block.ts';
import { type BlockPainter, createBlockPainter } from './block-painter.ts';

export interface TranscriptView extends ScrollRegion {
  /** Folds or unfolds every block. */
  toggleAll(): void;
  /** Draws everything anew: colours of code have come in. */
  refresh(): void;
}

export interface TranscriptPorts {
  readonly blocks: () => readonly Block[];
  readonly style: Style;
  readonly highlight: Highlight;
  /** Another frame is needed: some blocks still stand as they did at another width. */
  readonly again: () => void;
}

interface Drawn {
  readonly block: Block;
  /** Only of a block that still grows: what it keeps is worth its memory no longer than that. */
  readonly painter?: BlockPainter;
  readonly unfolded: boolean;
  /** 0 for a block that waits to be drawn for the first time. */
  readonly width: number;
  readonly lines: readonly string[];
}

/** Lines that one frame draws anew before it leaves the rest to the next one. */
const budget = 2_000;

export function createTranscriptView({ blocks, style, highlight, again }: TranscriptPorts): TranscriptView {
  let drawn: Drawn[] = [];
  let flat: readonly string[] = [];
  let allUnfolded = false;
  /** Blocks whose fold differs from that of all. */
  let turned: ReadonlySet<number> = new Set();

  const isUnfolded = (block: Block): boolean => turned.has(block.key) !== allUnfolded;

  function draw(block: Block, known: Drawn | undefined, width: number): Drawn {
    const painter = known?.painter ?? createBlockPainter(style, highlight);
    const unfolded = isUnfolded(block);
    const lines = painter.lines(block, unfolded, width);
    return { block, unfolded, width, ...(grows(block) ? { lines, painter } : { lines: lines.map(copyOf) }) };
  }

  function isStale(known: Drawn | undefined, block: Block): boolean {
    return known?.block !== block || known.unfolded !== isUnfolded(block);
  }

  return {
    lines(width) {
      const now = blocks();
      let changed =
        drawn.length === now.length ? Number.POSITIVE_INFINITY : Math.min(drawn.length, now.length);
      drawn.length = Math.min(drawn.length, now.length);
      let left = budget;
      // From the end: what is read now is drawn first. Blocks of another width and new ones far above may wait.
      for (let at = now.length - 1; at >= 0; at -= 1) {
        const block = now[at] as Block;
        const known = drawn[at]?.block.key === block.key ? drawn[at] : undefined;
        const stale = isStale(known, block);
        if (!stale && (known?.width === width || left <= 0)) continue;
        const waits = left <= 0 && known === undefined;
        const redrawn = waits
          ? { block, unfolded: isUnfolded(block), width: 0, lines: [] }
          : draw(block, known, width);
        drawn[at] = redrawn;
        left -= redrawn.lines.length;
        changed = Math.min(changed, at);
      }
      if (left <= 0 && drawn.some((each) => each.width !== width)) again();
      if (changed !== Number.POSITIVE_INFINITY) flat = flatten(drawn, changed, flat);
      return flat;
    },
    clicked(line) {
      const at = blockAt(drawn, line);
      if (at === undefined) return;
      const next = new Set(turned);
      if (!next.delete(at.key)) next.add(at.key);
      turned = next;
    },
    toggleAll() {
      allUnfolded = !allUnfolded;
      turned = new Set();
    },
    refresh() {
      drawn = [];
      flat = [];
    },
  };
}

function grows(block: Block): boolean {
  return (block.kind === 'answer' || block.kind === 'reasoning') && !block.done;
}

/** A new array: whoever holds the old one goes on seeing what was there. */
function flatten(drawn: readonly Drawn[], from: number, before: readonly string[]): readonly string[] {
  let kept = 0;
  for (let at = 0; at < from; at += 1) kept += drawn[at]?.lines.length ?? 0;
  const lines = before.slice(0, kept);
  for (const each of drawn.slice(from)) for (const line of each.lines) lines.push(line);
  return lines;
}

function blockAt(drawn: readonly Drawn[], line: number): Block | undefined {
  let first = 0;
  for (const { block, lines } of drawn) {
    first += lines.length;
    if (line < first) return block;
  }
  return undefined;
}
