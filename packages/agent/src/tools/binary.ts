// Tells text from what only a program can read, by the first bytes of a file.
import { Buffer } from 'node:buffer';
import type { FileHandle } from 'node:fs/promises';

/** What the file is, such as `a PNG image`, or null for text. Leaves the handle's position where it was. */
export async function recogniseBinary(handle: FileHandle): Promise<string | null> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(sampleSize), 0, sampleSize, 0);
  return describeBinary(buffer.subarray(0, bytesRead));
}

/** @param bytes the first of a file */
export function describeBinary(bytes: Buffer): string | null {
  const known = signatures.find(([, , signature, at = 0]) => matches(bytes, signature, at));
  if (known !== undefined) return `${known[0]} ${known[1]}`;
  return bytes.subarray(0, sampleSize).includes(0) ? 'a binary file' : null;
}

/** Git looks at as many bytes for a NUL. */
const sampleSize = 8_000;

function matches(bytes: Buffer, signature: string, at: number): boolean {
  return bytes.subarray(at, at + signature.length).equals(Buffer.from(signature, 'latin1'));
}

/** Article, name, bytes in Latin-1, offset. UTF-16 is text in a form that neither reading nor editing handles. */
const signatures: readonly (readonly [string, string, string, number?])[] = [
  ['a', 'PNG image', '\x89PNG\r\n\x1a\n'],
  ['a', 'JPEG image', '\xff\xd8\xff'],
  ['a', 'GIF image', 'GIF8'],
  ['a', 'WebP image', 'WEBP', 8],
  ['a', 'PDF document', '%PDF-'],
  ['a', 'ZIP archive', 'PK\x03\x04'],
  ['a', 'gzip archive', '\x1f\x8b'],
  ['an', 'ELF program', '\x7fELF'],
  ['a', 'text in UTF-16', '\xff\xfe'],
  ['a', 'text in UTF-16', '\xfe\xff'],
];
