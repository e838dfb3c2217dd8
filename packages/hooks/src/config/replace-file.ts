// Puts a new text in a file's place in one step: a reader sees the old text or the new one, never half of it.
import { randomUUID } from 'node:crypto';
import { localDisk, type WritePort } from './file-system.ts';

/** A file and what shall stand in it. */
export interface Replacement {
  /** Its folder exists. */
  readonly file: string;
  readonly text: string;
  /** Permission bits; absent where the umask decides. */
  readonly mode?: number;
  /** Asked at the last moment; false leaves the file as it is. Absent where nobody else writes it. */
  readonly unchanged?: () => Promise<boolean>;
}

/**
 * Whether the file was replaced. Leaves nothing behind when it was not, whatever went wrong. Throws what the file system
 * throws.
 */
export async function replaceFile(
  { file, text, mode, unchanged }: Replacement,
  fs: WritePort = localDisk,
): Promise<boolean> {
  // Beside the file, since only within a directory a rename is one step.
  const temporary = `${file}.${randomUUID()}.tmp`;
  const handle = await fs.open(temporary, 'wx', mode ?? 0o666);
  try {
    try {
      await handle.writeFile(text);
      if (mode !== undefined) await handle.chmod(mode);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (unchanged !== undefined && !(await unchanged())) return false;
    await fs.rename(temporary, file);
    return true;
  } finally {
    await fs.unlink(temporary).catch(() => {});
  }
}
