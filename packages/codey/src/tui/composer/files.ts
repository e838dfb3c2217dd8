// The project's files for `@`: those git knows or would know, else those a plain look through the folders finds.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createGit } from '@codey/agent';
import type { Clock } from '../screen/clock.ts';

export interface ProjectFiles {
  /** Relative paths with `/`; folders end in one. */
  list(): Promise<readonly string[]>;
}

const mostFiles = 50_000;
/** How long a list counts as fresh. */
const freshMs = 5_000;

export function createProjectFiles(root: string, clock: Clock): ProjectFiles {
  let listed: Promise<readonly string[]> | undefined;
  let at = Number.NEGATIVE_INFINITY;
  return {
    list() {
      if (listed === undefined || clock.now() - at > freshMs) {
        at = clock.now();
        listed = listFiles(root).then(withFolders);
      }
      return listed;
    },
  };
}

async function listFiles(root: string): Promise<readonly string[]> {
  const listed = await createGit()(['ls-files', '-z', '--cached', '--others', '--exclude-standard'], root);
  return listed.kind === 'ok' ? listed.output.split('\0').filter(Boolean).slice(0, mostFiles) : walk(root);
}

const skippedFolders: ReadonlySet<string> = new Set(['.git', 'node_modules']);

async function walk(root: string): Promise<readonly string[]> {
  const found: string[] = [];
  const folders = [''];
  for (
    let folder = folders.shift();
    folder !== undefined && found.length < mostFiles;
    folder = folders.shift()
  ) {
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isFile()) found.push(name);
      else if (entry.isDirectory() && !skippedFolders.has(entry.name)) folders.push(name);
    }
  }
  return found;
}

function withFolders(files: readonly string[]): readonly string[] {
  const folders = new Set<string>();
  for (const file of files) {
    for (let at = file.lastIndexOf('/'); at > 0; at = file.lastIndexOf('/', at - 1))
      folders.add(file.slice(0, at + 1));
  }
  return [...folders, ...files];
}
