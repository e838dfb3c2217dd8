// Session env files: each hook of some events gets a file of its own, and what it wrote there becomes data.
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HookDefinition } from '../config/hook.ts';
import { failureReason } from '../journal/files.ts';
import type { ProcessHost } from '../runners/process.ts';
import { diffVariables, type VariableChanges } from './env-file-changes.ts';
import { evaluateText } from './env-file-evaluate.ts';
import { exportsNothing } from './env-file-scripts.ts';
import { readEnvFile } from './env-file-read.ts';
import { hookLabel } from './label.ts';
import type { EnvFilePort } from './ports.ts';

export interface EnvFilesOptions {
  /** The session's folder; without one a temporary folder is made, and removed by `close`. */
  readonly folder?: string;
  /** Directory the files are evaluated in. */
  readonly cwd: string;
  readonly processes: Pick<ProcessHost, 'run'>;
  /** The session's environment at this moment, complete. */
  readonly environment: () => Readonly<Record<string, string>>;
  /** New and changed variables; null for one that was taken away. Later calls of `environment` are to show them. */
  readonly onChange: (values: VariableChanges, hook: HookDefinition) => void;
}

/** The env files of a session and the variables read from them. */
export interface EnvFiles extends EnvFilePort {
  /** Removes the files that nobody read. */
  close(): Promise<void>;
}

/** Dispatches that end at the same time are read one after the other, so that none loses what another set. */
export function createEnvFiles(options: EnvFilesOptions): EnvFiles {
  const unread = new Set<string>();
  let made: Promise<Folder> | undefined;
  let last: Promise<unknown> = Promise.resolve();

  function folder(): Promise<string> {
    made ??= makeFolder(options.folder);
    return made.then(({ path }) => path);
  }

  async function absorbOne(hook: HookDefinition, file: string): Promise<readonly string[]> {
    try {
      const read = await readEnvFile(file);
      if (read.kind === 'refused') return [read.why];
      if (read.text === '') return [];
      const evaluated = await evaluateText(read.text, {
        folder: await folder(),
        cwd: options.cwd,
        processes: options.processes,
        environment: options.environment(),
        what: hook.id,
      });
      if (evaluated.kind === 'nothing') return evaluated.complaints;
      const { values, complaints } = diffVariables(evaluated.before, evaluated.after);
      if (Object.keys(values).length > 0) options.onChange(values, hook);
      const told = [...evaluated.complaints, ...complaints];
      const inVain = told.length === 0 && Object.keys(values).length === 0 && exportsNothing(read.text);
      return inVain ? ['it exports nothing; write lines such as export NAME=value'] : told;
    } catch (error) {
      return [`it could not be read: ${failureReason(error)}`];
    } finally {
      unread.delete(file);
      await unlink(file).catch(() => {});
    }
  }

  return {
    async create() {
      const file = join(await folder(), `env-${randomUUID()}`);
      // On a full disk the hook runs all the same; it may not want to write anything.
      await writeFile(file, '', { flag: 'wx', mode: 0o600 }).catch(() => {});
      unread.add(file);
      return file;
    },
    absorb(files) {
      const reading = last.then(async () => {
        const sentences: string[] = [];
        for (const { hook, file } of files) {
          const complaints = await absorbOne(hook, file);
          sentences.push(...complaints.map((complaint) => sentence(hook, complaint)));
        }
        return sentences;
      });
      last = reading;
      return reading;
    },
    async close() {
      await last;
      await Promise.all([...unread].map((file) => unlink(file).catch(() => {})));
      unread.clear();
      const { path, temporary } = (await made) ?? { path: '', temporary: false };
      if (temporary) await rm(path, { recursive: true, force: true });
      made = undefined;
    },
  };
}

interface Folder {
  readonly path: string;
  /** Ours to remove. */
  readonly temporary: boolean;
}

/** Never rejects: where no folder can be made, no file can, and whoever writes one will say so. */
async function makeFolder(wanted: string | undefined): Promise<Folder> {
  try {
    if (wanted !== undefined) {
      await mkdir(wanted, { recursive: true, mode: 0o700 });
      return { path: wanted, temporary: false };
    }
  } catch {
    // A folder of the system's own serves as well.
  }
  return mkdtemp(join(tmpdir(), 'codey-env-')).then(
    (path) => ({ path, temporary: true }),
    () => ({ path: join(tmpdir(), `codey-env-${randomUUID()}`), temporary: false }),
  );
}

function sentence(hook: HookDefinition, complaint: string): string {
  return `${hook.event} hook ${hookLabel(hook)}, its env file: ${complaint}`;
}
