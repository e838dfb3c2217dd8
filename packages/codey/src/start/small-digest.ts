// SHA-256 without node:crypto, which takes two milliseconds to load. The bundle has it in place of `journal/sha256.ts`.
import { sha256 as digest } from '@noble/hashes/sha2.js';

/** As hex digits, over the text in UTF-8. */
export function sha256(text: string): string {
  return Buffer.from(digest(Buffer.from(text))).toString('hex');
}
