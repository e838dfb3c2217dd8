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
  /** Blocks of agents beside the main one that came before what is printed now: nobody waits for those. */
  const later = new Set<number>();
  const painter = createBlockPainter(plainStyle, (code) => code);

  function finish(block: Block, from: number): void {
    if (block.kind === 'answer') {
      for (const line of sanitise(block.text.slice(from)).trimEnd().split('\n')) print(line);
    } else if (block.kind !== 'prompt') {
      for (const line of painter.lines(block, false, width)) print(withoutMarks(line));
    }
  }

  function finishNext(block: Block): void {
    finish(block, shown);
    nextKey = block.key + 1;
    shown = 0;
  }

  return {
    show(blocks) {
      for (const block of blocks) {
        if (block.key < nextKey) {
          if (isFinished(block) && later.delete(block.key)) finish(block, 0);
          continue;
        }
        if (isFinished(block)) {
          finishNext(block);
          continue;
        }
        if (shown === 0 && isBesideMain(block)) {
          later.add(block.key);
          nextKey = block.key + 1;
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

function isBesideMain(block: Block): boolean {
  return 'agent' in block && block.agent !== 'main';
}

function isFinished(block: Block): boolean {
  switch (block.kind) {
    case 'answer':
    case 'reasoning':
      return block.done;
    case 'call':
      return block.end.kind !== 'running' && block.end.kind !== 'held';
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
