// Draws one block of the transcript as lines.
import { sanitise } from '../../terminal/sanitise.ts';
import type { Highlight } from '../screen/highlight.ts';
import { createMarkdownRenderer, type MarkdownRenderer } from '../screen/markdown.ts';
import type { Style } from '../screen/style.ts';
import { cut, wrap } from '../screen/text.ts';
import type { Block, Tone } from '../state/block.ts';
import { callBlockLines } from './call-block.ts';
import { plainHook } from './hook-lines.ts';
import { createStreamCleaner } from './stream-cleaner.ts';
import { replyParts } from './reply-parts.ts';
import { twoColumnLines } from './two-columns.ts';

/** Keeps what a growing text needs, so one for each block. */
export interface BlockPainter {
  /** Each at most `width` columns; an empty one comes first where the block stands apart. */
  lines(block: Block, unfolded: boolean, width: number): readonly string[];
}

export function createBlockPainter(style: Style, highlight: Highlight): BlockPainter {
  let markdown: MarkdownRenderer | undefined;
  const clean = createStreamCleaner();

  function markdownLines(text: string, width: number): readonly string[] {
    markdown ??= createMarkdownRenderer(style, highlight);
    // They come filled up to the width: much of what a long transcript would hold, and blanks in what is copied.
    return markdown.render(clean(text).trim(), width - 2).map((line) => `  ${line}`.trimEnd());
  }

  function replyLines(text: string, width: number): readonly string[] {
    return replyParts(sanitise(text)).flatMap(({ kind, part }, index) => {
      const lines =
        kind === 'columns'
          ? twoColumnLines(part, width - 4)
          : createMarkdownRenderer(style, highlight).render(part, width - 4);
      return [...(index === 0 ? [] : ['']), ...lines.map((line) => `    ${line}`.trimEnd())];
    });
  }

  return {
    lines(block, unfolded, width) {
      switch (block.kind) {
        case 'prompt':
          return ['', ...promptLines(block.text, width, style)];
        case 'answer':
          return ['', ...from(block.agent, style), ...markdownLines(block.text, width)];
        case 'reasoning':
          return ['', ...reasoningLines(clean(block.text), unfolded || !block.done, width, style)];
        case 'call':
          return callBlockLines(block, unfolded, width, style);
        case 'hook':
          return [cut(plainHook(block.line, style), width)];
        case 'notice':
          return noticeLines(block.tone, block.text, width, style);
        case 'shell':
          return ['', ...shellLines(block, unfolded, width, style)];
        case 'reply':
          return [
            '',
            style.bold(cut(sanitise(block.title, { oneLine: true }), width)),
            ...replyLines(block.text, width),
          ];
      }
    },
  };
}

/** Zero-width marks at which terminals, and the keys that jump between prompts, know where one begins. */
const promptMark = '\u001b]133;A\u0007';

function promptLines(text: string, width: number, style: Style): readonly string[] {
  const lines = wrap(sanitise(text).trimEnd(), width - 2);
  return lines.map((line, index) => {
    const shown = `${style.cyan('▌')} ${style.bold(line)}`;
    return index === 0 ? promptMark + shown : shown;
  });
}

/** Only agents that are not the one the user talks to are named. */
function from(agent: string, style: Style): readonly string[] {
  return agent === 'main' ? [] : [style.dim(`  ${sanitise(agent, { oneLine: true })}:`)];
}

const foldedReasoning = 2;

function reasoningLines(text: string, unfolded: boolean, width: number, style: Style): readonly string[] {
  const lines = wrap(text.trim(), width - 4);
  const shown = unfolded || lines.length <= foldedReasoning + 1 ? lines : lines.slice(0, foldedReasoning);
  const more = lines.length - shown.length;
  return [...shown, ...(more > 0 ? [`… ${more} more lines · Ctrl+O`] : [])].map((line) =>
    style.dim(`  ${style.italic(line)}`),
  );
}

function noticeLines(tone: Tone, text: string, width: number, style: Style): readonly string[] {
  const { sign, paint } = tones(style)[tone];
  return wrap(sanitise(text).trimEnd(), width - 2).map((line, row) =>
    paint(`${row === 0 ? sign : ' '} ${line}`),
  );
}

function tones(style: Style) {
  return {
    plain: { sign: '·', paint: style.dim },
    warning: { sign: '!', paint: style.yellow },
    error: { sign: '✗', paint: style.red },
  } as const;
}

const foldedShell = 20;

function shellLines(
  { line, output, ended }: Extract<Block, { kind: 'shell' }>,
  unfolded: boolean,
  width: number,
  style: Style,
): readonly string[] {
  const head = wrap(sanitise(line), width - 2).map(
    (part, row) => `${style.magenta(row === 0 ? '!' : ' ')} ${style.bold(part)}`,
  );
  const text = sanitise(output).trimEnd();
  const lines = text === '' ? [] : wrap(text, width - 2);
  const shown = unfolded ? lines : lines.slice(-foldedShell);
  const above = lines.length - shown.length;
  return [
    ...head,
    ...(above > 0 ? [style.dim(`  … ${above} lines above · Ctrl+O`)] : []),
    ...shown.map((part) => `  ${part}`),
    ...(ended === undefined || ended === '' ? [] : [style.red(`  ${sanitise(ended, { oneLine: true })}`)]),
  ];
}
