// One careful look at a path: what it is, where it leads and what is in it.
import { createHash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { open, readlink, realpath } from 'node:fs/promises';
import { type Stamp, stampOf } from './stamp.ts';

export interface Look {
  /** As it was asked for. */
  readonly path: string;
  readonly stamp: Stamp;
  /** Without links; absent where it leads nowhere. */
  readonly real?: string;
  /** The text of the link it is. */
  readonly link?: string;
  /** Of a file its content's digest, or a text that stands for it; of anything else what it is. */
  readonly content: string;
  /** Why the content is not known, in a few words; absent where it is. */
  readonly note?: string;
}

/** Larger files are told apart by their times alone: they are data, and reading them would be felt at every start. */
const largestRead = 8 * 1024 * 1024;

/** Never rejects and never waits for a pipe or a device. A file that changes meanwhile is looked at again. */
export async function lookAt(path: string, now: () => number): Promise<Look> {
  for (let tries = 0; tries < 3; tries++) {
    const stamp = stampOf(path, now());
    const look = await lookOnce(path, stamp);
    if (stampOf(path, now()).text === stamp.text) return look;
  }
  const stamp = { ...stampOf(path, now()), settled: false };
  return { path, stamp, content: `unsteady ${randomUUID()}`, note: 'it changes while it is read' };
}

async function lookOnce(path: string, stamp: Stamp): Promise<Look> {
  const real = await realpath(path).catch(() => undefined);
  const link = await readlink(path).catch(() => undefined);
  const found = { path, stamp, ...(real !== undefined && { real }), ...(link !== undefined && { link }) };
  switch (stamp.kind) {
    case 'file':
      return { ...found, ...(await readContent(path, stamp)) };
    case 'directory':
      return { ...found, content: 'a folder' };
    case 'special':
      return { ...found, content: 'a device, pipe or socket', note: 'it is a device, pipe or socket' };
    case 'unreadable':
      return {
        ...found,
        content: `unreadable ${stamp.text}`,
        note: `it cannot be looked at (${stamp.text})`,
      };
    case 'absent':
      return { ...found, content: 'absent' };
  }
}

async function readContent(path: string, stamp: Stamp): Promise<Pick<Look, 'content' | 'note'>> {
  if (stamp.size > largestRead) return tooLarge(stamp);
  try {
    // A pipe put in its place meanwhile does not hold the open.
    const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    try {
      if (!(await handle.stat()).isFile()) return { content: 'replaced', note: 'it is not a file any more' };
      const hash = createHash('sha256');
      const buffer = Buffer.allocUnsafe(64 * 1024);
      let total = 0;
      for (;;) {
        const { bytesRead } = await handle.read(buffer, 0, buffer.length, null);
        if (bytesRead === 0) return { content: `sha256 ${hash.digest('hex')}` };
        total += bytesRead;
        // It says it is small and does not end, as files of the kernel can.
        if (total > largestRead) return tooLarge(stamp);
        hash.update(buffer.subarray(0, bytesRead));
      }
    } finally {
      await handle.close();
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'an error';
    return { content: `unreadable ${code}`, note: `it cannot be read (${code})` };
  }
}

function tooLarge(stamp: Stamp): Pick<Look, 'content' | 'note'> {
  return { content: `large ${stamp.text}`, note: 'it is larger than 8 MiB, so only its times are watched' };
}
