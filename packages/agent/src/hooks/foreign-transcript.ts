// A transcript in the shape that hooks of another agent read, kept only where such a hook is configured.
import { dirname } from 'node:path';
import {
  createClaudeTranscript,
  type EnginePorts,
  type HookSnapshot,
  type TranscriptEntry,
} from '@codey/hooks';
import type { LoggedEntry } from '../session/entry.ts';
import { readLog } from '../session/log.ts';
import type { Session } from '../session/session.ts';

export interface ForeignTranscript {
  /** The session, whose entries reach the transcript too. */
  readonly stored: Session;
  /** What the engine needs of it; empty where none is kept. */
  readonly ports: Pick<EnginePorts, 'transcripts'>;
}

/** Without such hooks, and for a session that is kept in memory, the session is given back as it is. */
export async function keepForeignTranscript(
  stored: Session,
  options: {
    readonly snapshot: HookSnapshot;
    readonly cwd: string;
    readonly onNotice: (text: string) => void;
  },
): Promise<ForeignTranscript> {
  const foreign = options.snapshot.policy.some(({ dialect }) => dialect !== 'native');
  if (!foreign || stored.transcript === undefined) return { stored, ports: {} };
  const transcript = createClaudeTranscript({
    folder: dirname(stored.transcript),
    session: stored.id,
    cwd: options.cwd,
    onNotice: options.onNotice,
  });
  const add = (entry: LoggedEntry): void => {
    if (isTold(entry)) transcript.add(entry);
  };
  await stored.flush();
  for (const entry of (await readLog(stored.transcript)).entries) add(entry);
  const bringUpToDate = (): Promise<string | undefined> => transcript.bringUpToDate();
  return {
    stored: {
      ...stored,
      append(entry) {
        const logged = stored.append(entry);
        add(logged);
        return logged;
      },
    },
    ports: { transcripts: { claude: bringUpToDate, claudeAfterCompaction: bringUpToDate } },
  };
}

function isTold(entry: LoggedEntry): entry is LoggedEntry & TranscriptEntry {
  return ['prompt', 'context', 'answer', 'result', 'compacted'].includes(entry.kind);
}
