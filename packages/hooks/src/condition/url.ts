// The names one address goes by: as it was written, and as whoever fetches it reads that.

export interface UrlNames {
  /** Every name of the address; a rule that stops a call may use any. */
  readonly forms: readonly string[];
  /** The address as it is fetched; only this can allow a call. Empty for what is no address or holds a password. */
  readonly real: readonly string[];
}

/** By the URL standard: upper case, tabs, `\`, `/../`, `127.1` and the like are gone from all names but the written one. */
export function namesOfUrl(written: string): UrlNames {
  if (!URL.canParse(written)) return { forms: [written], real: [] };
  const url = new URL(written);
  const own = shorter(url);
  const plain = withoutExtras(url);
  const decoded = decode(plain.href);
  const names = [plain, ...(URL.canParse(decoded) ? [new URL(decoded)] : [])].flatMap(shorter);
  return {
    forms: [...new Set([written, ...own, decoded, ...names.flatMap(withPort)])],
    real: url.username === '' && url.password === '' ? own : [],
  };
}

/** `https://host/` is also written without its last slash. */
function shorter({ href, pathname, search, hash }: URL): readonly string[] {
  return pathname === '/' && search === '' && hash === '' ? [href, href.slice(0, -1)] : [href];
}

/** Without what leads to the same page: a fragment, a name and password, the dot behind a host, doubled slashes. */
function withoutExtras(url: URL): URL {
  const plain = new URL(url);
  plain.hash = '';
  plain.username = '';
  plain.password = '';
  plain.hostname = plain.hostname.replace(/\.$/, '');
  plain.pathname = plain.pathname.replace(/\/{2,}/g, '/');
  return plain;
}

/** Servers read `%73` as the letter it stands for. */
function decode(href: string): string {
  return href.replace(/%([2-7][0-9a-f])/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

function withPort(href: string): readonly string[] {
  const { protocol, port, host } = new URL(href);
  const usual = protocol === 'https:' ? '443' : protocol === 'http:' ? '80' : '';
  return port !== '' || usual === '' ? [href] : [href, href.replace(host, `${host}:${usual}`)];
}
