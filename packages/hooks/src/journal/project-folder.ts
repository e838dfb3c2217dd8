// Where codey keeps what belongs to one project and not inside it.
import { basename, join } from 'node:path';
import { sha256 } from './sha256.ts';

/** Readable and unique: the folder's name, then twelve hex digits over its whole path. `root` is a real path. */
export function projectId(root: string): string {
  const name = basename(root)
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[.-]+/, '')
    .slice(0, 40);
  const digest = sha256(root).slice(0, 12);
  return name === '' ? digest : `${name}-${digest}`;
}

/** `~/.codey/projects/<id>`: sessions, kept approvals, and the journal when it cannot stand in the project. */
export function projectFolder(home: string, root: string): string {
  return join(home, '.codey', 'projects', projectId(root));
}
