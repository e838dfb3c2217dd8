// Watches the files that hooks asked for: looked at between turns, told to the FileChanged hooks.
import { resolve } from 'node:path';
import type { Attributed, Decision, DispatchContext, Dispatcher } from '@codey/hooks';
import { complete, diskWatchFiles, glance, hasChanged, look, type Sight, type WatchFiles } from './look.ts';

export interface FileWatchOptions {
  readonly hooks: Dispatcher;
  /** What relative paths start from. */
  readonly workspace: string;
  /** Milliseconds that only grow. */
  readonly now: () => number;
  /** Something the user should know, once. */
  readonly notice: (text: string) => void;
  readonly files?: WatchFiles;
}

export interface Polled {
  /** Text of the hooks for the model. */
  readonly contexts: readonly Attributed[];
  /** A hook said `continue: false`. */
  readonly halt?: Attributed;
}

export interface FileWatch {
  /** What decisions say in `watchPaths`: each list replaces the one the same hook gave before, an empty one ends it. */
  register(lists: Decision['watchPaths']): Promise<void>;
  /**
   * Asks the FileChanged hooks about every file that changed since it was last looked at, in the order of their
   * registration. What hooks do to the very file they are asked about is not told to them again.
   */
  poll(context: DispatchContext): Promise<Polled>;
  /** Absolute, in the order of their registration. */
  paths(): readonly string[];
  /** Nothing is read any more when it resolves. */
  close(): Promise<void>;
}

/** Of all hooks together: as many as a poll gets around in its time on a slow disk, within a few turns. */
export const mostPaths = 1_000;
/** What a poll may take of a turn. The paths it did not get to come first in the next one. */
const pollMs = 50;
/** Looked at side by side: so many may be under way when the time of a poll is up. */
const lanes = 8;
/** Contents read side by side behind the session's back: few, so that its own files do not wait for them. */
const quietLanes = 2;

export function createFileWatch(options: FileWatchOptions): FileWatch {
  const { hooks, workspace, now, notice, files = diskWatchFiles } = options;
  const lists = new Map<string, readonly string[]>();
  const sights = new Map<string, Sight>();
  /** Where the next poll begins. */
  let cursor = 0;
  let told = false;
  const closing = new AbortController();
  /** What was known at their registration of files whose content is still to be read. */
  const unread = new Map<string, Sight>();
  let reading: Promise<void> | undefined;

  /**
   * Paths that are new are glanced at now: whatever happens to them from here on is a change. Contents are read later and
   * count only if the file still is what was glanced at; until then the stamp alone tells, so that no change is lost, and
   * one that was merely touched meanwhile is told of. A file whose stamp could hide a change is read at once.
   */
  async function follow(): Promise<void> {
    const wanted = [...new Set([...lists.values()].flat())];
    if (wanted.length > mostPaths && !told) {
      told = true;
      notice(`hooks asked for ${wanted.length} files to be watched; only the first ${mostPaths} are`);
    }
    const kept = new Set(wanted.slice(0, mostPaths));
    for (const known of sights.keys()) if (!kept.has(known)) sights.delete(known);
    const added = [...kept].filter((each) => !sights.has(each));
    const seen = new Map<string, Sight>();
    const later = new Set<string>();
    await sideBySide(added, lanes, async (each) => {
      const first = await glance(each, files);
      const waits = first.readable && !first.fresh;
      if (waits) later.add(each);
      seen.set(each, waits ? { stamp: first.stamp, fresh: false } : await complete(each, first, files));
    });
    for (const each of added) {
      const sight = seen.get(each);
      if (sight === undefined) continue;
      sights.set(each, sight);
      if (later.has(each)) unread.set(each, sight);
    }
    reading ??= readContents().finally(() => {
      reading = undefined;
    });
  }

  async function readContents(): Promise<void> {
    while (unread.size > 0 && !closing.signal.aborted) {
      const due = [...unread];
      unread.clear();
      await sideBySide(
        due,
        quietLanes,
        async ([each, known]) => {
          if (sights.get(each) !== known) return;
          const sight = await complete(each, { ...known, readable: true }, files);
          const { stamp } = await glance(each, files);
          if (sights.get(each) === known && stamp === known.stamp) sights.set(each, sight);
        },
        () => !closing.signal.aborted,
      );
    }
  }

  async function register(next: Decision['watchPaths']): Promise<void> {
    if (next.length === 0) return;
    for (const { id, paths } of next) {
      lists.set(
        id,
        paths.filter((each) => each !== '').map((each) => resolve(workspace, each)),
      );
    }
    await follow();
  }

  /** Paths that changed. Those that were only touched are noted as they are now and left out. */
  async function findChanged(): Promise<readonly string[]> {
    const all = [...sights.keys()];
    const start = all.length === 0 ? 0 : cursor % all.length;
    const due = [...all.slice(start), ...all.slice(0, start)];
    const began = now();
    const changed = new Set<string>();
    const seen = await sideBySide(
      due,
      lanes,
      async (each) => {
        if (await differs(each)) changed.add(each);
      },
      () => now() - began < pollMs,
    );
    cursor = start + seen;
    return all.filter((each) => changed.has(each));
  }

  async function differs(each: string): Promise<boolean> {
    const before = sights.get(each);
    const first = await glance(each, files);
    if (before === undefined || (before.stamp === first.stamp && !before.fresh)) return false;
    const sight = await complete(each, first, files);
    if (hasChanged(before, sight)) return true;
    sights.set(each, sight);
    return false;
  }

  return {
    register,
    async poll(context) {
      const contexts: Attributed[] = [];
      for (const changed of await findChanged()) {
        if (context.signal?.aborted) break;
        // A hook before this one may have given up the path.
        if (!sights.has(changed)) continue;
        const decision = await hooks.dispatch('FileChanged', { file_path: changed }, context);
        // Hooks that were cut short get to know of it in the next poll.
        if (decision.verdict.kind === 'cancelled') break;
        sights.set(changed, await look(changed, files));
        await register(decision.watchPaths);
        contexts.push(...decision.contexts);
        if (decision.halt !== undefined) return { contexts, halt: decision.halt };
      }
      return { contexts };
    },
    paths: () => [...sights.keys()],
    async close() {
      closing.abort();
      await reading;
    },
  };
}

/** In their order, as long as `goOn` says so; resolves with how many were worked on. */
async function sideBySide<Item>(
  items: readonly Item[],
  width: number,
  work: (each: Item) => Promise<void>,
  goOn: () => boolean = () => true,
): Promise<number> {
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let each = items[next]; each !== undefined; each = goOn() ? items[next] : undefined) {
      next += 1;
      await work(each);
    }
  };
  await Promise.all(Array.from({ length: width }, lane));
  return next;
}
