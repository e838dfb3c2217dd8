// What the user has agreed to in this project, and whether more waits for a review.
import { join } from 'node:path';
import {
  createTrustCheck,
  createTrustStore,
  type LoadedSettings,
  type ParsedHooks,
  settingsDirectories,
  type TrustCheck,
  type TrustStore,
} from '@codey/hooks';
import { locationsOf } from './locations.ts';
import type { World } from './world.ts';

export interface TrustFacts {
  readonly root: string;
  readonly loaded: LoadedSettings;
  /** Hooks of other sources than settings files, those of skills that may come into use included. */
  readonly contributed: readonly ParsedHooks[];
  readonly settingsFile: string | undefined;
  /** `--trust-project-hooks`. */
  readonly trustProjectHooks: boolean;
}

/** Looks at everything the repository supplies and freezes it for this session. */
export async function openTrust(facts: TrustFacts, world: World): Promise<TrustCheck> {
  const trust = createTrustCheck({
    locations: locationsOf(facts.root, facts.settingsFile, world),
    store: trustStore(world),
    environment: world.environment,
    trustProjectHooks: facts.trustProjectHooks,
    projectVariables: ['CODEY_PROJECT_DIR', 'KODER_PROJECT_DIR', 'CLAUDE_PROJECT_DIR'],
    contributorVariables: ['CODEY_SKILL_DIR', 'KODER_SKILL_DIR', 'CLAUDE_PLUGIN_ROOT'],
    definitionFolders: definitionFolders(facts.root, world.home),
  });
  await trust.open({ loaded: facts.loaded, contributed: facts.contributed });
  return trust;
}

/** Without a home nothing can be agreed to. */
export function trustStore({ home }: World): TrustStore {
  if (home !== undefined) return createTrustStore({ home });
  const problem = 'HOME is not set, so there is no place to keep what you agree to';
  return {
    file: '',
    load: async () => ({ agreements: [] }),
    list: async () => ({ projects: [] }),
    agree: async () => ({ ok: false, problem }),
    revoke: async () => ({ ok: false, problem }),
  };
}

/** Where agents and skills are read from. */
function definitionFolders(root: string, home: string | undefined): readonly string[] {
  const bases = home === undefined ? [root] : [root, home];
  return [
    ...bases.flatMap((base) =>
      settingsDirectories.flatMap((directory) =>
        ['agents', 'skills'].map((kind) => join(base, directory, kind)),
      ),
    ),
    ...(home === undefined ? [] : [join(home, '.agents/skills')]),
  ];
}
