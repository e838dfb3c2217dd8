// The project's root, found without reading any settings.
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { findProjectRoot } from '@codey/hooks';
import { StartError } from '../start/exit.ts';
import type { World } from '../start/world.ts';

/** Real path. Throws StartError where the directory does not exist. */
export async function findRoot(cwd: string | undefined, world: World): Promise<string> {
  const wanted = path.resolve(world.cwd, cwd ?? '.');
  const start = await realpath(wanted).catch(() => undefined);
  if (start === undefined) throw new StartError(`${wanted} does not exist; give --cwd a directory that does`);
  return findProjectRoot({ start, ...(world.home !== undefined && { home: world.home }) });
}
