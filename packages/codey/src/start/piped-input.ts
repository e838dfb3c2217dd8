// What was piped in, beside a prompt or instead of one.
import { fstatSync } from 'node:fs';
import type { World } from './world.ts';

/** How long somebody who opened a pipe has to write the first byte, where there is a prompt without it. */
const firstByteMs = 3_000;

/** The whole of stdin, for a prompt that comes from nowhere else. */
export async function readAll(stream: NodeJS.ReadStream): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * Empty where nothing is piped in. Programs that start codey often leave a pipe open and never write to it: whoever
 * writes nothing in three seconds is not waited for, and the user is told.
 */
export async function readPiped(world: Pick<World, 'stdin'>, say: (text: string) => void): Promise<string> {
  if (!carriesData(stdinDescriptor)) return '';
  const stream = world.stdin;
  const started = await Promise.race([firstByte(stream), pause(firstByteMs)]);
  if (started !== 'late') return readAll(stream);
  say('nothing came on stdin, going on without it (codey … < /dev/null saves the wait)');
  stream.destroy();
  return '';
}

const stdinDescriptor = 0;

/** A file, a pipe or a socket; not a terminal, /dev/null and the like. */
function carriesData(descriptor: number): boolean {
  try {
    const facts = fstatSync(descriptor);
    return facts.isFile() || facts.isFIFO() || facts.isSocket();
  } catch {
    return false;
  }
}

function firstByte(stream: NodeJS.ReadStream): Promise<'there'> {
  return new Promise((resolve) => {
    const done = (): void => resolve('there');
    stream.once('readable', done).once('end', done).once('error', done);
  });
}

function pause(ms: number): Promise<'late'> {
  return new Promise((resolve) => setTimeout(() => resolve('late'), ms).unref());
}
