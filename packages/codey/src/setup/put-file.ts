// Puts a file in place in one step and leaves everything beside it alone.
import { mkdir, rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { replaceFile } from '@codey/hooks';

/**
 * Throws what the disk throws; then an earlier file is still what it was, and folders that had to be made are gone
 * again, unless somebody else has put something there meanwhile.
 */
export async function putFile(file: string, text: string, mode: number): Promise<void> {
  const folder = dirname(file);
  const made = await mkdir(folder, { recursive: true });
  try {
    await replaceFile({ file, text, mode });
  } catch (error) {
    if (made !== undefined) await removeEmpty(folder, made).catch(() => {});
    throw error;
  }
}

/** From the innermost up to the outermost; rejects at the first that is not empty. */
async function removeEmpty(innermost: string, outermost: string): Promise<void> {
  await rmdir(innermost);
  if (innermost !== outermost) await removeEmpty(dirname(innermost), outermost);
}
