// Reads a plugin's folder: manifest, hooks, servers and commands.
import { readdir, realpath } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { formatProblem, isInside, parseContributedHooks, type ParsedHooks } from '@codey/hooks';
import { readSmallFile } from '../tools/open-file.ts';
import { manifestNames, parseManifest } from './manifest.ts';
import type { LoadedPlugin, Plugin } from './plugin.ts';
import { type PromptCommand, parsePromptCommand } from './prompt-command.ts';

export interface LoadPluginOptions {
  /** Absolute, real. */
  readonly root: string;
  readonly fromRepository: boolean;
}

const sizeCap = 1024 * 1024;
const mostCommands = 200;

/** Never rejects. Nothing is read from outside the folder, whatever its links say, and nothing of it is run. */
export async function loadPlugin({ root, fromRepository }: LoadPluginOptions): Promise<LoadedPlugin> {
  const found = await readManifest(root);
  if (found === undefined) {
    return {
      kind: 'problem',
      problems: [`${join(root, manifestNames[0])} does not exist, so this is no plugin`],
    };
  }
  const parsed = parseManifest(found.text);
  if (!parsed.ok)
    return { kind: 'problem', problems: parsed.problems.map((problem) => `${found.file} ${problem}`) };
  const { name, version, description, mcpServers } = parsed.manifest;
  const hooks = await readHooks(root, name, fromRepository);
  const servers = await readServers(root, mcpServers);
  const plugin: Plugin = {
    name,
    version,
    description,
    root,
    fromRepository,
    hooks: hooks.hooks,
    servers: {
      contributor: name,
      fromRepository,
      servers: servers.servers,
      variables: { CODEY_SKILL_DIR: root, KODER_SKILL_DIR: root },
    },
    commands: await readCommands(root, name),
    skillsFolder: join(root, 'skills'),
    agentsFolder: join(root, 'agents'),
  };
  return { kind: 'plugin', plugin, warnings: [...hooks.warnings, ...servers.warnings] };
}

async function readManifest(
  root: string,
): Promise<{ readonly file: string; readonly text: string } | undefined> {
  for (const name of manifestNames) {
    const file = join(root, name);
    const text = await readInside(root, file);
    if (text !== undefined) return { file, text };
  }
  return undefined;
}

async function readHooks(
  root: string,
  contributor: string,
  fromRepository: boolean,
): Promise<{ readonly hooks: ParsedHooks; readonly warnings: readonly string[] }> {
  const file = join(root, 'hooks', 'hooks.json');
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
