// Puts a file in place in one step and leaves everything beside it alone.
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { replaceFile } from '@codey/hooks';

/**
 * Throws what the disk throws; then an earlier file is still what it was, and folders that had to be made are gone
 * again.
 */
export async function putFile(file: string, text: string, mode: number): Promise<void> {
  const made = await mkdir(path.dirname(file), { recursive: true });
  try {
    await replaceFile({ file, text, mode });
  } catch (error) {
    if (made !== undefined) await rm(made, { recursive: true, force: true });
    throw error;
  }
}
