// What a repository's .gitignore files leave out of a search.
import { compileGlob, type PathTest } from './glob.ts';

export interface IgnoreFile {
  /** The last rule that fits decides; undefined where none does. `path` is relative to where the search began. */
  ignores(path: string, isDirectory: boolean): boolean | undefined;
}

/**
 * A line that is no pattern is passed over, as Git does.
 * @param toOwn makes a path that is relative to the start of the search relative to the file's own directory
 */
export function parseIgnoreFile(text: string, toOwn: (path: string) => string): IgnoreFile {
  const rules = text.split(/\r?\n/).flatMap((line) => parseRule(line) ?? []);
  rules.reverse();
  return {
    ignores(searched, isDirectory) {
      const path = toOwn(searched);
      const name = path.slice(path.lastIndexOf('/') + 1);
      const rule = rules.find(
        ({ test, anchored, directoriesOnly }) =>
          (isDirectory || !directoriesOnly) && test(anchored ? path : name),
      );
      return rule?.ignore;
    },
  };
}

interface Rule {
  readonly test: PathTest;
  readonly ignore: boolean;
  /** Holds a slash, so it is about the path and not about a name at any depth. */
  readonly anchored: boolean;
  readonly directoriesOnly: boolean;
}

function parseRule(line: string): Rule | null {
  const text = line.replace(/(?<!\\)[ \t]+$/, '');
  if (text === '' || text.startsWith('#')) return null;
  const ignore = !text.startsWith('!');
  const pattern = ignore ? text : text.slice(1);
  const directoriesOnly = pattern.endsWith('/');
  const body = directoriesOnly ? pattern.slice(0, -1) : pattern;
  const anchored = body.includes('/');
  try {
    const test = compileGlob(body.replace(/^\//, ''), { braces: false });
    return { test, ignore, anchored, directoriesOnly };
  } catch {
    return null;
  }
}
