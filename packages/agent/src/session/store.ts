// The sessions of one project: a folder each, in the user's own folder for that project.
import { join } from 'node:path';
import { diskFiles, type Files, failureReason, projectFolder } from '@codey/hooks';
import { sessionFormat } from './entry.ts';
import { copyLog } from './fork.ts';
import { createSessionId, isSessionId } from './id.ts';
import { heldMessage, lockSession } from './lock.ts';
import { readFirstEntry } from './log.ts';
import { createMemorySession, logName, openSession, type Session } from './session.ts';
import { type SessionSummary, summariseSession } from './summary.ts';

export interface SessionStoreOptions {
  /** The user's home directory; without one sessions are kept in memory. */
  readonly home?: string;
  /** Real path of the project root. */
  readonly projectRoot: string;
  readonly pid: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly onNotice: (text: string) => void;
  readonly files?: Files;
}

/** `message` is a sentence for the user that says what to do. */
export type OpenedSession =
  | { readonly kind: 'opened'; readonly session: Session }
  | { readonly kind: 'missing' | 'held' | 'unreadable'; readonly message: string };

export type FoundSession =
  | { readonly kind: 'found'; readonly id: string }
  | { readonly kind: 'missing' | 'ambiguous'; readonly message: string };

export interface SessionStore {
  /** Where the folders of the sessions are; undefined when they are kept in memory. */
  readonly folder: string | undefined;
  /** Never fails: a session that cannot be kept on disk is kept in memory, with a notice. */
  create(cwd: string): Promise<Session>;
  /** By its whole id. */
  open(id: string): Promise<OpenedSession>;
  /** A copy under a new id; also of a session that is open elsewhere. */
  fork(id: string): Promise<OpenedSession>;
  /** By its id or a beginning that only one id has. */
  find(text: string): Promise<FoundSession>;
  /** The id of the one that moved last, among those that have begun. */
  latest(): Promise<string | undefined>;
  /** Newest first. */
  list(): Promise<readonly SessionSummary[]>;
}

export function openSessionStore(options: SessionStoreOptions): SessionStore {
  const { home, projectRoot, pid, now, onNotice, files = diskFiles } = options;
  const folder = home === undefined ? undefined : join(projectFolder(home, projectRoot), 'sessions');

  /** Makes a folder, takes its lock and lets `fill` write what the log begins with. */
  async function begin(parent: string, id: string, fill: (path: string) => Promise<void>): Promise<Session> {
    const own = join(parent, id);
    await files.mkdir(own, { recursive: true, mode: 0o700 });
    const lock = await lockSession(parent, id, pid, files);
    if (!lock.held) throw new Error(heldMessage(id, lock.owner));
    await fill(join(own, logName));
    return openLocked(id, own, lock.release);
  }

  async function create(cwd: string): Promise<Session> {
    const id = createSessionId(now());
    const session = await beginOrRemember(id);
    session.append({ kind: 'session', format: sessionFormat, id, projectRoot, cwd });
    return session;
  }

  async function beginOrRemember(id: string): Promise<Session> {
    if (folder === undefined) {
      onNotice(
        'There is no home directory to keep sessions in: this conversation is kept in memory and cannot be resumed. Set HOME to keep it.',
      );
      return createMemorySession(id, now);
    }
    try {
      return await begin(folder, id, async () => {});
    } catch (error) {
      onNotice(
        `The conversation cannot be kept in ${folder}: ${failureReason(error)}. It is kept in memory and cannot be resumed.`,
      );
      return createMemorySession(id, now);
    }
  }

  async function open(id: string): Promise<OpenedSession> {
    const known = await existing(id);
    if (known === undefined || folder === undefined) return missing(id);
    try {
      const problem = await whyUnreadable(id, join(known, logName), files);
      const lock = await lockSession(folder, id, pid, files);
      // Also where the first line was not there yet: whoever has it has only just begun.
      if (!lock.held) return { kind: 'held', message: heldMessage(id, lock.owner) };
      if (problem !== undefined) {
        await lock.release();
        return { kind: 'unreadable', message: problem };
      }
      return { kind: 'opened', session: await openLocked(id, known, lock.release) };
    } catch (error) {
      return { kind: 'unreadable', message: `Session ${id} cannot be opened: ${failureReason(error)}.` };
    }
  }

  async function openLocked(id: string, own: string, release: () => Promise<void>): Promise<Session> {
    try {
      const { session, damaged } = await openSession({ id, folder: own, release, now, onNotice, files });
      if (damaged > 0) onNotice(`${damaged} damaged lines in ${join(own, logName)} were skipped.`);
      return session;
    } catch (error) {
      await release();
      throw error;
    }
  }

  async function fork(id: string): Promise<OpenedSession> {
    const known = await existing(id);
    if (known === undefined || folder === undefined) return missing(id);
    const copy = createSessionId(now());
    try {
      const session = await begin(folder, copy, (path) =>
        copyLog({ from: join(known, logName), to: path, id: copy, now: now(), files }),
      );
      return { kind: 'opened', session };
    } catch (error) {
      return { kind: 'unreadable', message: `Session ${id} cannot be copied: ${failureReason(error)}.` };
    }
  }

  /** Of all sessions, oldest first. */
  async function ids(): Promise<readonly string[]> {
    if (folder === undefined) return [];
    return (await files.readdir(folder).catch(() => [])).filter(isSessionId).sort();
  }

  /** The folder of a session; what a user typed becomes part of a path only if it is the name of one. */
  async function existing(id: string): Promise<string | undefined> {
    return folder !== undefined && (await ids()).includes(id) ? join(folder, id) : undefined;
  }

  async function list(): Promise<readonly SessionSummary[]> {
    if (folder === undefined) return [];
    const summaries: SessionSummary[] = [];
    const all = await ids();
    for (let at = 0; at < all.length; at += atOnce) {
      const slice = all.slice(at, at + atOnce);
      const read = await Promise.all(
        slice.map((id) => summariseSession(folder, id, files).catch(() => undefined)),
      );
      summaries.push(...read.filter((summary) => summary !== undefined));
    }
    return summaries.sort((a, b) => b.time.localeCompare(a.time));
  }

  return {
    folder,
    create,
    open,
    fork,
    async find(text) {
      const all = await ids();
      if (all.includes(text)) return { kind: 'found', id: text };
      const matching = text === '' ? [] : all.filter((id) => id.startsWith(text));
      const [only] = matching;
      if (only === undefined) return missing(text);
      if (matching.length === 1) return { kind: 'found', id: only };
      return { kind: 'ambiguous', message: ambiguousMessage(text, matching) };
    },
    async latest() {
      return (await list()).find(({ begun }) => begun)?.id;
    },
    list,
  };
}

/** Files open at the same time while listing. */
const atOnce = 32;

function missing(text: string): { kind: 'missing'; message: string } {
  return {
    kind: 'missing',
    message: `This project has no session "${text}". \`codey sessions\` lists those it has.`,
  };
}

function ambiguousMessage(text: string, matching: readonly string[]): string {
  const shown = matching.slice(-5).join(', ');
  return `${matching.length} sessions begin with "${text}"; write more of the id. The newest are ${shown}.`;
}

async function whyUnreadable(id: string, path: string, files: Files): Promise<string | undefined> {
  const first = await readFirstEntry(path, files);
  if (first === undefined) {
    return `${path} does not begin as a session does and cannot be resumed; it is left as it is.`;
  }
  if (first.format <= sessionFormat) return undefined;
  return `Session ${id} was written by a newer codey (format ${first.format}, this one reads ${sessionFormat}). Update codey to resume it.`;
}
