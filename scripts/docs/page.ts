// One Markdown page, taken apart into what can be checked.

export interface Page {
  /** From the root of the repository, with `/`. */
  readonly file: string;
  /** What a link to a heading ends in. */
  readonly anchors: ReadonlySet<string>;
  readonly links: readonly Placed[];
  /** Code inside a line. */
  readonly spans: readonly Placed[];
  readonly blocks: readonly Block[];
}

export interface Placed {
  readonly text: string;
  /** From 1. */
  readonly line: number;
}

/** A fenced block; its line is that of its first line of text. */
export interface Block extends Placed {
  /** `sh`, `json`, `ts`; empty where none is named. */
  readonly language: string;
}

export function parsePage(file: string, text: string): Page {
  const anchors = new Set<string>();
  const links: Placed[] = [];
  const spans: Placed[] = [];
  const blocks: Block[] = [];
  let open: { language: string; fence: string; line: number; lines: string[] } | undefined;

  for (const [index, content] of text.split('\n').entries()) {
    const line = index + 1;
    const [, fence = '', language = ''] = /^\s*(`{3,}|~{3,})\s*(\S*)/.exec(content) ?? [];
    if (open !== undefined) {
      if (fence.startsWith(open.fence) && language === '') {
        blocks.push({ language: open.language, text: open.lines.join('\n'), line: open.line });
        open = undefined;
      } else open.lines.push(content);
      continue;
    }
    if (fence !== '') {
      open = { language, fence, line: line + 1, lines: [] };
      continue;
    }
    const heading = /^#{1,6}\s+(.*)$/.exec(content)?.[1];
    if (heading !== undefined) anchors.add(unused(anchorOf(heading), anchors));
    for (const [, code = ''] of content.matchAll(/`([^`]+)`/g)) spans.push({ text: code, line });
    const prose = content.replace(/`[^`]+`/g, '`…`');
    for (const [, target = ''] of prose.matchAll(/\]\(([^)\s]+)\)/g)) links.push({ text: target, line });
  }
  return { file, anchors, links, spans, blocks };
}

/** As GitHub makes it of a heading. */
function anchorOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}_ -]/gu, '')
    .replaceAll(' ', '-');
}

/** The second heading of one name ends in `-1`. */
function unused(anchor: string, taken: ReadonlySet<string>): string {
  let name = anchor;
  for (let count = 1; taken.has(name); count++) name = `${anchor}-${count}`;
  return name;
}
