// Which plugins the settings turn on, and where each of them lies.
import { realpath } from 'node:fs/promises';
import { basename, isAbsolute, join, resolve } from 'node:path';
import { isInside, type LoadedSettings, resolveSettings, type SettingsFile } from '@codey/hooks';
import { agreedFiles } from '../settings/agreed-files.ts';
import { loadPlugin } from './load-plugin.ts';
import { isPluginName } from './manifest.ts';
import type { Plugin } from './plugin.ts';
import type { PluginStore } from './store.ts';

export interface EnabledOptions {
  readonly loaded: LoadedSettings;
  /** Whether the user agreed to what this file of the repository sets. */
  readonly agreed: (file: SettingsFile) => boolean;
  /** Absent where there is no home: then there are only plugins named by their path. */
  readonly store?: PluginStore;
  readonly home?: string;
}

export interface EnabledPlugins {
  /** By name, in the order in which their hooks run. */
  readonly plugins: readonly Plugin[];
  /** Sentences for the user. */
  readonly notices: readonly string[];
}

/**
 * `"plugins": {"name": true}` turns an installed plugin on, `false` off, and `{"path": "…"}` names one by its folder; the
 * strongest file that names it counts. Never rejects: a plugin that cannot be used is named and left out.
 */
export async function loadEnabledPlugins(options: EnabledOptions): Promise<EnabledPlugins> {
  const installed = (await options.store?.list()) ?? { plugins: [] };
  const notices: string[] = installed.problem === undefined ? [] : [installed.problem];
  const wanted = [...said(options)].sort(([one], [other]) => (one < other ? -1 : 1));
  const { claudeHooks: readable } = resolveSettings(options.loaded, { agreed: options.agreed });
  const plugins: Plugin[] = [];
  for (const [name, { value, file }] of wanted) {
    const place = await placeOf(name, value, file, installed.plugins, options);
    if (place.kind === 'off') continue;
    if (place.kind === 'problem') {
      notices.push(`the plugin ${name} (${basename(file.file)}) is left out: ${place.message}`);
      continue;
    }
    const loaded = await loadPlugin({
      ...place,
      projectRoot: options.loaded.projectRoot,
      ...(options.home !== undefined && { home: options.home }),
    });
    if (loaded.kind === 'problem')
      notices.push(`the plugin ${name} is left out: ${loaded.problems.join('; ')}`);
    else if (loaded.plugin.name !== name)
      notices.push(`the plugin ${name} is left out: ${place.root} calls itself ${loaded.plugin.name}`);
    else {
      const plugin =
        readable || loaded.plugin.format === 'native' ? loaded.plugin : withoutHooks(loaded.plugin);
      plugins.push(plugin);
      notices.push(...(plugin === loaded.plugin ? loaded.warnings : [notRun(name)]));
    }
  }
  return { plugins, notices };
}

/** Hooks of another agent run where the user's own settings say so, be they in a plugin or not. */
function withoutHooks(plugin: Plugin): Plugin {
  return { ...plugin, hooks: { policy: [], lifecycle: [] }, neverFires: [], watches: [] };
}

function notRun(name: string): string {
  return `the hooks of the plugin ${name} were written for Claude Code; they run where ~/.codey/settings.json says "claudeHooks": true`;
}

interface Said {
  readonly value: unknown;
  readonly file: SettingsFile;
}

/** By name, what the strongest file says. */
function said({ loaded, agreed }: EnabledOptions): ReadonlyMap<string, Said> {
  const found = new Map<string, Said>();
  for (const file of agreedFiles(loaded, agreed)) {
    for (const [name, value] of Object.entries(file.values.plugins ?? {})) found.set(name, { value, file });
  }
  return found;
}

type Place =
  | { readonly kind: 'at'; readonly root: string; readonly fromRepository: boolean }
  | { readonly kind: 'off' }
  | { readonly kind: 'problem'; readonly message: string };

async function placeOf(
  name: string,
  value: unknown,
  { scope, file }: SettingsFile,
  installed: readonly { readonly name: string; readonly root: string }[],
  { loaded, home }: EnabledOptions,
): Promise<Place> {
  const problem = (message: string): Place => ({ kind: 'problem', message });
  if (value === false) return { kind: 'off' };
  if (!isPluginName(name)) return problem('no plugin can be called like this');
  if (value === true) {
    const root = installed.find((plugin) => plugin.name === name)?.root;
    if (root === undefined) return problem('it is not installed; codey plugin install gets it');
    return { kind: 'at', root, fromRepository: false };
  }
  const path = typeof value === 'object' && value !== null && 'path' in value ? value.path : undefined;
  if (typeof path !== 'string') return problem('its value must be true, false or {"path": "…"}');
  const ofRepository = scope === 'project' || scope === 'local';
  const written =
    path.startsWith('~/') && home !== undefined && !ofRepository ? join(home, path.slice(2)) : path;
  if (!ofRepository && !isAbsolute(written)) return problem(`${path} must be an absolute path in ${file}`);
  const root = await realpath(resolve(loaded.projectRoot, written)).catch(() => undefined);
  if (root === undefined) return problem(`${written} does not exist`);
  const inRepository = isInside(root, [loaded.projectRoot]);
  // A repository may bring a plugin along, and not reach for one that lies elsewhere on this machine.
  if (ofRepository && !inRepository) return problem(`${written} lies outside the project`);
  return { kind: 'at', root, fromRepository: inRepository };
}
