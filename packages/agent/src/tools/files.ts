// Resolves the path a model wrote: where it really leads, and whether that is inside the workspace.
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { ToolContext } from './tool.ts';
import { promptFiles } from '@codey/hooks';

const { readlink, realpath } = promptFiles;

export type PathWorld = Pick<ToolContext, 'workspace' | 'cwd' | 'extraDirs'>;

export interface ResolvedPath {
  /** As meant: joined to the current directory, `..` taken out of the text. */
  readonly absolute: string;
  /** Where the file is, or would be made, with every link followed; `absolute` where that cannot be told. */
  readonly real: string;
  /** Whether `real` lies in the workspace or an added directory. False where links could not be followed. */
  readonly inside: boolean;
  /** Whether `absolute` does: a path that is inside and leads outside goes through a link. */
  readonly looksInside: boolean;
}

/** Never rejects. A path that does not exist yet resolves through its nearest ancestor that does. */
export async function resolvePath(path: string, world: PathWorld): Promise<ResolvedPath> {
  const absolute = resolve(world.cwd, path);
  const roots = [world.workspace, ...world.extraDirs];
  const realRoots = await Promise.all(roots.map(async (root) => (await followLinks(root)) ?? root));
  const looksInside = [...roots, ...realRoots].some((root) => isWithin(root, absolute));
  const real = await followLinks(absolute);
  if (real === null) return { absolute, real: absolute, inside: false, looksInside };
  return { absolute, real, inside: realRoots.some((root) => isWithin(root, real)), looksInside };
}

/** Whether `path` is `directory` or lies below it; both absolute. */
export function isWithin(directory: string, path: string): boolean {
  const rest = relative(directory, path);
  return rest !== '..' && !rest.startsWith(`..${sep}`) && !isAbsolute(rest);
}

/** As many as the kernel follows. */
const mostLinks = 40;

/**
 * The real path, also of what does not exist: a dangling link counts as the place where writing to it would make a
 * file. Null for loops and for what may not be looked at.
 */
async function followLinks(path: string, linksLeft = mostLinks): Promise<string | null> {
  try {
    return await realpath(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') return null;
  }
  const parent = dirname(path);
  if (parent === path) return path;
  const realParent = await followLinks(parent, linksLeft);
  if (realParent === null) return null;
  const realPath = join(realParent, basename(path));
  const target = await readlink(realPath).catch(() => null);
  if (target === null) return realPath;
  return linksLeft === 0 ? null : followLinks(resolve(realParent, target), linksLeft - 1);
}
