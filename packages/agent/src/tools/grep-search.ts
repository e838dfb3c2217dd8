// Searches the contents of files for a regular expression.
import { join } from 'node:path';
import * as v from 'valibot';
import { recogniseBinary } from './binary.ts';
import { flagField, numberField, pathField, textField } from './fields.ts';
import { compileFileGlob, type PathTest } from './glob.ts';
import { createGrepOutput, type GrepOutput } from './grep-output.ts';
import description from './grep-search.md';
import { knownGlob } from './known-glob.ts';
import { compilePattern, type LinePattern, PatternTooSlow } from './line-pattern.ts';
import { readLines } from './lines.ts';
import { openFile } from './open-file.ts';
import { cancelled, failed, ok } from './result.ts';
import { isRefused, noteRefused, openSearchRoot, showFound } from './search-root.ts';
import { defineTool } from './tool.ts';
import { createWalk, type Walk } from './walk.ts';

/** Characters of a line that are searched: a bundle's single line of megabytes holds nothing to be found by eye. */
const longestLine = 64 * 1024;

export const grepSearch = defineTool({
  name: 'grep_search',
  description,
  input: v.strictObject({
    pattern: v.pipe(textField('The regular expression.'), v.minLength(1, 'must not be empty')),
    path: v.optional(pathField('The directory or file to search.')),
    glob: v.optional(textField('Only files that fit, such as *.ts.')),
    ignore_case: v.optional(flagField('Find upper and lower case alike.')),
    context: v.optional(numberField(0, 10, 'Lines to show around each match.')),
  }),
  access: 'read',
  subject: ({ path = '.', glob }) => {
    const below = knownGlob(glob);
    return { kind: 'path', path, ...(below !== undefined && { below }) };
  },
  async run({ pattern, path = '.', glob, ignore_case = false, context: around = 0 }, context) {
    const compiled = compilePattern(pattern, ignore_case);
    if (compiled.kind === 'refused') return failed(compiled.message);
    const filter = compileFilter(glob);
    if (typeof filter === 'string') return failed(filter);
    const root = await openSearchRoot(path, context);
    if (root.kind === 'refused') return failed(root.message);
    const output = createGrepOutput(around);
    const walk = createWalk(root.real, context.signal);
    let refused = 0;
    try {
      for await (const file of root.kind === 'file' ? [''] : filesOf(walk, filter)) {
        if (isRefused(root, file, context)) {
          refused += 1;
          continue;
        }
        output.startFile(showFound(root, file, context));
        await searchFile(join(root.real, file), compiled.pattern, output, context.signal);
        if (output.full()) break;
      }
      return ok(output.text([...walk.notes(), ...noteRefused(refused)]));
    } catch (error) {
      if (context.signal.aborted) return cancelled('The search was cancelled.');
      if (error instanceof PatternTooSlow) return failed(error.message);
      throw error;
    }
  },
});

function compileFilter(glob: string | undefined): PathTest | string {
  if (glob === undefined || glob === '') return () => true;
  try {
    return compileFileGlob(glob.replace(/^(\.\/)+/, ''));
  } catch (error) {
    return `The glob cannot be used: ${(error as Error).message}.`;
  }
}

async function* filesOf(walk: Walk, filter: PathTest): AsyncGenerator<string> {
  for await (const files of walk.files()) {
    for (const file of files) if (!file.isLink && filter(file.path)) yield file.path;
  }
}

/** A file that cannot be opened or read is passed over: it vanished, or is not for us. */
async function searchFile(path: string, pattern: LinePattern, output: GrepOutput, signal: AbortSignal) {
  const opened = await openFile(path, { absolute: path, real: path, inside: true, looksInside: true });
  if (opened.kind === 'refused') return output.unreadable();
  try {
    if ((await recogniseBinary(opened.handle)) !== null) return;
    for await (const { lines } of readLines(opened.handle, { longest: longestLine, signal })) {
      output.add(lines, pattern.matching(lines));
      if (output.full()) return;
    }
  } catch (error) {
    if (signal.aborted || error instanceof PatternTooSlow) throw error;
    output.unreadable();
  } finally {
    await opened.handle.close();
  }
}
