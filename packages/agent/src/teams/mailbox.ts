// One member's mail: sent once it is on the disk, and given until a reader has worked on it: at least once.
import { randomUUID } from 'node:crypto';
import { matchesShape } from '@codey/hooks';
import { appendLine, appendLines, readValues } from './lines.ts';

export interface Mail {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly text: string;
  /** ISO 8601, UTC. */
  readonly time: string;
}

type MailLine =
  | ({ readonly kind: 'mail' } & Mail)
  /** It stands in the conversation of that session, which has not finished with it. */
  | { readonly kind: 'taken'; readonly id: string; readonly session: string }
  /** Whoever took it let go of it unfinished. */
  | { readonly kind: 'returned'; readonly id: string }
  | { readonly kind: 'read'; readonly id: string };

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
  return values.filter(isMailLine).flatMap((line) => (line.kind === 'mail' ? [mailOf(line)] : []));
}

/** How many no session has in its conversation; those of a session that is gone count again. */
export async function countUnread(path: string, readerLives: boolean): Promise<number> {
  const box = createBox();
  for (const value of (await readValues(path)).values) box.add(value);
  return [...box.open.values()].filter(({ taker }) => taker === undefined || !readerLives).length;
}

/** All of it throws what the file system throws. */
export interface Inbox {
  /** What came and this session has not taken, oldest first; what another took and never finished with is given again. */
  unread(): Promise<readonly Mail[]>;
  /** After it stands where this session will find it again: a kill before this gives it again. */
  markTaken(mails: readonly Mail[]): Promise<void>;
  /** After all that was taken was worked on: a kill before this gives it to the next session. */
  markRead(): Promise<void>;
  /** Where what was taken will not be worked on here: the next reader gets it. */
  giveBack(): Promise<void>;
}

/**
 * Reads on from where it was, so that looking often costs little. One process at a time reads a mailbox: whoever holds
 * the seat of its name.
 */
export function openInbox(path: string, session: string): Inbox {
  const box = createBox();
  let position = 0;
  let last: Promise<unknown> = Promise.resolve();

  async function look(): Promise<void> {
    const { values, end } = await readValues(path, position);
    position = end;
    for (const value of values) box.add(value);
  }

  /** One after another: two that look at once would take the same lines. */
  function lookAgain(): Promise<void> {
    const looked = last.then(look);
    last = looked.catch(() => {});
    return looked;
  }

  async function settle(kind: 'read' | 'returned'): Promise<void> {
    const taken = [...box.open.values()].filter(({ taker }) => taker === session);
    const lines = taken.map(({ mail }): MailLine => ({ kind, id: mail.id }));
    await appendLines(path, lines);
    for (const line of lines) box.add(line);
  }

  return {
    async unread() {
      await lookAgain();
      return [...box.open.values()].filter(({ taker }) => taker !== session).map(({ mail }) => mail);
    },
    async markTaken(mails) {
      const lines = mails.map(({ id }): MailLine => ({ kind: 'taken', id, session }));
      await appendLines(path, lines);
      for (const line of lines) box.add(line);
    },
    async markRead() {
      await lookAgain();
      await settle('read');
    },
    async giveBack() {
      await lookAgain();
      await settle('returned');
    },
  };
}

interface Box {
  /** By id: what was not read yet, and the session that has taken it. */
  readonly open: ReadonlyMap<string, { readonly mail: Mail; readonly taker?: string }>;
  /** Values that are no lines of a mailbox are passed over. */
  add(value: unknown): void;
}

/** The fold of a mailbox. A mark stands behind its mail, and may be added twice. */
function createBox(): Box {
  const open = new Map<string, { readonly mail: Mail; readonly taker?: string }>();

  function add(value: unknown): void {
    if (!isMailLine(value)) return;
    const known = open.get(value.id);
    switch (value.kind) {
      case 'mail':
        open.set(value.id, { mail: mailOf(value) });
        break;
      case 'taken':
        if (known !== undefined) open.set(value.id, { mail: known.mail, taker: value.session });
        break;
      case 'returned':
        if (known !== undefined) open.set(value.id, { mail: known.mail });
        break;
      case 'read':
        open.delete(value.id);
    }
  }

  return { open, add };
}

function mailOf({ id, from, to, text, time }: Mail): Mail {
  return { id, from, to, text, time };
}

const shapes = {
  mail: { id: 'string', from: 'string', to: 'string', text: 'string', time: 'string' },
  taken: { id: 'string', session: 'string' },
  returned: { id: 'string' },
  read: { id: 'string' },
} as const;

function isMailLine(value: unknown): value is MailLine {
  if (!matchesShape(value, { kind: 'string' })) return false;
  const kind = value.kind as string;
  return Object.hasOwn(shapes, kind) && matchesShape(value, shapes[kind as MailLine['kind']]);
}
