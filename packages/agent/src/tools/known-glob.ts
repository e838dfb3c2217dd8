// What a file pattern says for certain about the paths it finds, for rules.
import { unknownPart } from '@codey/hooks';

/** Undefined for a pattern that begins with something unknown: it says no more than the directory it is used in. */
export function knownGlob(glob: string | undefined): string | undefined {
  const plain = glob?.replace(/^(?:\.?\/+)+/, '') ?? '';
  if (plain === '' || /^[*?[{!\\]/.test(plain)) return undefined;
  return plain.replace(/\\(.)/gs, '$1').replace(/\{.*\}|\[.*?\]|[*?]+/gs, unknownPart);
}
