// Whether a line runs a file that it writes itself: nobody can have read what is in there.
import { unknownPart } from './glob.ts';
import type { Redirect, SimpleCommand } from './shell.ts';
import { shells } from './read-shell.ts';
import { baseName } from './wrappers.ts';

/** Files are compared by their last name, since a `cd` or a link may part two names of one file. */
export function runsWhatItWrites(
  commands: readonly SimpleCommand[],
  redirects: readonly Redirect[],
): boolean {
  const run = new Set(commands.flatMap(scriptsOf).map(baseName));
  if (run.size === 0) return false;
  const written = [
    ...redirects.filter(({ direction }) => direction === 'out').map(({ target }) => target),
    ...commands.flatMap(writtenBy),
  ].map((path) => baseName(path.replace(/^.*=/s, '')));
  return written.some((name) => run.has(name) || name.includes(unknownPart));
}

function scriptsOf({ words: [name = '', ...rest] }: SimpleCommand): readonly string[] {
  const sourced = name === '.' || name === 'source' || shells.has(baseName(name));
  return [...(sourced ? rest : []), ...(name.includes('/') ? [name] : [])];
}

function writtenBy({ words: [name = '', ...rest] }: SimpleCommand): readonly string[] {
  return writers.has(baseName(name)) ? rest : [];
}

const writers = new Set('tee cp mv ln install dd curl wget rsync'.split(' '));
