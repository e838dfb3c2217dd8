// An open file that is read and written at once, for a program on whose screen nothing moves meanwhile.
import {
  closeSync,
  fchmodSync,
  fdatasync,
  fsync,
  ftruncateSync,
  readFileSync,
  readSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createOpenFile } from './open-file.ts';

/** Like `openFile`, but its way to the system takes no thread: a tenth of the time. Only for the disk itself it waits aside. */
export const openFileAtOnce = createOpenFile({
  chmod: (file, mode, done) => done(null, fchmodSync(file, mode)),
  close: (file, done) => done(null, closeSync(file)),
  datasync: fdatasync,
  read: (file, buffer, offset, length, position, done) =>
    done(null, readSync(file, buffer, offset, length, position)),
  readFile: (file, encoding, done) => done(null, readFileSync(file, encoding)),
  sync: fsync,
  truncate: (file, length, done) => done(null, ftruncateSync(file, length)),
  write: (file, buffer, offset, length, position, done) =>
    done(null, writeSync(file, buffer, offset, length, position)),
  writeFile: (file, text, done) => done(null, writeFileSync(file, text)),
});
