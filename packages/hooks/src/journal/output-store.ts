// Keeps what policy hooks printed out of the journal: in files of the session's own folder that only the user can read.
import { constants } from 'node:fs';
import { join } from 'node:path';
import { diskFiles, errorCode, type Files } from './files.ts';

/** Where the output of hooks goes that may not stand in the journal. */
export interface OutputStore {
  /** The name of the file, to be journaled; undefined when there was nothing to keep or no room for it. */
  save(
    hookId: string,
    printed: { readonly stdout: string; readonly stderr: string },
  ): Promise<string | undefined>;
  /** Keeps one text alone and gives the file's whole path, for whoever is told to read on there; undefined like `save`. */
  spill(hookId: string, text: string): Promise<string | undefined>;
}

export interface OutputLimits {
  /** Characters kept of each stream of one hook. */
  readonly stream: number;
  /** Characters kept over the whole session. */
  readonly session: number;
}

export const outputLimits: OutputLimits = { stream: 1024 * 1024, session: 64 * 1024 * 1024 };

/**
 * `folder` is made when the first output comes. Never rejects: an output that cannot be kept is lost, the hook's
 * outcome is not.
 */
export function createOutputStore(
  folder: string,
  limits: OutputLimits = outputLimits,
  files: Files = diskFiles,
): OutputStore {
  let left = limits.session;
  let next: Promise<number> | undefined;

  /** A resumed session goes on counting where it stopped. */
  async function takeNumber(): Promise<number> {
    next = next === undefined ? countFiles(files, folder) : next.then((n) => n + 1);
    return next;
  }

  async function write(hookId: string, text: string): Promise<string | undefined> {
    if (text === '' || text.length > left) return undefined;
    left -= text.length;
    try {
      // Numbered as they come, whichever finds the folder made first.
      const [number] = await Promise.all([
        takeNumber(),
        files.mkdir(folder, { recursive: true, mode: 0o700 }),
      ]);
      const name = `${String(number).padStart(5, '0')}-${hookId.replace(/[^A-Za-z0-9_-]+/g, '-')}.txt`;
      const handle = await files.open(join(folder, name), flags, 0o600);
      try {
        await handle.writeFile(text);
      } finally {
        await handle.close();
      }
      return name;
    } catch {
      return undefined;
    }
  }

  return {
    save: (hookId, { stdout, stderr }) =>
      write(hookId, section('stdout', stdout, limits.stream) + section('stderr', stderr, limits.stream)),
    async spill(hookId, text) {
      const name = await write(hookId, text.slice(0, limits.stream));
      return name === undefined ? undefined : join(folder, name);
    },
  };
}

const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

function section(name: string, text: string, limit: number): string {
  if (text === '') return '';
  const cut = text.length > limit ? `\n[cut: ${text.length - limit} more characters]` : '';
  return `--- ${name}\n${text.slice(0, limit)}${cut}\n`;
}

async function countFiles(files: Files, folder: string): Promise<number> {
  try {
    return (await files.readdir(folder)).length;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 0;
    throw error;
  }
}
