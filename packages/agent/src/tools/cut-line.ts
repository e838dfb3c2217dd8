// Shows the start of a line that is too long to show.
import { cutEnd } from './output.ts';

/** The line, or its first `longest` characters and a sign that there is more. */
export function flagCut(line: string, longest: number): string {
  return line.length <= longest ? line : `${cutEnd(line, longest)}… [line cut]`;
}
