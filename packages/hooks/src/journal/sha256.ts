// The one place that hashes for a name; the program's bundle puts one there that starts without node:crypto.
import { createHash } from 'node:crypto';

/** As hex digits, over the text in UTF-8. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
