// Where this program looks for settings.
import { resolve } from 'node:path';
import type { LocationOptions } from '@codey/hooks';
import { systemManagedFile, type World } from './world.ts';

/** `settingsFile` is what `--settings` names, relative to where the program was started. */
export function locationsOf(root: string, settingsFile: string | undefined, world: World): LocationOptions {
  return {
    projectRoot: root,
    systemManagedFile,
    ...(world.home !== undefined && { home: world.home }),
    ...(settingsFile !== undefined && { settingsFile: resolve(world.cwd, settingsFile) }),
  };
}
