// Fetches one small text from the host it was asked of, and from no other.
import { skillSizeLimit } from '@codey/agent';

export type FetchedText =
  | { readonly ok: true; readonly text: string; readonly url: string }
  /** Goes on after "… was not installed: ". */
  | { readonly ok: false; readonly message: string };

/** For everything together, however slowly it drips. */
const usualDeadlineMs = 20_000;
const mostRedirects = 3;

export interface FetchOptions {
  readonly fetch?: typeof fetch;
  readonly deadlineMs?: number;
}

/** Never rejects. */
export async function fetchText(
  address: string,
  { fetch: get = fetch, deadlineMs = usualDeadlineMs }: FetchOptions,
): Promise<FetchedText> {
  if (!URL.canParse(address) || !/^https?:/.test(address)) return refuse(`${address} is not an http address`);
  const signal = AbortSignal.timeout(deadlineMs);
  let url = new URL(address);
  try {
    for (let redirects = 0; redirects <= mostRedirects; redirects++) {
      const response = await get(url, {
        redirect: 'manual',
        signal,
        headers: { accept: 'text/markdown, text/plain, */*' },
      });
      const location =
        response.status >= 300 && response.status < 400 ? response.headers.get('location') : null;
      if (location === null) return await readResponse(response, url);
      await response.body?.cancel();
      if (!URL.canParse(location, url)) return refuse(`${url} leads to no address`);
      const next = new URL(location, url);
      // A login page answers for many hosts; a skill comes from where it is published or not at all.
      if (next.origin !== url.origin) return refuse(`${url} leads to another host, ${next.origin}`);
      url = next;
    }
    return refuse(`${url} leads in circles`);
  } catch (error) {
    if (signal.aborted) return refuse(`${url.host} took longer than ${deadlineMs / 1000} s`);
    return refuse(`${url.host} cannot be reached (${causeOf(error)})`);
  }
}

async function readResponse(response: Response, url: URL): Promise<FetchedText> {
  if (response.status !== 200) {
    await response.body?.cancel();
    return refuse(`${url} answered with status ${response.status}`);
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > skillSizeLimit) return refuse(`${url} is larger than ${skillSizeLimit / 1024} KiB`);
    chunks.push(chunk);
  }
  try {
    return {
      ok: true,
      text: new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)),
      url: url.href,
    };
  } catch {
    return refuse(`what ${url} holds is not UTF-8 text`);
  }
}

function refuse(message: string): FetchedText {
  return { ok: false, message };
}

/** What the system said lies under the library's "fetch failed". */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message;
}
