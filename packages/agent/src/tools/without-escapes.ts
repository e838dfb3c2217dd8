// What a program printed for a terminal, as text.
import { stripVTControlCharacters } from 'node:util';

/** Most programs print no escape sequence when nobody sees it, and the pattern that finds them takes its time to be made. */
export function withoutEscapes(text: string): string {
  return text.includes('\u001b') || text.includes('\u009b') ? stripVTControlCharacters(text) : text;
}
