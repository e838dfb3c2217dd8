// Where installed plugins lie, for the commands that change or show them.
import type { PluginStore } from '@codey/agent';
import { exitCodes, StartError } from '../start/exit.ts';
import { pluginStore } from '../start/plugins.ts';
import type { World } from '../start/world.ts';

/** Throws StartError where there is none. */
export function requireStore(world: World): PluginStore {
  const store = pluginStore(world);
  if (store === undefined)
    throw new StartError('HOME is not set, so there is no place for plugins', exitCodes.failed);
  return store;
}
