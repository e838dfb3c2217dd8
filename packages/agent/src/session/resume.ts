// Reopens a session: which one is meant, whether it may be opened, and what of it is in force again.
import { diskFiles, type Files } from '@codey/hooks';
import type { Message } from '../model/model.ts';
import type { Session } from './session.ts';
import type { SessionState } from './state.ts';
import type { SessionStore } from './store.ts';

/** `id` may be a beginning that only one id has. */
export type WantedSession = { readonly kind: 'id'; readonly id: string } | { readonly kind: 'latest' };

export interface ResumeOptions {
  readonly store: SessionStore;
  readonly wanted: WantedSession;
  /** Go on with a copy under a new id. */
  readonly fork: boolean;
  /** Where to be when the recorded directory is gone. */
  readonly projectRoot: string;
  readonly files?: Files;
}

export type ResumedSession =
  | { readonly kind: 'resumed'; readonly session: Session; readonly replay: Replay }
  /** `copyable`: the same with `fork` would work. */
  | { readonly kind: 'refused'; readonly message: string; readonly copyable: boolean };

/** What the session had and has again. Nothing of it is run: no call, no hook, no prompt. */
export interface Replay {
  readonly messages: ReadonlyMap<string, readonly Message[]>;
  /** To be set before SessionStart runs, whose own values then win by name. */
  readonly env: ReadonlyMap<string, string>;
  readonly once: ReadonlySet<string>;
  /** Where the session goes on. */
  readonly cwd: string;
  /** The directory it was in, where that is gone. */
  readonly lostCwd?: string;
  /** Agents that were in the middle of a run. Their open calls have a result that says so. */
  readonly interrupted: readonly string[];
}

export async function resumeSession(options: ResumeOptions): Promise<ResumedSession> {
  const { store, wanted, fork } = options;
  const found = await findWanted(store, wanted);
  if (found.kind !== 'found') return { kind: 'refused', message: found.message, copyable: false };
  const opened = fork ? await store.fork(found.id) : await store.open(found.id);
  if (opened.kind !== 'opened') {
    return { kind: 'refused', message: opened.message, copyable: opened.kind === 'held' };
  }
  const { session } = opened;
  return { kind: 'resumed', session, replay: await replayOf(session.state(), options) };
}

async function findWanted(
  store: SessionStore,
  wanted: WantedSession,
): Promise<{ kind: 'found'; id: string } | { kind: 'missing' | 'ambiguous'; message: string }> {
  if (wanted.kind === 'id') return store.find(wanted.id);
  const id = await store.latest();
  if (id !== undefined) return { kind: 'found', id };
  return { kind: 'missing', message: 'This project has no session to continue. Start one with `codey`.' };
}

async function replayOf(state: SessionState, options: ResumeOptions): Promise<Replay> {
  const { messages, env, once, cwd, openRuns } = state;
  const there = await isDirectory(cwd, options.files ?? diskFiles);
  return {
    messages,
    env,
    once,
    interrupted: [...openRuns],
    ...(there ? { cwd } : { cwd: options.projectRoot, lostCwd: cwd }),
  };
}

async function isDirectory(path: string, files: Files): Promise<boolean> {
  const stats = await files.stat(path).catch(() => undefined);
  return stats?.isDirectory() === true;
}
