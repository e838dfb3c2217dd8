// Puts a file in place in one step and leaves everything beside it alone.
import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';

/**
 * Throws what the disk throws; then an earlier file is still what it was, and folders that had to be made are gone
 * again.
 */
export async function putFile(file: string, text: string, mode: number): Promise<void> {
  // Beside the file, since only within a directory a rename is one step.
  const temporary = `${file}.${randomUUID()}.tmp`;
  const made = await mkdir(path.dirname(file), { recursive: true });
  try {
    const handle = await open(temporary, 'wx', mode);
    try {
      await handle.chmod(mode);
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    if (made !== undefined) await rm(made, { recursive: true, force: true });
    throw error;
  }
}
