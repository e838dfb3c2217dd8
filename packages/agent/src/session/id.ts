// Names of sessions: they sort by the moment they were opened, cannot be guessed, and are safe as a folder's name.
import { randomBytes } from '@codey/hooks';

/** `20260131-094501123-` and twelve letters and digits: the opening in UTC, then 60 random bits. */
export function createSessionId(now: number): string {
  const [date = '', clock = ''] = new Date(now).toISOString().split('T');
  let random = '';
  for (const byte of randomBytes(12)) random += alphabet[byte % alphabet.length];
  return `${date.replaceAll('-', '')}-${clock.replace(/\D/g, '')}-${random}`;
}

/** Whether a folder of that name is a session. What a user types is only ever compared with names that pass this. */
export function isSessionId(text: string): boolean {
  return /^\d{8}-\d{9}-[a-z2-7]{12}$/.test(text);
}

/** 32 signs, so that every random byte gives five even bits; lower case for file systems that do not tell case. */
const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';
