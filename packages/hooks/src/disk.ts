// The disk as settings, journals and locks use it: as node:fs/promises, which takes a fifteenth of Node's own start to load.
import { link, mkdir, rename, unlink } from 'node:fs';
import { promisify } from 'node:util';
import { openFile } from './open-file.ts';
import { promptFiles } from './prompt-files.ts';

/** Names are made and taken away in the background: there it may be waited for the disk. */
export const disk = {
  ...promptFiles,
  open: openFile,
  link: promisify(link),
  mkdir: promisify(mkdir),
  rename: promisify(rename),
  unlink: promisify(unlink),
};
