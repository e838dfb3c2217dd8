// A trace as one page that needs nothing beside itself.
import type { Trace } from './span.ts';
import template from './page.html';

/** Works from a file: no address is asked for anything. */
export function tracePage(trace: Trace): string {
  // Inside a script element only `<` could end it; the replacement is a function so that no `$` in a name has a meaning.
  const data = JSON.stringify(trace).replaceAll('<', '\\u003c');
  return template.replace('"the trace"', () => data);
}
