// The disk as settings, journals and locks use it: as node:fs/promises, which takes a fifteenth of Node's own start to load.
import { linkSync, mkdirSync, renameSync, unlinkSync } from 'node:fs';
import type * as promises from 'node:fs/promises';
import { openFile } from './open-file.ts';
import { openFileAtOnce } from './open-file-at-once.ts';
import { promptFiles, promptly } from './prompt-files.ts';

/** Names are made and taken away at once, as looks are: the system writes them to the disk when it likes. */
export const disk = {
  ...promptFiles,
  open: openFile,
  link: promptly(linkSync) as typeof promises.link,
  mkdir: promptly(mkdirSync) as typeof promises.mkdir,
  rename: promptly(renameSync) as typeof promises.rename,
  unlink: promptly(unlinkSync) as typeof promises.unlink,
};

/** Where nobody watches a screen: what files hold is read and written at once as well. */
export const promptDisk = { ...disk, open: openFileAtOnce };
