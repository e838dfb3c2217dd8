// Runs a line of the user's own shell: in the session's environment, past no gate, and told to the model afterwards.
import type { SessionScope } from '../loop/scope.ts';
import { describeEnd, runCommandLine } from './command-line.ts';
import { createHeadTail } from './output.ts';
import { withoutEscapes } from './without-escapes.ts';

export interface UserLine {
  readonly line: string;
  /** Output of both streams as it comes. */
  readonly onOutput: (text: string) => void;
  readonly signal: AbortSignal;
}

export interface UserLineEnd {
  /** In a few words how it did not end well; null for exit code 0. */
  readonly problem: string | null;
}

/** The user is at the keyboard and ends it; the deadline is only there because every process has one. */
const deadlineMs = 24 * 60 * 60 * 1_000;

export async function runUserLine(
  { line, onOutput, signal }: UserLine,
  cwd: string,
  session: Pick<SessionScope, 'append' | 'environment' | 'processes'>,
): Promise<UserLineEnd> {
  const output = createHeadTail();
  const result = await runCommandLine(session.processes, {
    command: line,
    cwd,
    environment: session.environment(),
    deadlineMs,
    signal,
    onOutput(text) {
      output.add(text);
      onOutput(text);
    },
  });
  const problem = describeEnd(result);
  const printed = withoutEscapes(output.text()).trimEnd();
  session.append({
    kind: 'context',
    agent: 'main',
    text: [`$ ${line}`, printed, ...(problem === null ? [] : [`[${problem}]`])].filter(Boolean).join('\n'),
    source: "the user's own shell",
    from: { kind: 'user' },
  });
  return { problem };
}
