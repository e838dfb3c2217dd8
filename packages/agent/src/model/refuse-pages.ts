// Tells a web page from an answer: the most common sign of a wrong address or a proxy's login.
import { ModelError } from './model.ts';

/** A fetch that throws ModelError `malformed` when a successful answer is an HTML page; a stream of one just looks empty. */
export function refusingPages(fetchAnswer: typeof fetch, label: string): typeof fetch {
  return async (input, init) => {
    const response = await fetchAnswer(input, init);
    if (!response.ok || !/^text\/html/i.test(response.headers.get('content-type') ?? '')) return response;
    await response.body?.cancel();
    const origin = new URL(input instanceof Request ? input.url : input).origin;
    throw new ModelError(
      'malformed',
      `${label}: ${origin} answered with a web page instead of a stream; check the base URL and any proxy on the way`,
    );
  };
}
