// What a command answers, taken apart: Markdown, with rows of two columns as blocks of their own.
import { twoColumns } from './two-columns.ts';

export interface ReplyPart {
  readonly kind: 'markdown' | 'columns';
  readonly part: string;
}

export function replyParts(text: string): readonly ReplyPart[] {
  const parts: ReplyPart[] = [];
  let from = 0;
  for (const block of text.matchAll(columnsBlock)) {
    parts.push({ kind: 'markdown', part: text.slice(from, block.index) });
    parts.push({ kind: 'columns', part: block[2] ?? '' });
    from = block.index + block[0].length;
  }
  parts.push({ kind: 'markdown', part: text.slice(from) });
  return parts.map(({ kind, part }) => ({ kind, part: part.trim() })).filter(({ part }) => part !== '');
}

const columnsBlock = new RegExp(`^(\`{3,})${twoColumns}\\n([\\s\\S]*?)\\n\\1$`, 'gm');
