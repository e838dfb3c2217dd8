// How a settings file is laid out, so that what is added looks like what is there.
import type { Node } from './document.ts';

export interface Layout {
  readonly eol: string;
  /** One step of indentation. */
  readonly unit: string;
  /** Whether the container's items stand on lines of their own. */
  readonly multiline: boolean;
  /** Indentation of the line the container opens on. */
  readonly outer: string;
  /** Indentation of its items. */
  readonly inner: string;
}

export function layoutOf(text: string, container: Node): Layout {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const unit = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ';
  const outer = indentation(text, container.offset);
  const own = (container.children ?? []).find((child) => startsLine(text, child.offset));
  const inner = own === undefined ? outer + unit : indentation(text, own.offset);
  const multiline = /[\r\n]/.test(text.slice(container.offset, container.offset + container.length));
  return { eol, unit, multiline, outer, inner };
}

/** A value as it stands among the items of the container: over several lines where they do. */
export function render(value: unknown, { eol, unit, multiline, inner }: Layout): string {
  if (!multiline) return JSON.stringify(value);
  return JSON.stringify(value, null, unit).replaceAll('\n', eol + inner);
}

/** Offset of the first character of the line. */
export function lineStart(text: string, offset: number): number {
  return Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
}

/** Whether nothing but blanks stands before it on its line. */
export function startsLine(text: string, offset: number): boolean {
  return text.slice(lineStart(text, offset), offset).trim() === '';
}

function indentation(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? '';
}
