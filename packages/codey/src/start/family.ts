// What this process can know about where it was started: by a person, inside a session, inside a hook.
import { realpathSync } from 'node:fs';
import { basename, isAbsolute } from 'node:path';
import { type Ancestry, ancestry, createProc } from '@codey/hooks';

/** The programs in the package's `bin`. */
const programs: ReadonlySet<string> = new Set(['codey.js', 'koder.js']);

/** A codey among the parents counts as a session, whatever a child of it did to its variables. */
export function familyOfThisProcess(): Ancestry {
  return ancestry({ environment: process.env, parentPid: process.ppid, proc: createProc(), isHost });
}

/** `node …/codey.js`, also by the name under which npm links it. Only the program itself is looked at, not what it is given. */
function isHost([, program = '']: readonly string[]): boolean {
  if (programs.has(basename(program))) return true;
  try {
    return isAbsolute(program) && programs.has(basename(realpathSync(program)));
  } catch {
    return false;
  }
}
