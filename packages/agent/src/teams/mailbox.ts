// One member's mail: sent once it is on the disk, there until it was marked as read, and given at least once.
import { randomUUID } from 'node:crypto';
import { matchesShape } from '@codey/hooks';
import { appendLine, readValues } from './lines.ts';

export interface Mail {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly text: string;
  /** ISO 8601, UTC. */
  readonly time: string;
}

type MailLine = ({ readonly kind: 'mail' } & Mail) | { readonly kind: 'read'; readonly id: string };

/** Characters of one message: enough for a report, small enough for every conversation it lands in. */
export const longestMail = 50_000;

/** Resolves when it cannot be lost any more; throws what the file system throws. */
export async function sendMail(path: string, mail: Omit<Mail, 'id' | 'time'>, time: Date): Promise<Mail> {
  const sent: Mail = { id: randomUUID(), ...mail, time: time.toISOString() };
  const line: MailLine = { kind: 'mail', ...sent };
  await appendLine(path, line);
  return sent;
}

/** All there ever was, in the order it came. */
export async function readMail(path: string): Promise<readonly Mail[]> {
  const { values } = await readValues(path);
  return values.filter(isMail).map(mailOf);
}

export interface Inbox {
  /** What came and was not marked as read, oldest first. */
  unread(): Promise<readonly Mail[]>;
  /** After what was read is where it cannot be lost: a kill before this gives it again. */
  markRead(mails: readonly Mail[]): Promise<void>;
}

/** Reads on from where it was, so that looking often costs little. */
export function openInbox(path: string): Inbox {
  const waiting = new Map<string, Mail>();
  // Of mail that another process read: its lines stand behind those of the mail.
  let position = 0;
  let last: Promise<unknown> = Promise.resolve();

  async function look(): Promise<void> {
    const { values, end } = await readValues(path, position);
    position = end;
    for (const value of values) {
      if (isMail(value)) {
        waiting.set(value.id, mailOf(value));
      } else if (isRead(value)) waiting.delete(value.id);
    }
  }

  return {
    async unread() {
      // Two that look at once would take the same lines.
      last = last.then(look, look);
      await last;
      return [...waiting.values()];
    },
    async markRead(mails) {
      for (const { id } of mails) {
        const line: MailLine = { kind: 'read', id };
        await appendLine(path, line);
        waiting.delete(id);
      }
    },
  };
}

function mailOf({ id, from, to, text, time }: Mail): Mail {
  return { id, from, to, text, time };
}

function isMail(value: unknown): value is Extract<MailLine, { readonly kind: 'mail' }> {
  const shape = { id: 'string', from: 'string', to: 'string', text: 'string', time: 'string' } as const;
  return matchesShape(value, shape) && value.kind === 'mail';
}

function isRead(value: unknown): value is Extract<MailLine, { readonly kind: 'read' }> {
  return matchesShape(value, { id: 'string' }) && value.kind === 'read';
}
