// Matches urls against the patterns of `allowedHttpHookUrls`.

/**
 * `*` stands for any characters, but not across the end of the host: `https://*.example.com/*` never matches a host
 * that merely has such a path. The host's case does not count, a default port may be left out, and a pattern without a
 * path means the path `/`, or every path where it ends with a star: `http://localhost:*`. A url that carries a user name matches nothing but `*`.
 */
export function matchesUrlPattern(pattern: string, url: URL): boolean {
  if (pattern === '*') return true;
  if (url.username !== '' || url.password !== '') return false;
  const parts = /^([^/?#]+:\/\/[^/?#]*)(\/.*)?$/.exec(pattern.trim());
  const [, origin, written] = parts ?? [];
  if (origin === undefined) return false;
  const path = written ?? (origin.endsWith('*') ? '*' : '/');
  return (
    matchesGlob(withoutDefaultPort(origin.toLowerCase()), `${url.protocol}//${url.host}`) &&
    matchesGlob(path, url.pathname + url.search)
  );
}

function withoutDefaultPort(origin: string): string {
  return origin.replace(/^(https:.*):443$|^(http:.*):80$/, '$1$2');
}

/** Walks the pieces between the stars, so that no pattern takes more than one pass over the text. */
function matchesGlob(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}
