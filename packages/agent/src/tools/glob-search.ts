// Finds files by a pattern over their paths.
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { pathField, textField } from './fields.ts';
import { compileFileGlob, type PathTest } from './glob.ts';
import description from './glob-search.md';
import { knownGlob } from './known-glob.ts';
import { count } from './output.ts';
import { cancelled, failed, ok } from './result.ts';
import { isRefused, noteRefused, openSearchRoot, showFound } from './search-root.ts';
import { showName } from './show-name.ts';
import { defineTool } from './tool.ts';
import { createWalk } from './walk.ts';

const mostShown = 200;
/** So many files are looked at for their time; a pattern that finds more is too wide to be sorted. */
const mostSorted = 20_000;

export const globSearch = defineTool({
  name: 'glob_search',
  description,
  input: v.strictObject({
    pattern: v.pipe(textField('The pattern, such as **/*.ts.'), v.minLength(1, 'must not be empty')),
    path: v.optional(pathField('The directory to search in.')),
  }),
  access: 'read',
  subject: ({ path = '.', pattern }) => {
    const below = knownGlob(pattern);
    return { kind: 'path', path, ...(below !== undefined && { below }) };
  },
  async run({ pattern, path = '.' }, context) {
    const compiled = compile(pattern);
    if (typeof compiled === 'string') return failed(compiled);
    const root = await openSearchRoot(path, context);
    if (root.kind === 'refused') return failed(root.message);
    if (root.kind === 'file') return failed(`${showName(path)} is a file; give the directory to search in.`);
    const found: string[] = [];
    const walk = createWalk(root.real, context.signal);
    let refused = 0;
    try {
      for await (const files of walk.files()) {
        for (const { path: file } of files.filter((one) => compiled(one.path))) {
          if (isRefused(root, file, context)) refused += 1;
          else found.push(file);
        }
      }
      const sorted = found.length > mostSorted ? found : await newestFirst(root.real, found, context.signal);
      const shown = sorted.slice(0, mostShown).map((file) => showFound(root, file, context));
      return ok([...shown, ...notes(found.length, [...walk.notes(), ...noteRefused(refused)])].join('\n'));
    } catch (error) {
      if (context.signal.aborted) return cancelled('The search was cancelled.');
      throw error;
    }
  },
});

function compile(pattern: string): PathTest | string {
  if (/^\/|(^|\/)\.\.(\/|$)/.test(pattern)) {
    return `The pattern is relative to path and cannot lead out of it. Give the directory as path and ${JSON.stringify(pattern.replace(/^.*\//, ''))} as pattern.`;
  }
  try {
    return compileFileGlob(pattern.replace(/^(\.\/)+/, ''));
  } catch (error) {
    return `The pattern cannot be used: ${(error as Error).message}.`;
  }
}

async function newestFirst(
  root: string,
  files: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const timed: { file: string; time: number }[] = [];
  for (let start = 0; start < files.length; start += statsAtOnce) {
    signal.throwIfAborted();
    const batch = files.slice(start, start + statsAtOnce);
    timed.push(...(await Promise.all(batch.map((file) => withTime(root, file)))));
  }
  return timed.sort((a, b) => b.time - a.time || (a.file < b.file ? -1 : 1)).map(({ file }) => file);
}

const statsAtOnce = 64;

async function withTime(root: string, file: string): Promise<{ file: string; time: number }> {
  // What vanished since it was found comes last.
  const time = await lstat(join(root, file))
    .then((found) => found.mtimeMs)
    .catch(() => 0);
  return { file, time };
}

function notes(found: number, walked: readonly string[]): readonly string[] {
  const amount =
    found === 0
      ? ['No file matches.']
      : found > mostSorted
        ? [
            `${count(found, 'file')} match, the first ${mostShown} shown, not in order of time; narrow the pattern.`,
          ]
        : found > mostShown
          ? [`${count(found, 'file')} match, the newest ${mostShown} shown.`]
          : [];
  const all = [...amount, ...walked];
  return all.length === 0 ? [] : [`[${all.join(' ')}]`];
}
