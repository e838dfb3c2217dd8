// What a list of sessions shows of one, read from the beginning and the end of its log however long that is.
import { join } from 'node:path';
import { diskFiles, type Files, inspectLock, type OpenFile, openForRead, readLines } from '@codey/hooks';
import type { LoggedEntry } from './entry.ts';
import { parseLine } from './line.ts';
import { sessionLockPath } from './lock.ts';
import { logName } from './session.ts';

export interface SessionSummary {
  readonly id: string;
  readonly name?: string;
  /** First line of the first prompt, at most 100 characters; absent before there was one. */
  readonly firstPrompt?: string;
  /** There is something to go on with: a prompt was sent, or a team opened. */
  readonly begun: boolean;
  readonly cwd: string;
  /** When the conversation last moved: ISO 8601, UTC. */
  readonly time: string;
  readonly forkedFrom?: string;
  /** A process has it open. */
  readonly live: boolean;
}

/** Undefined for a folder without a session in it. */
export async function summariseSession(
  sessions: string,
  id: string,
  files: Files = diskFiles,
): Promise<SessionSummary | undefined> {
  const handle = await openForRead(files, join(sessions, id, logName));
  if (handle === undefined) return undefined;
  try {
    const { first, prompt, team } = await readHead(handle);
    if (first === undefined) return undefined;
    const { size, mtime } = await handle.stat();
    const { name, time } = await readTail(handle, size);
    const lock = await inspectLock(sessionLockPath(sessions, id), { files });
    return {
      id,
      ...(name === undefined ? {} : { name }),
      ...(prompt === undefined ? {} : { firstPrompt: excerpt(prompt) }),
      begun: prompt !== undefined || team,
      cwd: first.cwd,
      time: time ?? mtime.toISOString(),
      ...(first.forkedFrom === undefined ? {} : { forkedFrom: first.forkedFrom }),
      live: lock.kind === 'held',
    };
  } finally {
    await handle.close();
  }
}

/**
 * The first prompt stands behind the project's instructions, which may be long; behind more than this it is not
 * looked for.
 */
const headBytes = 1024 * 1024;
/** Of a longer line only the beginning is looked at. */
const longestLine = 64 * 1024;
const tailBytes = 64 * 1024;

type FirstEntry = Extract<LoggedEntry, { kind: 'session' }>;

interface Head {
  readonly first?: FirstEntry;
  readonly prompt?: string;
  /** A team was opened before the first prompt. */
  readonly team: boolean;
}

async function readHead(handle: OpenFile): Promise<Head> {
  let first: FirstEntry | undefined;
  let team = false;
  for await (const lines of readLines(handle, longestLine)) {
    for (const { text, start } of lines) {
      const parsed = parseLine(text);
      if (parsed.kind === 'entry' && parsed.entry.kind === 'session') first = parsed.entry;
      team ||= parsed.kind === 'entry' && parsed.entry.kind === 'team';
      const prompt = parsed.kind === 'entry' ? promptOf(parsed.entry) : promptInside(text);
      if (first !== undefined && prompt !== undefined) return { first, prompt, team };
      if (start > headBytes) return { team, ...(first !== undefined && { first }) };
    }
  }
  return { team, ...(first !== undefined && { first }) };
}

function promptOf(entry: LoggedEntry): string | undefined {
  return entry.kind === 'prompt' && entry.from.kind === 'user' ? entry.text : undefined;
}

/** The beginning of a prompt too long to be read whole. */
function promptInside(line: string): string | undefined {
  if (!line.slice(0, 100).includes('"kind":"prompt"')) return undefined;
  const match = /"text":"((?:[^"\\]|\\.){0,400})/.exec(line);
  // A cut through a \uXXXX escape is no JSON.
  const text = match?.[1]?.replace(/\\u[0-9a-f]{0,3}$/i, '');
  return text === undefined ? undefined : String(JSON.parse(`"${text}"`));
}

/** The time is that of the conversation: closing a session, or noting that it crashed, does not make it the latest. */
async function readTail(handle: OpenFile, size: number): Promise<{ name?: string; time?: string }> {
  const start = Math.max(0, size - tailBytes);
  const buffer = Buffer.alloc(size - start);
  const { bytesRead } = await handle.read(buffer, 0, buffer.length, start);
  const lines = buffer.subarray(0, bytesRead).toString('utf8').split('\n');
  const found: { name?: string; time?: string } = {};
  for (const text of start > 0 ? lines.slice(1) : lines) {
    const parsed = parseLine(text);
    if (parsed.kind !== 'entry') continue;
    const { entry } = parsed;
    if (entry.kind === 'name') found.name = entry.name;
    else if (entry.kind !== 'closed') found.time = entry.time;
  }
  return found;
}

function excerpt(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  const clean = line.replace(/\p{Cc}+/gu, ' ');
  return clean.length > 100 ? `${clean.slice(0, 99)}…` : clean;
}
