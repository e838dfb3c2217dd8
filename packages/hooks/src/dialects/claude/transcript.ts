// Keeps the transcripts of a session in files, for hooks that read them.
import { join } from 'node:path';
import { diskFiles, failureReason, openForAppend } from '../../journal/files.ts';
import { appendWholeLines } from '../../journal/whole-lines.ts';
import { agentTranscriptPath } from './transcript-place.ts';
import { type TranscriptEntry, transcriptLine } from './transcript-line.ts';

/** A transcript in the shape that hooks of that format parse, kept up to date beside the session. */
export interface ClaudeTranscript {
  /** In the order of the log, on resume the earlier ones first. Never waits. */
  add(entry: TranscriptEntry): void;
  /** Writes what was added since the last time; the main agent's path, or undefined where it cannot be written. */
  bringUpToDate(): Promise<string | undefined>;
}

/** Where the transcript is kept and what it holds. */
export interface ClaudeTranscriptOptions {
  /** The session's own folder, which nobody else may look into. */
  readonly folder: string;
  readonly session: string;
  readonly cwd: string;
  /** Told once when the files cannot be written. */
  readonly onNotice: (text: string) => void;
}

/**
 * Nothing is written before a hook asks for it. Files of an earlier process are replaced, since the log they were made
 * from is added again.
 */
export function createClaudeTranscript(options: ClaudeTranscriptOptions): ClaudeTranscript {
  const { folder, session, cwd, onNotice } = options;
  const main = join(folder, 'transcript.jsonl');
  const files = new Map<string, AgentFile>();
  let noticed = false;
  let last: Promise<string | undefined> = Promise.resolve(undefined);

  function fileOf(agent: string): AgentFile {
    const known = files.get(agent);
    if (known !== undefined) return known;
    const file: AgentFile = {
      path: agentTranscriptPath(main, agent),
      pending: [],
      length: 0,
      begun: false,
      torn: false,
    };
    files.set(agent, file);
    return file;
  }

  async function write(): Promise<string | undefined> {
    try {
      fileOf('main');
      for (const file of files.values()) await append(file);
      return main;
    } catch (error) {
      if (!noticed) onNotice(cannotWrite(main, error));
      noticed = true;
      return undefined;
    }
  }

  return {
    add(entry) {
      const file = fileOf(entry.agent);
      file.pending.push(transcriptLine(entry, { session, cwd, index: file.length }));
      file.length += 1;
    },
    bringUpToDate() {
      // Hooks that run side by side share one write, or wait for the one before.
      last = last.then(write);
      return last;
    },
  };
}

interface AgentFile {
  readonly path: string;
  /** Lines that are not in the file yet. */
  readonly pending: string[];
  /** How many lines there are, written or not. */
  length: number;
  begun: boolean;
  /** The last write was cut inside a line. */
  torn: boolean;
}

async function append(file: AgentFile): Promise<void> {
  if (file.begun && file.pending.length === 0) return;
  const handle = await openForAppend(diskFiles, file.path);
  try {
    if (!file.begun) await handle.truncate(0);
    file.begun = true;
    const { written, torn, failure } = await appendWholeLines(handle, [...file.pending], file.torn);
    file.pending.splice(0, written);
    file.torn = torn;
    if (failure !== undefined) throw failure;
  } finally {
    await handle.close();
  }
}

function cannotWrite(file: string, error: unknown): string {
  return `Hooks cannot read the conversation: ${file} cannot be written (${failureReason(error)}). They run without it; make room or give access.`;
}
