// Keeps what codey writes into a project out of git, without hiding what belongs there.
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { diskFiles, errorCode, type Files } from './files.ts';

const ignored = ['events.jsonl*', 'settings.local.json', 'worktrees/', '.gitignore'];

/**
 * Writes a `.gitignore` into a `.codey` or `.koder` directory that has none. One that is there stays as it is: somebody
 * else's. Never `*`: settings, skills and agents of a project are meant to be committed.
 */
export async function ensureIgnored(directory: string, files: Files = diskFiles): Promise<void> {
  const path = join(directory, '.gitignore');
  let handle: FileHandle;
  try {
    // `x` refuses links as well, so that a planted one makes us write nowhere else.
    handle = await files.open(path, 'wx', 0o644);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return;
    throw error;
  }
  try {
    await handle.write(`${ignored.join('\n')}\n`);
  } catch (error) {
    // An empty one would stay for good, and hide nothing.
    await files.unlink(path).catch(() => {});
    throw error;
  } finally {
    await handle.close();
  }
}
