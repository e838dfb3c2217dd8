// Brings mail into the conversations of this process's agents, each time before it is marked as taken.
import type { Session } from '../session/session.ts';
import type { Inbox } from './mailbox.ts';

/**
 * Into the stored conversation of `agent`, and only then off the list: a kill in between gives it again, never not at
 * all. Returns how many came. Throws what the file system throws.
 */
export async function deliverMail(
  agent: string,
  inbox: Pick<Inbox, 'unread' | 'markTaken'>,
  stored: Pick<Session, 'append' | 'flush'>,
): Promise<number> {
  const mails = await inbox.unread();
  if (mails.length === 0) return 0;
  for (const { from, text } of mails) {
    stored.append({ kind: 'context', agent, text, source: `message from ${from}`, from: { kind: 'host' } });
  }
  await stored.flush();
  await inbox.markTaken(mails);
  return mails.length;
}

export interface Arrivals {
  /** Somebody in this process sent something. */
  ring(): void;
  /** Resolves when mail may have come, after a second at the latest; other processes do not ring. */
  next(signal: AbortSignal): Promise<void>;
}

const lookAgainMs = 1_000;

export function createArrivals(): Arrivals {
  const waiting = new Set<() => void>();
  return {
    ring() {
      for (const wake of waiting) wake();
    },
    next: (signal) =>
      new Promise((resolve) => {
        const wake = (): void => {
          clearTimeout(timer);
          waiting.delete(wake);
          signal.removeEventListener('abort', wake);
          resolve();
        };
        const timer = setTimeout(wake, lookAgainMs);
        // An idle member is no reason to keep the program alive.
        timer.unref();
        waiting.add(wake);
        signal.addEventListener('abort', wake);
        if (signal.aborted) wake();
      }),
  };
}
