// Takes keys out of sentences that are shown, journaled and handed to hooks.

const hidden = '[hidden]';

/** The makers' key formats, bearer tokens, and keys in addresses: providers quote them back in errors. */
const keyShapes: readonly RegExp[] = [
  /\b(?:sk|pk|rk|gsk|xai)-[A-Za-z0-9_*-]{8,}/g,
  /\bAIza[A-Za-z0-9_-]{10,}/g,
  /(?<=\bBearer\s+)[^\s"',]+/gi,
  /(?<=[?&](?:key|api_key|apikey|token)=)[^&\s"']+/gi,
  /(?<=\/\/)[^/\s@]+(?=@)/g,
];

/** The text without the given secrets and without anything that looks like a key. */
export function redact(text: string, secrets: readonly string[]): string {
  let safe = text;
  for (const secret of secrets) {
    // A very short "key" (local servers take any) would tear holes into ordinary words.
    if (secret.length >= 6) safe = safe.replaceAll(secret, hidden);
  }
  for (const shape of keyShapes) safe = safe.replace(shape, hidden);
  return safe;
}
