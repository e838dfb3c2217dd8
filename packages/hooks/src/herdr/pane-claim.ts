// Of several codeys in one pane one reports: the first that lives. A lock file per pane says which.
import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { acquireLock, type Lock } from '../journal/lock.ts';
import type { Owner } from '../journal/owner.ts';

/** The right to report for a pane. */
export interface PaneClaim {
  /** Tries once. Having it already is having it. */
  take(): Promise<{ readonly held: boolean; readonly owner: Owner | null }>;
  giveUp(): Promise<void>;
}

export interface PaneClaimOptions {
  readonly pane: string;
  /** Names the herdr server among several: pane ids are unique within one only. */
  readonly server: string;
  /** Where the locks of running codeys lie; made if it is missing. Without one nobody can be asked, and the pane is ours. */
  readonly folder: string | undefined;
  readonly owner: Owner;
}

/** Makes this process the reporter of a pane unless another live one is. */
export function createPaneClaim({ pane, server, folder, owner }: PaneClaimOptions): PaneClaim {
  let lock: Extract<Lock, { held: true }> | undefined;
  return {
    async take() {
      if (lock !== undefined || folder === undefined) return { held: true, owner };
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        const found = await acquireLock(join(folder, lockName(pane, server)), owner);
        if (!found.held) return found;
        lock = found;
        return { held: true, owner };
      } catch {
        // Where no lock can be kept nobody can be asked, and a pane without any reporter would be the worse mistake.
        return { held: true, owner };
      }
    },
    async giveUp() {
      await lock?.release();
      lock = undefined;
    },
  };
}

/** Readable and safe whatever the pane is called. */
function lockName(pane: string, server: string): string {
  const digest = createHash('sha256').update(`${server}\n${pane}`).digest('hex').slice(0, 12);
  return `herdr-${pane.replace(/[^A-Za-z0-9]+/g, '-').slice(0, 40)}-${digest}.lock`;
}
