// Installs a plugin: fetched into a folder of our own, looked at, and put in force in one step.
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, readlink, realpath, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type FetchWorld, fetchSource } from './fetch-source.ts';
import { loadPlugin } from './load-plugin.ts';
import type { Plugin } from './plugin.ts';
import { parseSource } from './source.ts';
import { type PluginStore, scratchPrefix } from './store.ts';

export interface InstallRequest {
  /** A path, a git address or the name of a package. */
  readonly source: string;
  readonly cwd: string;
  readonly home?: string;
  readonly store: PluginStore;
  readonly world: Omit<FetchWorld, 'scratch'>;
}

export type Installed =
  | {
      readonly kind: 'installed';
      readonly plugin: Plugin;
      /** The version that was in force before; absent for a plugin that is new. */
      readonly before?: string;
      readonly warnings: readonly string[];
    }
  | { readonly kind: 'refused'; readonly message: string };

/** Until the last step everything is as it was, and after a failure nothing is left behind. Never rejects. */
export async function installPlugin(request: InstallRequest): Promise<Installed> {
  const { store, cwd, home, world } = request;
  const parsed = parseSource(request.source, cwd, home);
  if (!parsed.ok) return { kind: 'refused', message: parsed.message };
  let letGo: () => Promise<void> = async () => {};
  const scratch = join(store.folder, `${scratchPrefix}${randomUUID()}`);
  try {
    await mkdir(scratch, { recursive: true, mode: 0o700 });
    const fetched = join(scratch, 'plugin');
    await fetchSource(parsed.source, fetched, { ...world, scratch });
    const place = { fromRepository: false, projectRoot: cwd, ...(home !== undefined && { home }) };
    const looked = await loadPlugin({ ...place, root: await realpath(fetched) });
    if (looked.kind === 'problem')
      return { kind: 'refused', message: looked.problems.join('; ').replaceAll(`${fetched}/`, '') };
    const { name, version } = looked.plugin;
    const root = join(store.folder, name, `${version}-${(await digestOf(fetched)).slice(0, 8)}`);
    await mkdir(join(store.folder, name), { recursive: true, mode: 0o700 });
    // Until it stands in the list another installation would sweep it away.
    letGo = await store.hold({ root });
    await moveInto(fetched, root);
    const loaded = await loadPlugin({ ...place, root });
    if (loaded.kind === 'problem') return { kind: 'refused', message: loaded.problems.join('; ') };
    const before = (await store.list()).plugins.find((plugin) => plugin.name === name);
    await store.put({ name, version, root, source: request.source });
    await store.sweep();
    return {
      kind: 'installed',
      plugin: loaded.plugin,
      warnings: loaded.warnings,
      ...(before !== undefined && { before: before.version }),
    };
  } catch (error) {
    return { kind: 'refused', message: error instanceof Error ? error.message : String(error) };
  } finally {
    await letGo();
    await rm(scratch, { recursive: true, force: true }).catch(() => {});
  }
}

/** A folder that is there already holds the same files, since its name is made of them. */
async function moveInto(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/** Of every path and content: the same version with other files is another folder. */
async function digestOf(root: string): Promise<string> {
  const hash = createHash('sha256');
  const add = async (folder: string): Promise<void> => {
    const entries = (await readdir(join(root, folder), { withFileTypes: true })).sort((one, other) =>
      one.name < other.name ? -1 : 1,
    );
    for (const entry of entries) {
      const inside = join(folder, entry.name);
      hash.update(`${inside}\0`);
      if (entry.isDirectory()) await add(inside);
      else if (entry.isSymbolicLink()) hash.update(await readlink(join(root, inside)));
      else hash.update(await readFile(join(root, inside)));
    }
  };
  await add('.');
  return hash.digest('hex');
}
