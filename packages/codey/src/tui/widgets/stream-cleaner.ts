// Cleans a text that only grows, without reading its beginning again each time.
import { sanitise } from '../../terminal/sanitise.ts';

/**
 * Whole lines are cleaned once; only the last, unfinished line is cleaned with every piece. A sequence that a line break
 * interrupts is no sequence for a terminal either.
 */
export function createStreamCleaner(): (text: string) => string {
  let source = '';
  let cleaned = '';
  return (text) => {
    if (!text.startsWith(source)) {
      source = '';
      cleaned = '';
    }
    const end = text.lastIndexOf('\n') + 1;
    if (end > source.length) {
      cleaned += sanitise(text.slice(source.length, end));
      source = text.slice(0, end);
    }
    return cleaned + sanitise(text.slice(source.length));
  };
}
