// One hook in one line, where there is no panel to list it in.
import type { ListedHook } from '../ports.ts';

export function hookLine({ event, runs, state, why = '', file, line }: ListedHook): string {
  return `${event}  ${runs}  [${state}${why === '' ? '' : `: ${why}`}]  ${file}:${line}`;
}
