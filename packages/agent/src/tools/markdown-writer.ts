// Joins pieces of text so that white space collapses as in a browser and empty lines never double.

export interface MarkdownWriter {
  /** What comes next begins a line that starts with `prefix`. Asked twice, the larger distance counts. */
  startLine(prefix: string, distance: 'next' | 'after-empty'): void;
  text(text: string): void;
  /** A mark that clings to what follows, such as the first `**`. */
  open(mark: string): void;
  /** A mark that clings to what came before. */
  close(mark: string): void;
  /** Begins a table cell, which stays on its row's line. */
  cell(mark: string): void;
  /** Text whose white space counts. */
  verbatim(text: string): void;
  whole(): string;
}

export function createMarkdownWriter(): MarkdownWriter {
  const pieces: string[] = [];
  let lineFeeds = 0;
  let linePrefix = '';
  let space = false;
  /** What was written last takes no space behind it. */
  let clings = true;
  let cellStart = false;

  function settle(): void {
    if (lineFeeds > 0) {
      if (pieces.length > 0) pieces.push(lineFeeds > 1 ? `\n${linePrefix}\n` : '\n');
      pieces.push(linePrefix);
    } else if (space && !clings) pieces.push(' ');
    lineFeeds = 0;
    space = false;
    cellStart = false;
  }

  return {
    startLine(prefix, distance) {
      if (cellStart) return;
      lineFeeds = Math.max(lineFeeds, distance === 'next' ? 1 : 2);
      linePrefix = prefix;
      space = false;
    },
    text(text) {
      const collapsed = text.replace(/\s+/g, ' ');
      const core = collapsed.trim();
      if (collapsed.startsWith(' ')) space = true;
      if (core === '') return;
      settle();
      pieces.push(core);
      clings = false;
      space = collapsed.endsWith(' ');
    },
    open(mark) {
      settle();
      pieces.push(mark);
      clings = true;
    },
    close(mark) {
      pieces.push(mark);
      clings = false;
    },
    cell(mark) {
      if (mark.startsWith(' ')) lineFeeds = 0;
      space = false;
      settle();
      pieces.push(mark);
      clings = true;
      cellStart = true;
    },
    verbatim(text) {
      settle();
      pieces.push(text);
      clings = false;
    },
    whole() {
      const lines = pieces.join('').split('\n');
      return lines
        .map((line) => line.trimEnd())
        .join('\n')
        .trim();
    },
  };
}
