// The plugins a user has installed: one version of each in force, and the folders that sessions still use.
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  acquireLock,
  describeProcess,
  failureReason,
  inspectLock,
  matchesShape,
  replaceFile,
  waitForLock,
} from '@codey/hooks';
import { isPluginName } from './manifest.ts';

export interface InstalledPlugin {
  readonly name: string;
  readonly version: string;
  /** Absolute. Its content never changes: another version is another folder. */
  readonly root: string;
  /** As the user wrote it. */
  readonly source: string;
}

export interface PluginStore {
  /** Where it all lies; folders made in it are swept when they belong to nothing. */
  readonly folder: string;
  /** By name. A list that cannot be read is empty, and `problem` says why. */
  list(): Promise<{ readonly plugins: readonly InstalledPlugin[]; readonly problem?: string }>;
  /** Puts a folder that lies in `folder` in force under its name, instead of the version that was. */
  put(plugin: InstalledPlugin): Promise<void>;
  /** False where there is none of that name. */
  remove(name: string): Promise<boolean>;
  /** Keeps a plugin's folder in place until the result is called, whatever is installed or removed meanwhile. */
  hold(plugin: Pick<InstalledPlugin, 'root'>): Promise<() => Promise<void>>;
  /** Removes folders that are neither in force nor held, and what killed installations left. Never rejects. */
  sweep(): Promise<void>;
}

const listName = 'installed.json';
const holdsName = '.held';

/** `home` is the user's; the store is `~/.codey/plugins`. */
export function openPluginStore(home: string, pid: number): PluginStore {
  const folder = join(home, '.codey', 'plugins');
  const listFile = join(folder, listName);

  async function list(): ReturnType<PluginStore['list']> {
    let text: string;
    try {
      text = await readFile(listFile, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { plugins: [] };
      return { plugins: [], problem: `${listFile} cannot be read: ${failureReason(error)}` };
    }
    try {
      return { plugins: parseList(text, folder) };
    } catch {
      return { plugins: [], problem: `${listFile} is damaged; install your plugins again, or mend it` };
    }
  }

  /** One writer at a time; the file is replaced in one step. */
  async function change(
    edit: (plugins: readonly InstalledPlugin[]) => readonly InstalledPlugin[],
  ): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const lock = await waitForLock(`${listFile}.lock`, describeProcess(pid));
    if (!lock.held)
      throw new Error('another codey is changing the list of plugins at this moment; try again');
    try {
      const { plugins, problem } = await list();
      if (problem !== undefined) throw new Error(problem);
      const next = edit(plugins).map(({ root, ...plugin }) => ({
        ...plugin,
        folder: root.slice(folder.length + 1),
      }));
      const text = `${JSON.stringify({ plugins: next }, null, 2)}\n`;
      await replaceFile({ file: listFile, text, mode: 0o600 });
    } finally {
      await lock.release();
    }
  }

  return {
    folder,
    list,
    put: (plugin) =>
      change((plugins) =>
        [...plugins.filter(({ name }) => name !== plugin.name), plugin].sort((one, other) =>
          one.name < other.name ? -1 : 1,
        ),
      ),
    async remove(name) {
      let found = false;
      await change((plugins) => {
        found = plugins.some((plugin) => plugin.name === name);
        return plugins.filter((plugin) => plugin.name !== name);
      });
      return found;
    },
    async hold({ root }) {
      const holds = `${root}${holdsName}`;
      await mkdir(holds, { recursive: true, mode: 0o700 });
      const lock = await acquireLock(join(holds, randomUUID()), describeProcess(pid));
      return async () => {
        if (lock.held) await lock.release();
      };
    },
    async sweep() {
      await sweepScratch(folder);
      const kept = new Set((await list()).plugins.map(({ root }) => root));
      const versions = await versionFolders(folder);
      await Promise.all(
        versions.map(async (root) => {
          if (kept.has(root) || (await isHeld(root))) return;
          await rm(root, { recursive: true, force: true }).catch(() => {});
          await rm(`${root}${holdsName}`, { recursive: true, force: true }).catch(() => {});
        }),
      );
    },
  };
}

/** A hold of a process that is no more is none. */
async function isHeld(root: string): Promise<boolean> {
  const folder = `${root}${holdsName}`;
  const names = await readdir(folder).catch(() => []);
  const states = await Promise.all(names.map((name) => inspectLock(join(folder, name))));
  return states.some(({ kind }) => kind === 'held');
}

/** Prefix of folders in which a plugin is put together. */
export const scratchPrefix = '.new-';
/** No installation takes a day. */
const scratchAgeMs = 24 * 60 * 60 * 1_000;

async function sweepScratch(folder: string): Promise<void> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.startsWith(scratchPrefix));
  for (const name of names) {
    const path = join(folder, name);
    const facts = await stat(path).catch(() => undefined);
    if (facts !== undefined && Date.now() - facts.mtimeMs > scratchAgeMs)
      await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}

async function versionFolders(folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder).catch(() => [])).filter(isPluginName);
  const inside = await Promise.all(
    names.map(async (name) => {
      const versions = await readdir(join(folder, name)).catch(() => []);
      return versions
        .filter((version) => !version.endsWith(holdsName))
        .map((version) => join(folder, name, version));
    }),
  );
  return inside.flat();
}

/** Throws for anything that is not the list this writes; a folder outside of the store is not believed. */
function parseList(text: string, folder: string): readonly InstalledPlugin[] {
  const { plugins } = JSON.parse(text) as { readonly plugins: readonly unknown[] };
  return plugins.map((value) => {
    if (!matchesShape(value, { name: 'string', version: 'string', folder: 'string', source: 'string' }))
      throw new Error('an entry is damaged');
    const {
      name,
      version,
      folder: inside,
      source,
    } = value as Record<string, string> as {
      name: string;
      version: string;
      folder: string;
      source: string;
    };
    if (!isPluginName(name) || !inside.startsWith(`${name}/`) || inside.split('/').includes('..'))
      throw new Error('an entry is damaged');
    return { name, version, root: join(folder, inside), source };
  });
}
