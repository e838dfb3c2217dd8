// `~/.codey/trust.json`: what the user agreed to, by project and fingerprint. Outside every project, so that none can write it.
import { constants } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode } from '../config/file-system.ts';
import { replaceFile } from '../config/replace-file.ts';
import { failureReason } from '../journal/files.ts';
import type { Lock } from '../journal/lock.ts';
import { describeProcess } from '../journal/owner.ts';
import { openFile } from '../open-file.ts';
import { waitForLock } from '../journal/wait-for-lock.ts';
import type { FileMarks } from './fingerprint.ts';
import { isObject } from '../config/is-object.ts';

/** One thing the user agreed to: exactly this, in exactly this project. */
export interface Agreement {
  readonly fingerprint: string;
  /** The event of a hook, or `settings`. */
  readonly subject: string;
  /** The file it stood in, relative to the project root where it lies in it. */
  readonly file: string;
  /** What runs, as it was shown. */
  readonly runs: string;
  /** Digest of a hook without its files; empty for settings. */
  readonly definition: string;
  /** The covered files of a hook, or the settings of a file, so that a later review can say what changed. */
  readonly marks: FileMarks;
}

export interface Agreements {
  /** The newest last. */
  readonly agreements: readonly Agreement[];
  /** Why the store counts for nothing: a sentence that says what to do. */
  readonly problem?: string;
}

export type StoreResult = { readonly ok: true } | { readonly ok: false; readonly problem: string };

/** What the user agreed to, kept in the user's home. */
export interface TrustStore {
  readonly file: string;
  /** What was agreed to in the project with this real path. A store that cannot be relied on gives nothing and says so. */
  load(root: string): Promise<Agreements>;
  /** Real paths of the projects in which something was agreed to, with how much. */
  list(): Promise<{
    readonly projects: readonly { readonly root: string; readonly count: number }[];
    readonly problem?: string;
  }>;
  agree(root: string, agreements: readonly Agreement[]): Promise<StoreResult>;
  /** Takes back everything the user agreed to in a project. */
  revoke(root: string): Promise<StoreResult>;
}

export interface TrustStoreOptions {
  /** The user's home directory. */
  readonly home: string;
  /** Milliseconds to wait for another process that writes; 5,000 if not given. */
  readonly waitMs?: number;
}

/** Nothing here rejects: what goes wrong is a sentence. Keys it does not know are kept as they are. */
export function createTrustStore({ home, waitMs }: TrustStoreOptions): TrustStore {
  const file = join(home, '.codey', 'trust.json');

  async function change(edit: (projects: Projects) => Projects): Promise<StoreResult> {
    try {
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      const lock = await waitForLock(`${file}.lock`, describeProcess(process.pid), waitMs);
      if (!lock.held) return { ok: false, problem: lockedSentence(file, lock) };
      try {
        const read = await readStore(file);
        if (read.problem !== undefined) return { ok: false, problem: read.problem };
        const text = `${JSON.stringify({ ...read.document, version, projects: edit(read.projects) }, null, 2)}\n`;
        await replaceFile({ file, text, mode: 0o600 });
        return { ok: true };
      } finally {
        await lock.release();
      }
    } catch (error) {
      return {
        ok: false,
        problem: `${file} could not be written: ${failureReason(error)}; nothing was agreed to`,
      };
    }
  }

  return {
    file,
    async load(root) {
      const { projects, problem } = await readStore(file);
      const agreements = agreementsIn(projects, root);
      return problem === undefined ? { agreements } : { agreements: [], problem };
    },
    async list() {
      const { projects, problem } = await readStore(file);
      const roots = Object.keys(projects).map((root) => ({
        root,
        count: agreementsIn(projects, root).length,
      }));
      return { projects: roots.filter(({ count }) => count > 0), ...(problem !== undefined && { problem }) };
    },
    agree: (root, agreements) => change((projects) => addAgreements(projects, root, agreements)),
    revoke: (root) => change(({ [root]: _revoked, ...others }) => others),
  };
}

const version = 1;

/** Of one project, beside what was agreed to last; the oldest go first. Those of other branches stay, so that going back to one asks nothing. */
const mostEarlier = 1_000;

/** Larger is not ours. */
const largestStore = 64 * 1024 * 1024;

type Projects = Readonly<Record<string, unknown>>;

interface ReadStore {
  readonly document: Readonly<Record<string, unknown>>;
  readonly projects: Projects;
  readonly problem?: string;
}

async function readStore(file: string): Promise<ReadStore> {
  try {
    const text = await readOwnFile(file);
    if (text === undefined) return { document: {}, projects: {} };
    const document: unknown = JSON.parse(text);
    if (!isObject(document)) return broken(file, 'it holds no JSON object');
    if (typeof document.version === 'number' && document.version > version)
      return broken(file, 'a newer codey wrote it');
    const { projects = {} } = document;
    return isObject(projects) ? { document, projects } : broken(file, '"projects" is no object');
  } catch (error) {
    return broken(file, error instanceof SyntaxError ? 'it is not JSON' : failureReason(error));
  }
}

/** Undefined where there is none. Throws for a file that somebody else may have written. */
async function readOwnFile(file: string): Promise<string | undefined> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = await openFile(file, flags).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (handle === undefined) return undefined;
  try {
    const { mode, size, uid } = await handle.stat();
    if ((mode & constants.S_IFMT) !== constants.S_IFREG) throw new Error('it is not a regular file');
    if ((mode & 0o022) !== 0) throw new Error('others may write it (chmod 600 helps)');
    if (uid !== process.getuid?.() && uid !== 0) throw new Error('it belongs to somebody else');
    if (size > largestStore) throw new Error('it is larger than 64 MiB');
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

function broken(file: string, why: string): ReadStore {
  const problem = `${file} counts for nothing: ${why}; correct or remove it, then agree again`;
  return { document: {}, projects: {}, problem };
}

function agreementsIn(projects: Projects, root: string): readonly Agreement[] {
  // Own keys only: a project is not called `constructor` because objects have one.
  const project = Object.hasOwn(projects, root) ? projects[root] : undefined;
  const agreed = isObject(project) ? project.agreed : undefined;
  return Array.isArray(agreed) ? agreed.flatMap(readAgreement) : [];
}

/** An entry without a fingerprint says nothing; anything else that is missing is only not shown. */
function readAgreement(value: unknown): readonly Agreement[] {
  if (!isObject(value) || typeof value.fingerprint !== 'string') return [];
  const text = (key: string) => (typeof value[key] === 'string' ? value[key] : '');
  const marks = Object.entries(isObject(value.marks) ? value.marks : {});
  return [
    {
      fingerprint: value.fingerprint,
      subject: text('subject'),
      file: text('file'),
      runs: text('runs'),
      definition: text('definition'),
      marks: Object.fromEntries(
        marks.filter((mark): mark is [string, string] => typeof mark[1] === 'string'),
      ),
    },
  ];
}

function addAgreements(projects: Projects, root: string, agreements: readonly Agreement[]): Projects {
  const added = new Set(agreements.map(({ fingerprint }) => fingerprint));
  const project = Object.hasOwn(projects, root) ? projects[root] : undefined;
  const known = isObject(project) ? project : {};
  const earlier = Array.isArray(known.agreed) ? (known.agreed as readonly unknown[]) : [];
  const kept = earlier.filter((entry) => !(isObject(entry) && added.has(String(entry.fingerprint))));
  return { ...projects, [root]: { ...known, agreed: [...kept.slice(-mostEarlier), ...agreements] } };
}

function lockedSentence(file: string, { owner }: Extract<Lock, { held: false }>): string {
  const who = owner === null ? 'another process' : `process ${owner.pid}`;
  return `${file} is being written by ${who}, so nothing was agreed to; try again, or remove ${file}.lock if no codey runs`;
}
