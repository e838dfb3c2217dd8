// What a plugin says about itself: the manifest at its root.
import { posix } from 'node:path';
import { claudePluginManifest, isObject } from '@codey/hooks';

export interface Manifest {
  /** Also the name of its folder, and what its commands and servers begin with. */
  readonly name: string;
  readonly version: string;
  readonly description: string;
  /** Definitions as under the setting of that name. */
  readonly mcpServers: Readonly<Record<string, unknown>>;
  /** Files with hooks that a foreign one names beside the usual one, relative to the root. */
  readonly hookFiles: readonly string[];
}

export type ParsedManifest =
  | { readonly ok: true; readonly manifest: Manifest }
  /** Half sentences that go on after the file's name. */
  | { readonly ok: false; readonly problems: readonly string[] };

/** How a plugin and its hooks are written. */
export type PluginFormat = 'native' | 'claude';

/** The first that exists counts. */
export const manifestPlaces: readonly { readonly name: string; readonly format: PluginFormat }[] = [
  { name: 'plugin.json', format: 'native' },
  { name: '.codey-plugin/plugin.json', format: 'native' },
  { name: claudePluginManifest, format: 'claude' },
];

/** What a name may be: it becomes part of paths, of tool names and of what people type. */
export function isPluginName(name: string): boolean {
  return /^[a-z0-9][a-z0-9-]{0,63}$/.test(name);
}

/** Keys that are not known are somebody else's, such as the servers of a foreign one, which are written in its words. */
export function parseManifest(text: string, format: PluginFormat): ParsedManifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { ok: false, problems: [`is no JSON: ${(error as Error).message}`] };
  }
  if (!isObject(value)) return { ok: false, problems: ['must be an object with "name" and "version"'] };
  const foreign = format === 'claude';
  const { name, version = foreign ? '0.0.0' : undefined, description = '' } = value;
  const { mcpServers = {} } = foreign ? {} : value;
  const named = foreign && value.hooks !== undefined ? [value.hooks].flat() : [];
  const problems = [
    ...(typeof name === 'string' && isPluginName(name)
      ? []
      : ['needs a "name" of lower-case letters, digits and dashes, at most 64']),
    ...(typeof version === 'string' && /^[0-9A-Za-z][0-9A-Za-z.+-]{0,63}$/.test(version)
      ? []
      : ['needs a "version" such as "1.2.0"']),
    ...(typeof description === 'string' ? [] : ['"description" must be text']),
    ...(named.every((file) => typeof file === 'string')
      ? []
      : ['"hooks" must name files: hooks that stand in the manifest itself are not read']),
    ...(isObject(mcpServers) ? [] : ['"mcpServers" must be an object of servers by name']),
  ];
  if (problems.length > 0) return { ok: false, problems };
  return {
    ok: true,
    manifest: {
      name: name as string,
      version: version as string,
      description: description as string,
      mcpServers: mcpServers as Manifest['mcpServers'],
      hookFiles: named.map((file) => posix.normalize(file as string)),
    },
  };
}
