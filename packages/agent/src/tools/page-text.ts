// Turns the body of a fetched page into text, whatever it says it is.
import { TextDecoder } from 'node:util';
import { describeBinary } from './binary.ts';
import type { FetchedPage } from './fetch-page.ts';
import { showSize } from './show-size.ts';

export type PageText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'refused'; readonly message: string };

export async function pageText(page: Extract<FetchedPage, { kind: 'page' }>): Promise<PageText> {
  const { contentType, body, url } = page;
  if (!isTextual(contentType) || describeBinary(body) !== null) {
    const what = describeBinary(body) ?? `of type ${contentType}`;
    return { kind: 'refused', message: `the answer is ${what} (${showSize(body.length)}), not text.` };
  }
  const text = decode(body, page.charset ?? declaredCharset(body));
  if (contentType !== 'text/html' && contentType !== 'application/xhtml+xml') return { kind: 'text', text };
  const { htmlToMarkdown } = await import('./html-to-markdown.ts');
  return { kind: 'text', text: htmlToMarkdown(text, url) };
}

/** A type that is missing is judged by the bytes alone. */
function isTextual(contentType: string): boolean {
  return (
    contentType === '' ||
    /^text\/|[/+](json|xml|yaml|javascript|x-sh|x-www-form-urlencoded)\b|\/x?html\+?/.test(contentType)
  );
}

/** What an HTML page says of itself in its first bytes. */
function declaredCharset(body: Buffer): string | undefined {
  return /<meta[^>]{0,200}charset=["']?([\w-]+)/i.exec(body.toString('latin1', 0, 2_048))?.[1];
}

function decode(body: Buffer, charset = 'utf-8'): string {
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    // An encoding nobody knows.
    return new TextDecoder().decode(body);
  }
}
