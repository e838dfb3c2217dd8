// Runs one command line for the model: in bash where there is one, with both streams as they come and nothing to read.
import { type ProcessHost, type ProcessResult, randomId } from '@codey/hooks';

export interface CommandLine {
  readonly command: string;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  /** Output of both streams in the order in which it arrives. */
  readonly onOutput: (text: string) => void;
}

/** Never rejects; a command that did not end by itself is ended with all it started. */
export async function runCommandLine(host: ProcessHost, line: CommandLine): Promise<ProcessResult> {
  const inBash = await runWith('bash', host, line);
  // Models write bash; a machine without it has at least the shell every system must have.
  const noBash = inBash.end.kind === 'failed' && inBash.end.cause === 'missing';
  return noBash ? await runWith('/bin/sh', host, line) : inBash;
}

function runWith(shell: string, host: ProcessHost, line: CommandLine): Promise<ProcessResult> {
  const { command, onOutput, ...rest } = line;
  return host.run({
    ...rest,
    argv: [shell, '-c', command],
    input: '',
    what: 'run_shell',
    marker: { name: 'CODEY_TOOL_RUN', value: randomId() },
    // What is kept is chosen by whoever collects it, from both streams together.
    outputCap: 0,
    onOutput: (_stream, text) => onOutput(text),
  });
}

/** How a command ended, in a few words; null for exit code 0. */
export function describeEnd({ end }: ProcessResult): string | null {
  switch (end.kind) {
    case 'exited':
      return end.code === 0 ? null : `exit code ${end.code}`;
    case 'signalled':
      return `ended by ${end.signal}`;
    case 'timed-out':
      return `timed out after ${end.afterMs / 1_000} seconds and was ended with all it started`;
    case 'cancelled':
      return 'was cancelled and ended with all it started';
    case 'failed':
      return `could not be run: ${end.message}`;
    case 'answered':
      return null;
  }
}
