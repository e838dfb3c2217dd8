// Keeps the commands of a session that go on running between tool calls.
import type { ProcessHost } from '@codey/hooks';
import { describeEnd, runCommandLine } from './command-line.ts';
import { createHeadTail, type HeadTail } from './output.ts';

export interface BackgroundRequest {
  readonly command: string;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
}

export interface BackgroundReport {
  readonly command: string;
  /** How it ended, such as `exit code 0`; null while it runs. */
  readonly ended: string | null;
  /** What it printed since it was last read, capped. */
  readonly output: string;
}

export interface BackgroundCommands {
  /** The id, or null when too many are running. */
  start(request: BackgroundRequest): string | null;
  /** Null for an unknown id. */
  read(id: string): BackgroundReport | null;
  /** Resolves when the command ended, the time is up or the signal fired. */
  wait(id: string, withinMs: number, signal: AbortSignal): Promise<void>;
  /** Ends the command with all it started; false for an unknown id. */
  kill(id: string): Promise<boolean>;
  ids(): readonly string[];
  /** Ends all of them; what is started afterwards is refused. */
  close(): Promise<void>;
}

/** The session's process host runs 16 at once: half of its places stay free for hooks and other commands. */
const mostRunning = 8;
/** Processes must have an end; a day outlasts any session that somebody looks at. */
const deadlineMs = 24 * 60 * 60 * 1_000;

interface Entry {
  readonly command: string;
  readonly stop: AbortController;
  readonly done: Promise<void>;
  unread: HeadTail;
  ended: string | null;
}

export function createBackgroundCommands({
  processes,
}: {
  readonly processes: ProcessHost;
}): BackgroundCommands {
  const entries = new Map<string, Entry>();
  let closed = false;

  function launch(request: BackgroundRequest): Entry {
    const stop = new AbortController();
    const entry: Entry = {
      command: request.command,
      stop,
      unread: createHeadTail(),
      ended: null,
      done: runCommandLine(processes, {
        ...request,
        deadlineMs,
        signal: stop.signal,
        onOutput: (text) => entry.unread.add(text),
      }).then((result) => {
        entry.ended = describeEnd(result) ?? 'exit code 0';
      }),
    };
    return entry;
  }

  async function end(entry: Entry): Promise<void> {
    entry.stop.abort();
    await entry.done;
  }

  return {
    start(request) {
      const running = [...entries.values()].filter(({ ended }) => ended === null);
      if (closed || running.length >= mostRunning) return null;
      const id = `shell-${entries.size + 1}`;
      entries.set(id, launch(request));
      return id;
    },
    read(id) {
      const entry = entries.get(id);
      if (entry === undefined) return null;
      const output = entry.unread.text();
      entry.unread = createHeadTail();
      return { command: entry.command, ended: entry.ended, output };
    },
    async wait(id, withinMs, signal) {
      const entry = entries.get(id);
      if (entry !== undefined && !signal.aborted) await withinTime(entry.done, withinMs, signal);
    },
    async kill(id) {
      const entry = entries.get(id);
      if (entry !== undefined) await end(entry);
      return entry !== undefined;
    },
    ids: () => [...entries.keys()],
    async close() {
      closed = true;
      await Promise.all([...entries.values()].map(end));
    },
  };
}

/** Resolves at the first of the three. */
function withinTime(work: Promise<void>, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, ms);
    signal.addEventListener('abort', finish, { once: true });
    void work.then(finish);
  });
}
