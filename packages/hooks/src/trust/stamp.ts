// What the file system says about a path without reading it: as long as it says the same, the content is the same.
import { type BigIntStats, lstatSync, statSync } from 'node:fs';

export interface Stamp {
  /** Differs when anything about the path or, for a link, its target does. */
  readonly text: string;
  /** Only which file or folder it is, for folders whose entries may come and go. */
  readonly identity: string;
  readonly kind: 'file' | 'directory' | 'special' | 'absent' | 'unreadable';
  /** The path itself is a link. */
  readonly isLink: boolean;
  readonly size: number;
  /** False while it is so fresh that another change could still get the same times. */
  readonly settled: boolean;
}

/** File systems count time in steps, of up to two seconds; a second change within a step leaves no trace. */
const settlesAfterMs = 2_500;

/** Takes microseconds and never throws. `nowMs` counts from 1970. */
export function stampOf(path: string, nowMs: number): Stamp {
  try {
    const own = lstatSync(path, { bigint: true });
    const isLink = own.isSymbolicLink();
    const facts = isLink ? statSync(path, { bigint: true }) : own;
    const newest = isLink && own.ctimeMs > facts.ctimeMs ? own.ctimeMs : facts.ctimeMs;
    return {
      text: isLink ? `${factsText(own)} ${factsText(facts)}` : factsText(facts),
      identity: isLink ? `${identityText(own)} ${identityText(facts)}` : identityText(facts),
      kind: facts.isFile() ? 'file' : facts.isDirectory() ? 'directory' : 'special',
      isLink,
      size: Number(facts.size),
      settled: nowMs - Number(newest) > settlesAfterMs,
    };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    const kind = missing.has(code) ? 'absent' : 'unreadable';
    return { text: code, identity: code, kind, isLink: false, size: 0, settled: true };
  }
}

/** A name that cannot exist, as a sentence among the words cannot, is a file that is not there. */
const missing = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG']);

/** The change time cannot be set back, which the time of the last write can. */
function factsText(facts: BigIntStats): string {
  return [identityText(facts), facts.size, facts.mtimeNs, facts.ctimeNs].join(':');
}

function identityText({ dev, ino, mode }: BigIntStats): string {
  return [dev, ino, mode].join(':');
}
