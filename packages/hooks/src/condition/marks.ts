// Marks for what is unknown in a word while a line is read: a doubled one tells that several words may come of it.
import { unknownPart } from './glob.ts';

/** Stands for a pattern or braces: any number of words, each with the text around the mark. */
export const patternPart = unknownPart.repeat(2);

/** Stands for what a shell splits at blanks: any number of words of any kind. */
export const splitPart = unknownPart.repeat(3);

/** Whether a word may come to none or several, so that those behind it may stand elsewhere than they are written. */
export function maybeSeveral(word: string): boolean {
  return word.includes(patternPart);
}

export function maybeSplit(word: string): boolean {
  return word.includes(splitPart);
}

/** The text with every mark a plain one, as it leaves the reading. */
export function plainMarks(text: string): string {
  return text.replace(/\0+/g, unknownPart);
}
