// Prints a transcript as it grows: each block once, when nothing will change about it; an answer line by line.
import { sanitise } from '../../terminal/sanitise.ts';
import { plainStyle } from '../screen/style.ts';
import type { Block } from '../state/block.ts';
import { createBlockPainter } from '../widgets/block-painter.ts';

export interface Printer {
  /** Prints what is new. */
  show(blocks: readonly Block[]): void;
}

export function createPrinter(print: (line: string) => void, width: number): Printer {
  let nextKey = 1;
  /** Characters of the first unfinished block that are printed. */
  let shown = 0;
  const painter = createBlockPainter(plainStyle, (code) => code);

  function finish(block: Block): void {
    if (block.kind === 'answer') {
      for (const line of sanitise(block.text.slice(shown)).trimEnd().split('\n')) print(line);
    } else if (block.kind !== 'prompt') {
      for (const line of painter.lines(block, false, width)) print(withoutMarks(line));
    }
    nextKey = block.key + 1;
    shown = 0;
  }

  return {
    show(blocks) {
      for (const block of blocks) {
        if (block.key < nextKey) continue;
        if (isFinished(block)) {
          finish(block);
          continue;
        }
        // Blocks behind it wait, so that everything stands in the order in which it happened.
        if (block.kind !== 'answer') return;
        const end = block.text.lastIndexOf('\n');
        if (end > shown) {
          for (const line of sanitise(block.text.slice(shown, end)).split('\n')) print(line);
          shown = end + 1;
        }
        return;
      }
    },
  };
}

function isFinished(block: Block): boolean {
  switch (block.kind) {
    case 'answer':
    case 'reasoning':
      return block.done;
    case 'call':
      return block.end.kind !== 'running';
    case 'shell':
      return block.ended !== undefined;
    case 'prompt':
    case 'hook':
    case 'notice':
    case 'reply':
      return true;
  }
}

/** Markdown is drawn with styles of its own here and there; none of them reaches a terminal that would print them. */
function withoutMarks(line: string): string {
  return sanitise(line).trimEnd();
}
