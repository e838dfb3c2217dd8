// Where the transcripts of a session lie: the main agent's, and beside it those of the others.
import { dirname, join } from 'node:path';

/** The agent's own transcript, by the path of the main one; empty where no transcript is kept. */
export function agentTranscriptPath(mainTranscript: string, agent: string): string {
  if (mainTranscript === '' || agent === 'main') return mainTranscript;
  // A name is chosen by a model or a person and must not lead out of the folder.
  const name = agent.replace(/[^\w-]/gu, (sign) => `%${sign.codePointAt(0)?.toString(16)}`).slice(0, 200);
  return join(dirname(mainTranscript), `agent-${name}.jsonl`);
}
