// The agent cannot trust itself: what must not be done by a process that a session started.
import type { Ancestry } from '../runners/depth.ts';

/**
 * Undefined where a person may have started the program, else the sentence it ends with (exit code 2). `what` is the
 * command or flag as it was typed, such as `codey hooks trust`.
 */
export function refuseInsideSession(
  ancestry: Pick<Ancestry, 'insideSession'>,
  what: string,
): string | undefined {
  return ancestry.insideSession
    ? `${what} does not work inside a codey session, where an agent could agree in your name; run it in a terminal of your own`
    : undefined;
}
