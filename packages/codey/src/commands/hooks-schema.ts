// `codey hooks schema`: the JSON Schema of settings files, for editors.
import { settingsJsonSchema } from '@codey/hooks';
import { exitCodes } from '../start/exit.ts';
import type { World } from '../start/world.ts';
import { writeJson } from './write-json.ts';

export function hooksSchema(world: World): number {
  writeJson(settingsJsonSchema(), world);
  return exitCodes.done;
}
