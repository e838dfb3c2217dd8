// Replaces a piece of text in a file.
import { type Buffer, isUtf8 } from 'node:buffer';
import * as v from 'valibot';
import { describeBinary } from './binary.ts';
import { applyEdit } from './edit-text.ts';
import { flagField, pathField, textField } from './fields.ts';
import { explainFileError } from './file-errors.ts';
import { type ResolvedPath, resolvePath } from './files.ts';
import { openFile } from './open-file.ts';
import { count } from './output.ts';
import { replaceFile } from './replace-file.ts';
import { failed, ok } from './result.ts';
import { showName } from './show-name.ts';
import { defineTool } from './tool.ts';
import description from './edit-file.md';
import { refuseLinkOut } from './write-file.ts';

/** Beyond this a file is data rather than something that is edited by hand. */
const largestFile = 16 * 1024 * 1024;
/** Each failed attempt means that somebody else's edit of the same file succeeded. */
const mostAttempts = 100;

export const editFile = defineTool({
  name: 'edit_file',
  description,
  input: v.strictObject({
    path: pathField('The file to change.'),
    old_string: textField('The text to replace.'),
    new_string: textField('What to put in its place.'),
    replace_all: v.optional(flagField('Change every occurrence.')),
  }),
  access: 'edit',
  subject: ({ path }) => ({ kind: 'path', path }),
  async run({ path, old_string, new_string, replace_all = false }, context) {
    const resolved = await resolvePath(path, context);
    const refusal = refuseLinkOut(path, resolved);
    if (refusal !== null) return failed(refusal);
    const edit = { oldText: old_string, newText: new_string, everywhere: replace_all };
    try {
      for (let attempt = 0; attempt < mostAttempts; attempt++) {
        const read = await readText(path, resolved);
        if (read.kind === 'refused') return failed(read.message);
        const result = applyEdit(read.bytes.toString('utf8'), edit);
        if (result.kind === 'refused') return failed(`${showName(path)} is unchanged: ${result.message}`);
        // Somebody may have written since: then the edit is made on what they wrote, never over it.
        if ((await replaceFile(resolved.real, result.text, read.bytes)) === 'changed') continue;
        return ok(`Changed ${showName(path)} at ${places(result.lines)}.`);
      }
      return failed(`${showName(path)} is being changed all the time by something else. Try again later.`);
    } catch (error) {
      return failed(explainFileError(error, path));
    }
  },
});

type ReadText =
  | { readonly kind: 'text'; readonly bytes: Buffer }
  | { readonly kind: 'refused'; readonly message: string };

/** Only text that comes out of an edit as it went in, apart from the edit. */
async function readText(path: string, resolved: ResolvedPath): Promise<ReadText> {
  const opened = await openFile(path, resolved);
  if (opened.kind === 'refused') return opened;
  try {
    if (opened.size > largestFile) return unfit(path, 'is too large to edit; change it with run_shell.');
    const bytes = await opened.handle.readFile();
    const binary = describeBinary(bytes);
    if (binary !== null) return unfit(path, `is ${binary}, not text.`);
    if (!isUtf8(bytes))
      return unfit(path, 'is not UTF-8, so an edit would damage it; change it with run_shell.');
    return { kind: 'text', bytes };
  } finally {
    await opened.handle.close();
  }
}

function unfit(path: string, what: string): ReadText {
  return { kind: 'refused', message: `${showName(path)} ${what}` };
}

function places(lines: readonly number[]): string {
  if (lines.length === 1) return `line ${lines[0]}`;
  const shown = lines.slice(0, 10).join(', ') + (lines.length > 10 ? ', …' : '');
  return `${count(lines.length, 'place')}, lines ${shown}`;
}
