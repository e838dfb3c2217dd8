// Tells a web page and a redirect from an answer: the most common signs of a wrong address or a proxy's login.
import { ModelError } from './model.ts';

/**
 * A fetch that throws ModelError `malformed` when a successful answer is an HTML page, whose stream just looks empty, and
 * when the request is sent elsewhere: the key was meant for the address that was written.
 */
export function refusingPages(fetchAnswer: typeof fetch, label: string): typeof fetch {
  return async (input, init) => {
    const response = await fetchAnswer(input, init);
    const strange = strangeness(response);
    if (strange === undefined) return response;
    await response.body?.cancel();
    const { origin } = new URL(typeof input === 'string' || input instanceof URL ? input : input.url);
    throw new ModelError(
      'malformed',
      `${label}: ${origin} answered with ${strange} instead of a stream; check the base URL and any proxy on the way`,
    );
  };
}

function strangeness({ ok, status, headers }: Response): string | undefined {
  if (ok && /^text\/html/i.test(headers.get('content-type') ?? '')) return 'a web page';
  if (status < 300 || status >= 400) return undefined;
  const target = headers.get('location');
  return target === null
    ? `a redirect (HTTP ${status})`
    : `a redirect to ${originOf(target)} (HTTP ${status})`;
}

/** Only the origin: a path or query could hold a key. */
function originOf(target: string): string {
  return URL.canParse(target) ? new URL(target).origin : 'another path';
}
