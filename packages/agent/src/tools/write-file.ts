// Makes a text file or replaces all of it.
import { stat } from 'node:fs/promises';
import * as v from 'valibot';
import { pathField, textField } from './fields.ts';
import { explainFileError } from './file-errors.ts';
import { type ResolvedPath, resolvePath } from './files.ts';
import { notAFile } from './open-file.ts';
import { count } from './output.ts';
import { replaceFile } from './replace-file.ts';
import { failed, ok } from './result.ts';
import { showName } from './show-name.ts';
import { defineTool } from './tool.ts';
import description from './write-file.md';

export const writeFile = defineTool({
  name: 'write_file',
  description,
  input: v.strictObject({
    path: pathField('The file to write.'),
    content: textField('All of the new content.'),
  }),
  access: 'edit',
  subject: ({ path }) => ({ kind: 'path', path }),
  async run({ path, content }, context) {
    const resolved = await resolvePath(path, context);
    const refusal = refuseLinkOut(path, resolved);
    if (refusal !== null) return failed(refusal);
    try {
      const existing = await stat(resolved.real).catch(() => null);
      if (existing !== null && !existing.isFile()) return failed(notAFile(path, existing));
      if (path.endsWith('/')) return failed(`${showName(path)} names a directory; add a file name.`);
      await replaceFile(resolved.real, content);
      const lines = content.split('\n').length - (content.endsWith('\n') || content === '' ? 1 : 0);
      return ok(`${existing === null ? 'Made' : 'Replaced'} ${showName(path)}: ${count(lines, 'line')}.`);
    } catch (error) {
      return failed(explainFileError(error, path));
    }
  },
});

/**
 * Whoever allows a change sees the path as it was written. One that looks inside the workspace and leads out of it
 * hides where the change would go. A path that leads nowhere is left to the system to explain.
 */
export function refuseLinkOut(path: string, resolved: ResolvedPath): string | null {
  const { absolute, real, inside, looksInside } = resolved;
  if (inside || !looksInside || real === absolute) return null;
  return `${showName(path)} leads out of the workspace through a symbolic link. To change the file there, name it: ${showName(real)}`;
}
