// The headers that frame a request: only whoever sends it can set them.

/** `name` in any case. */
export function framesRequest(name: string): boolean {
  return framing.has(name.toLowerCase());
}

const framing = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
