// What one piece of terminal input means.
import { decodeKittyPrintable, isKeyRelease, parseKey } from '@earendil-works/pi-tui';

export type Key =
  /** `enter`, `escape`, `up`, `ctrl+c`, `alt+1`, … */
  | { readonly kind: 'named'; readonly name: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'paste'; readonly text: string };

/** Undefined for input that is no key: the release of one, a report of the terminal. */
export function readKey(data: string): Key | undefined {
  if (data.startsWith(pasteStart) && data.endsWith(pasteEnd)) {
    return { kind: 'paste', text: data.slice(pasteStart.length, -pasteEnd.length) };
  }
  if (isKeyRelease(data)) return undefined;
  const printable = decodeKittyPrintable(data) ?? (isPrintable(data) ? data : undefined);
  if (printable !== undefined) return { kind: 'text', text: printable };
  const name = legacyNames.get(data) ?? parseKey(data);
  return name === undefined ? undefined : { kind: 'named', name };
}

/** For switches over both kinds: the name of a named key, the character of a typed one. */
export function keyName(key: Key): string {
  return key.kind === 'named' ? key.name : key.text;
}

/** Around a paste, where the terminal tells one from typing. */
export const pasteStart = '\u001b[200~';
export const pasteEnd = '\u001b[201~';

/** What terminals without a protocol for keys send for Alt with these letters; the library takes it for Alt with an arrow. */
const legacyNames: ReadonlyMap<string, string> = new Map([
  ['\u001bn', 'alt+n'],
  ['\u001bp', 'alt+p'],
]);

function isPrintable(data: string): boolean {
  return data !== '' && !/\p{Cc}/u.test(data);
}
