// Where installed plugins lie, for the commands that change or show them.
import type { PluginStore } from '@codey/agent';
import { refuseInsideSession } from '@codey/hooks';
import { exitCodes, StartError } from '../start/exit.ts';
import { pluginStore } from '../start/plugins.ts';
import type { World } from '../start/world.ts';
import { familyOfThisProcess } from '../start/family.ts';

/** Throws StartError where there is none. */
export function requireStore(world: World): PluginStore {
  const store = pluginStore(world);
  if (store === undefined)
    throw new StartError('HOME is not set, so there is no place for plugins', exitCodes.failed);
  return store;
}

/** What runs in the user's name is for the user to decide. `command` as it is typed. */
export function refuseToAgents(command: string): void {
  const refused = refuseInsideSession(familyOfThisProcess(), command);
  if (refused !== undefined) throw new StartError(refused);
}
