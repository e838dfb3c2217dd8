// Where the program is asked to work: the directory it starts in, and the project that directory belongs to.
import { resolve } from 'node:path';
import { findProjectRoot, promptFiles } from '@codey/hooks';
import { StartError } from './exit.ts';
import type { World } from './world.ts';

/** Real path of `--cwd`, else of where the program was started. Throws StartError where it does not exist. */
export async function findStart(cwd: string | undefined, world: World): Promise<string> {
  const wanted = resolve(world.cwd, cwd ?? '.');
  try {
    return await promptFiles.realpath(wanted);
  } catch {
    throw new StartError(
      cwd === undefined
        ? `the current directory ${wanted} does not exist`
        : `--cwd ${wanted} does not exist; give it a directory that does`,
    );
  }
}

/** Real path of the project's root, found without reading any settings. Throws as `findStart` does. */
export async function findRoot(cwd: string | undefined, world: World): Promise<string> {
  return rootOf(await findStart(cwd, world), world);
}

/** The same for a directory that is known to exist. */
export function rootOf(start: string, { home }: World): Promise<string> {
  return findProjectRoot({ start, ...(home !== undefined && { home }) });
}
