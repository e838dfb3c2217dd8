// Copies a folder of a stranger's into one of ours: files and folders, links that stay inside, and nothing else.
import { copyFile, lstat, mkdir, readdir, readlink, symlink } from 'node:fs/promises';
import { dirname, isAbsolute, join, sep } from 'node:path';

export interface CopyLimits {
  readonly files: number;
  readonly bytes: number;
}

/** More than any plugin needs; a folder that was named by mistake, such as a home, is noticed here. */
export const copyLimits: CopyLimits = { files: 10_000, bytes: 200 * 1024 * 1024 };

/** Version control and installed packages of whoever made it. */
const leftOut = new Set(['.git', '.hg', '.svn', 'node_modules']);

/**
 * `to` must not exist. Throws an error that says what stands where and why it is not copied; what was copied until then
 * is for the caller to remove.
 */
export async function copyTree(from: string, to: string, limits = copyLimits): Promise<void> {
  let files = 0;
  let bytes = 0;

  async function copy(inside: string): Promise<void> {
    const source = join(from, inside);
    const target = join(to, inside);
    const facts = await lstat(source);
    files += 1;
    bytes += facts.isFile() ? facts.size : 0;
    if (files > limits.files)
      throw new Error(`${from} holds more than ${limits.files.toLocaleString('en-US')} files`);
    if (bytes > limits.bytes)
      throw new Error(`${from} is larger than ${Math.floor(limits.bytes / 1024 / 1024)} MiB`);
    if (facts.isSymbolicLink()) return copyLink(inside, source, target);
    if (facts.isFile()) {
      await copyFile(source, target);
      return;
    }
    if (!facts.isDirectory()) throw new Error(`${source} is neither a file nor a folder`);
    await mkdir(target, { mode: 0o755 });
    for (const name of (await readdir(source)).sort()) {
      if (!leftOut.has(name)) await copy(join(inside, name));
    }
  }

  /** As it is written, if it leads to something inside wherever the folder is put. */
  async function copyLink(inside: string, source: string, target: string): Promise<void> {
    const link = await readlink(source);
    const end = join(dirname(inside), link);
    if (isAbsolute(link) || end === '..' || end.startsWith(`..${sep}`))
      throw new Error(`${source} is a link that leads out of the plugin, to ${link}`);
    await symlink(link, target);
  }

  await copy('.');
}
