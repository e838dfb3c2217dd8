// Everything in a folder that is covered as a whole, up to a limit.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Stamp, stampOf } from './stamp.ts';

export interface FolderListing {
  /** The folder and every folder in it, as they were before their entries were read: an entry that comes changes one. */
  readonly folders: readonly { readonly path: string; readonly stamp: Stamp }[];
  /** Everything else in it, links included. */
  readonly files: readonly string[];
  /** What of it is not covered, in a few words. */
  readonly note?: string;
}

const mostFiles = 1_000;
const mostBytes = 64 * 1024 * 1024;

/** What git keeps for itself changes with every command. */
const leftOut = '.git';

/** In an order of its own, the same every time, so that a limit always cuts at the same place. Never rejects. */
export async function listFolder(folder: string, now: () => number): Promise<FolderListing> {
  const pending = [folder];
  const folders: { path: string; stamp: Stamp }[] = [];
  const files: string[] = [];
  let bytes = 0;
  for (const current of pending) {
    folders.push({ path: current, stamp: stampOf(current, now()) });
    const entries = await readdir(current, { withFileTypes: true }).catch(() => []);
    entries.sort((one, other) => (one.name < other.name ? -1 : 1));
    for (const entry of entries) {
      if (entry.name === leftOut) continue;
      const path = join(current, entry.name);
      if (entry.isDirectory()) pending.push(path);
      else {
        files.push(path);
        bytes += stampOf(path, now()).size;
      }
      if (files.length > mostFiles || pending.length > mostFiles || bytes > mostBytes) {
        return { folders, files: files.slice(0, mostFiles), note: tooMuch };
      }
    }
  }
  return { folders, files };
}

const tooMuch = 'it holds more than 1,000 files or 64 MiB, and only the first of them are covered';
