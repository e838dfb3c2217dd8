// Keeps what codey writes into a project out of git, without hiding what belongs there.
import { join } from 'node:path';
import { createFile } from './create-file.ts';
import { diskFiles, type Files } from './files.ts';

const ignored = ['events.jsonl*', 'settings.local.json', 'worktrees/', '.gitignore'];

/**
 * Writes a `.gitignore` into a `.codey` or `.koder` directory that has none. One that is there stays as it is, also a
 * link or an empty one: somebody else's. Never `*`: settings, skills and agents of a project are meant to be committed.
 */
export async function ensureIgnored(directory: string, files: Files = diskFiles): Promise<void> {
  const path = join(directory, '.gitignore');
  // Looked at first, so that a directory nobody may write to is no failure where there is nothing to write.
  const known = await files.readFile(path).then(
    () => true,
    () => false,
  );
  if (!known) await createFile(files, path, `${ignored.join('\n')}\n`, 0o644);
}
