// Reads a plugin's folder: manifest, hooks, servers and commands.
import { readdir, realpath } from 'node:fs/promises';
import { basename, join } from 'node:path';
import {
  formatProblem,
  isInside,
  loadClaudePlugin,
  parseContributedHooks,
  type ParsedHooks,
} from '@codey/hooks';
import { readSmallFile } from '../tools/open-file.ts';
import { type Manifest, manifestPlaces, parseManifest, type PluginFormat } from './manifest.ts';
import type { LoadedPlugin, Plugin } from './plugin.ts';
import { type PromptCommand, parsePromptCommand } from './prompt-command.ts';

export interface LoadPluginOptions {
  /** Absolute, real. */
  readonly root: string;
  readonly fromRepository: boolean;
  /** Absolute; where its hooks would run. */
  readonly projectRoot: string;
  readonly home?: string;
}

const sizeCap = 1024 * 1024;
const mostCommands = 200;

/** Never rejects. Nothing is read from outside the folder, whatever its links say, and nothing of it is run. */
export async function loadPlugin(options: LoadPluginOptions): Promise<LoadedPlugin> {
  const { root, fromRepository } = options;
  const found = await readManifest(root);
  if (found === undefined) {
    return {
      kind: 'problem',
      problems: [`${join(root, 'plugin.json')} does not exist, so this is no plugin`],
    };
  }
  const parsed = parseManifest(found.text, found.format);
  if (!parsed.ok)
    return { kind: 'problem', problems: parsed.problems.map((problem) => `${found.file} ${problem}`) };
  const { mcpServers, hookFiles, ...about } = parsed.manifest;
  const identity = { ...about, root, fromRepository };
  return found.format === 'claude'
    ? loadForeign({ ...identity, hookFiles }, options)
    : loadNative({ ...identity, mcpServers }, options);
}

type Identity = Pick<Plugin, 'name' | 'version' | 'description' | 'root' | 'fromRepository'>;

async function loadNative(
  { mcpServers, ...identity }: Identity & Pick<Manifest, 'mcpServers'>,
  options: LoadPluginOptions,
): Promise<LoadedPlugin> {
  const { name, root } = identity;
  const hooks = await readHooks(name, options);
  const servers = await readServers(root, mcpServers);
  const plugin: Plugin = {
    ...identity,
    format: 'native',
    hooks: hooks.hooks,
    neverFires: [],
    watches: [],
    servers: contributedServers(identity, servers.servers),
    commands: await readCommands(root, name),
    skillFolders: [join(root, 'skills')],
    agentFolders: [join(root, 'agents')],
  };
  return { kind: 'plugin', plugin, warnings: [...hooks.warnings, ...servers.warnings] };
}

/** Its hooks alone: what else it brings names tools and servers in another agent's words. */
async function loadForeign(
  { hookFiles, ...identity }: Identity & Pick<Manifest, 'hookFiles'>,
  { projectRoot, home }: LoadPluginOptions,
): Promise<LoadedPlugin> {
  const { name, root } = identity;
  const place = { projectRoot, ...(home !== undefined && { home }) };
  const files = await Promise.all(
    [...new Set([hooksFile, ...hookFiles])].map(async (file) => ({
      file,
      there: (await readInside(root, join(root, file))) !== undefined,
    })),
  );
  const found = await Promise.all(
    files.filter(({ there }) => there).map(({ file }) => loadClaudePlugin({ ...identity, file }, place)),
  );
  const plugin: Plugin = {
    ...identity,
    format: 'claude',
    hooks: { policy: found.flatMap(({ hooks }) => hooks), lifecycle: [] },
    neverFires: found.flatMap(({ neverFires }) => neverFires),
    watches: found.flatMap(({ watches }) => watches),
    servers: contributedServers(identity, {}),
    commands: [],
    skillFolders: [],
    agentFolders: [],
  };
  const missing = files.filter(({ file, there }) => !there && hookFiles.includes(file));
  return {
    kind: 'plugin',
    plugin,
    warnings: [
      ...missing.map(
        ({ file }) => `${file}, named by the plugin ${name}, is no file in it; its hooks do not run`,
      ),
      ...found.flatMap(({ warnings }) => warnings.map(formatProblem)),
    ],
  };
}

function contributedServers(
  { name, root, fromRepository }: Identity,
  servers: Readonly<Record<string, unknown>>,
): Plugin['servers'] {
  return {
    contributor: name,
    fromRepository,
    servers,
    variables: { CODEY_SKILL_DIR: root, KODER_SKILL_DIR: root },
  };
}

interface FoundManifest {
  readonly file: string;
  readonly text: string;
  readonly format: PluginFormat;
}

async function readManifest(root: string): Promise<FoundManifest | undefined> {
  for (const { name, format } of manifestPlaces) {
    const file = join(root, name);
    const text = await readInside(root, file);
    if (text !== undefined) return { file, text, format };
  }
  return undefined;
}

const hooksFile = join('hooks', 'hooks.json');

async function readHooks(
  contributor: string,
  { root, fromRepository }: LoadPluginOptions,
): Promise<{ readonly hooks: ParsedHooks; readonly warnings: readonly string[] }> {
  const file = join(root, hooksFile);
  const text = await readInside(root, file);
  if (text === undefined) return { hooks: { policy: [], lifecycle: [] }, warnings: [] };
  const { policy, lifecycle, problems, warnings } = parseContributedHooks({
    text,
    origin: { scope: 'plugin', file, fromRepository, root, contributor },
  });
  return {
    hooks: { policy, lifecycle },
    warnings: [
      ...problems.map(
        (problem) => `${formatProblem(problem)}; this entry of the plugin ${contributor} does not count`,
      ),
      ...warnings.map(formatProblem),
    ],
  };
}

/** Beside those of the manifest, a file of the shape that other agents read too. */
async function readServers(
  root: string,
  own: Readonly<Record<string, unknown>>,
): Promise<{ readonly servers: Readonly<Record<string, unknown>>; readonly warnings: readonly string[] }> {
  const file = join(root, 'mcp.json');
  const text = await readInside(root, file);
  if (text === undefined) return { servers: own, warnings: [] };
  try {
    const value: unknown = JSON.parse(text);
    const listed =
      typeof value === 'object' && value !== null && 'mcpServers' in value ? value.mcpServers : undefined;
    if (typeof listed !== 'object' || listed === null || Array.isArray(listed))
      return {
        servers: own,
        warnings: [`${file} needs "mcpServers", an object of servers by name; it is not used`],
      };
    return { servers: { ...listed, ...own }, warnings: [] };
  } catch (error) {
    return { servers: own, warnings: [`${file} is no JSON: ${(error as Error).message}; it is not used`] };
  }
}

async function readCommands(root: string, plugin: string): Promise<readonly PromptCommand[]> {
  const folder = join(root, 'commands');
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.md')).sort();
  const commands = await Promise.all(
    names.slice(0, mostCommands).map(async (name) => {
      const text = await readInside(root, join(folder, name));
      return text === undefined ? [] : [await parsePromptCommand(`${plugin}:${basename(name, '.md')}`, text)];
    }),
  );
  return commands.flat();
}

/** Undefined for what is missing, no regular file, too large, or leads out. */
async function readInside(root: string, file: string): Promise<string | undefined> {
  const real = await realpath(file).catch(() => undefined);
  if (real === undefined || !isInside(real, [root])) return undefined;
  return (await readSmallFile(real, sizeCap)) ?? undefined;
}
