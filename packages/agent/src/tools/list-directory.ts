// Lists one directory.
import type { Dirent } from 'node:fs';
import { lstat, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { pathField } from './fields.ts';
import { explainFileError, hintForMissing } from './file-errors.ts';
import { resolvePath } from './files.ts';
import description from './list-directory.md';
import { count } from './output.ts';
import { failed, ok } from './result.ts';
import { showName } from './show-name.ts';
import { showSize } from './show-size.ts';
import { defineTool } from './tool.ts';

const mostEntries = 500;

export const listDirectory = defineTool({
  name: 'list_directory',
  description,
  input: v.strictObject({ path: v.optional(pathField('The directory to list.')) }),
  access: 'read',
  subject: ({ path = '.' }) => ({ kind: 'path', path }),
  async run({ path = '.' }, context) {
    const resolved = await resolvePath(path, context);
    try {
      const entries = await readdir(resolved.real, { withFileTypes: true });
      if (entries.length === 0) return ok(`[${showName(path)} is empty.]`);
      const shown = entries.toSorted((a, b) => (a.name < b.name ? -1 : 1)).slice(0, mostEntries);
      const lines = await Promise.all(shown.map((entry) => describe(resolved.real, entry)));
      const left = entries.length - shown.length;
      if (left > 0) lines.push(`[${count(left, 'more entry', 'more entries')}; find them with glob_search.]`);
      return ok(lines.join('\n'));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOTDIR') return failed(`${showName(path)} is not a directory; read_file shows a file.`);
      const hint = code === 'ENOENT' ? await hintForMissing(path, resolved.absolute) : '';
      return failed(explainFileError(error, path) + hint);
    }
  },
});

async function describe(directory: string, entry: Dirent): Promise<string> {
  const path = join(directory, entry.name);
  const name = showName(entry.name);
  if (entry.isDirectory()) return `${name}/`;
  // What vanished or may not be looked at is still in the directory.
  if (entry.isSymbolicLink()) return `${name} -> ${showName(await readlink(path).catch(() => '?'))}`;
  if (!entry.isFile()) return `${name} (not a regular file)`;
  const size = await lstat(path)
    .then((found) => found.size)
    .catch(() => null);
  return size === null ? name : `${name} (${showSize(size)})`;
}
