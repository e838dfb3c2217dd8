// Gets a web page as text.
import * as v from 'valibot';
import type { FetchedPage } from './fetch-page.ts';
import { numberField, textField } from './fields.ts';
import { cutEnd, outputCap } from './output.ts';
import { pageText } from './page-text.ts';
import { isPrivateAddress } from './private-address.ts';
import { cancelled, failed, ok } from './result.ts';
import { defineTool, type ToolResult } from './tool.ts';
import description from './web-fetch.md';

const deadlineMs = 30_000;
const sizeCap = 5 * 1024 * 1024;

export const webFetch = defineTool({
  name: 'web_fetch',
  description,
  input: v.strictObject({
    url: v.pipe(
      textField('The address of the page.'),
      v.regex(
        /^[hH][tT]{2}[pP][sS]?:\/\/[^/]/,
        'must be a full address that begins with https:// or http://',
      ),
    ),
    offset: v.optional(numberField(0, Number.MAX_SAFE_INTEGER, 'Character of the text to begin at.')),
  }),
  access: 'network',
  subject: ({ url }) => ({ kind: 'url', url }),
  async run({ url, offset = 0 }, { privateNetwork, refusal, signal }) {
    if (!URL.canParse(url)) return failed(`${url} is not an address.`);
    const deadline = AbortSignal.timeout(deadlineMs);
    const { fetchPage } = await import('./fetch-page.ts');
    try {
      const page = await fetchPage(new URL(url), {
        mayReach: (address) => privateNetwork || !isPrivateAddress(address),
        refusal: ({ href }) => refusal({ kind: 'url', url: href }),
        signal: AbortSignal.any([signal, deadline]),
        sizeCap,
      });
      return await toResult(page, offset);
    } catch (error) {
      if (signal.aborted) return cancelled(`Getting ${url} was cancelled.`);
      if (deadline.aborted) return timedOut(url);
      return failed(`${url} could not be fetched: ${explain(error)}`);
    }
  },
});

function timedOut(url: string): ToolResult {
  const output = `${url} did not answer completely within ${deadlineMs / 1_000} seconds.`;
  return { kind: 'failed', error: 'timed-out', output };
}

async function toResult(page: FetchedPage, offset: number): Promise<ToolResult> {
  if (page.kind === 'refused') return failed(page.message);
  if (page.kind === 'elsewhere') {
    return ok(`[The address redirects to another host. To go there, fetch ${page.url.href}]`);
  }
  const text = await pageText(page);
  const success = page.status >= 200 && page.status < 300;
  if (text.kind === 'refused') return failed(`${page.url.href}: ${text.message}`);
  if (!success) {
    const status = `HTTP ${page.status} ${page.statusText}`.trim();
    return failed(`${page.url.href} answered ${status}.\n${cutEnd(text.text, mostOfAnError)}`);
  }
  return showPart(text.text, offset, page);
}

/** An error page says what is wrong at its beginning. */
const mostOfAnError = 2_000;

function showPart(text: string, offset: number, page: Extract<FetchedPage, { kind: 'page' }>): ToolResult {
  if (text === '') return ok(`[${page.url.href} has no text.]`);
  if (offset >= text.length)
    return failed(`The text has ${text.length} characters; there is none at ${offset}.`);
  const part = cutEnd(text.slice(offset), outputCap);
  const end = offset + part.length;
  const notes = [
    ...(end < text.length
      ? [`Characters ${offset} to ${end} of ${text.length}; continue with offset ${end}.`]
      : []),
    ...(page.truncated ? [`The page is larger than ${sizeCap} bytes; the rest was not read.`] : []),
  ];
  return ok((notes.length > 0 ? `[${notes.join(' ')}]\n` : '') + part);
}

/** Node hides the reasons of several failed connections inside an error without a message. */
function explain(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(explain).join('; ');
  return error instanceof Error ? error.message : String(error);
}
