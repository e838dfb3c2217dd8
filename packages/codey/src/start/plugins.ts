// The plugins of a session: which are turned on, what they contribute, and their folders held in place meanwhile.
import { loadEnabledPlugins, openPluginStore, type Plugin, type PluginStore } from '@codey/agent';
import type { LoadedSettings, TrustCheck } from '@codey/hooks';
import type { World } from './world.ts';

/** Undefined without a home, where nothing can be installed. */
export function pluginStore({ home, pid }: Pick<World, 'home' | 'pid'>): PluginStore | undefined {
  return home === undefined ? undefined : openPluginStore(home, pid);
}

/** By name. Those that a repository turns on are among them only after the user agreed. */
export async function openPlugins(
  loaded: LoadedSettings,
  { agreed }: Pick<TrustCheck, 'agreed'>,
  world: World,
): Promise<readonly Plugin[]> {
  // Most projects have none, and then no list of installed ones is read.
  if (loaded.files.every(({ values }) => values.plugins === undefined)) return [];
  const store = pluginStore(world);
  const { plugins, notices } = await loadEnabledPlugins({
    loaded,
    agreed,
    ...(store !== undefined && { store }),
    ...(world.home !== undefined && { home: world.home }),
  });
  for (const notice of notices) world.notices.warn(notice);
  return plugins;
}

/** Keeps installed versions in place until the result is called: another one may be installed meanwhile. */
export async function holdPlugins(
  plugins: readonly Plugin[],
  world: Pick<World, 'home' | 'pid'>,
): Promise<() => Promise<void>> {
  const store = pluginStore(world);
  if (store === undefined) return async () => {};
  const held = plugins.filter(({ root }) => root.startsWith(`${store.folder}/`));
  const releases = await Promise.all(held.map((plugin) => store.hold(plugin)));
  return async () => {
    await Promise.all(releases.map((release) => release()));
  };
}
