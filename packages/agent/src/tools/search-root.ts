// Where a search begins, and how what it finds there is named.
import { stat } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { explainFileError, hintForMissing } from './file-errors.ts';
import { type PathWorld, resolvePath } from './files.ts';
import { notAFile } from './open-file.ts';
import { count } from './output.ts';
import { showName } from './show-name.ts';
import type { ToolContext } from './tool.ts';

export type SearchRoot =
  | { readonly kind: 'directory' | 'file'; readonly absolute: string; readonly real: string }
  | { readonly kind: 'refused'; readonly message: string };

export async function openSearchRoot(path: string, world: PathWorld): Promise<SearchRoot> {
  const { absolute, real } = await resolvePath(path, world);
  try {
    const found = await stat(real);
    if (found.isDirectory()) return { kind: 'directory', absolute, real };
    if (found.isFile()) return { kind: 'file', absolute, real };
    return { kind: 'refused', message: notAFile(path, found) };
  } catch (error) {
    const hint =
      (error as NodeJS.ErrnoException).code === 'ENOENT' ? await hintForMissing(path, absolute) : '';
    return { kind: 'refused', message: explainFileError(error, path) + hint };
  }
}

/** A found file as other tools take it: relative to the current directory where it lies below, else absolute. */
export function showFound(
  root: { readonly absolute: string },
  file: string,
  world: Pick<PathWorld, 'cwd'>,
): string {
  const absolute = join(root.absolute, file);
  const near = relative(world.cwd, absolute);
  return showName(near === '' ? basename(absolute) : near.startsWith('..') ? absolute : near);
}

/** Whether rules keep a search from a file below its root. */
export function isRefused(
  root: { readonly absolute: string; readonly real: string },
  file: string,
  { refusal }: Pick<ToolContext, 'refusal'>,
): boolean {
  const names = [...new Set([join(root.absolute, file), join(root.real, file)])];
  return refusal({ kind: 'path', names }) !== undefined;
}

export function noteRefused(files: number): readonly string[] {
  return files === 0 ? [] : [`${count(files, 'file')} left out: rules keep this tool from them.`];
}
