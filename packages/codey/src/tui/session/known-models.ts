// Models that can be named without asking a provider: what settings and the environment already say.
import type { Settings } from '@codey/hooks';
import { chooseModel } from '../../start/model.ts';
import type { World } from '../../start/world.ts';

/** The one in use first. */
export function knownModels(
  settings: Settings,
  environment: World['environment'],
  current: string,
): readonly string[] {
  const { model: _said, ...silent } = settings;
  const known = [current, chooseModel(settings, environment), chooseModel(silent, environment)];
  return [...new Set(known.filter((id) => id !== undefined))];
}
