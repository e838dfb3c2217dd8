import { createSocket, type Socket } from 'node:dgram';
import type { LookupFunction } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { createLookup } from './lookup.ts';

let server: Socket | undefined;
afterEach(() => {
  server?.close();
  server = undefined;
});

/** A name server that does what `answer` says with each question. */
async function nameServer(
  answer: (question: Buffer, reply: (answer: Buffer) => void) => void,
): Promise<string> {
  const made = createSocket('udp4');
  server = made;
  made.on('message', (question, { port, address }) =>
    answer(question, (reply) => made.send(reply, port, address)),
  );
  await new Promise<void>((resolve) => made.bind(0, '127.0.0.1', resolve));
  return `127.0.0.1:${made.address().port}`;
}

/** The question sent back as an answer that says: there is no such name. */
function noSuchName(question: Buffer): Buffer {
  const answer = Buffer.from(question);
  answer.writeUInt16BE(0x8183, 2);
  return answer;
}

/** The system's, which knows every name. */
function knowsAll(): { readonly lookup: LookupFunction; readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    lookup: (name, _, callback) => {
      asked.push(name);
      callback(null, '192.0.2.1', 4);
    },
  };
}

it('leaves the system out while no name server answers, and can be called off', async () => {
  const { lookup, asked } = knowsAll();
  let heard = (): void => {};
  const question = new Promise<void>((resolve) => {
    heard = resolve;
  });
  const names = createLookup({ servers: [await nameServer(() => heard())], lookup });
  const found = new Promise<string | undefined>((resolve) =>
    names.find('collector.example.com', {}, (error) => resolve(error?.code)),
  );
  await question;
  names.cancel();
  expect(await found).toBe('ECANCELLED');
  expect(asked).toEqual([]);
});

it('asks the system where one answers, whatever it says, and for names of this machine', async () => {
  const { lookup, asked } = knowsAll();
  const server = await nameServer((question, reply) => reply(noSuchName(question)));
  const names = createLookup({ servers: [server], lookup });
  for (const name of ['collector.lan', 'localhost']) {
    const address = await new Promise((resolve) =>
      names.find(name, {}, (error, found) => resolve(error ?? found)),
    );
    expect(address).toBe('192.0.2.1');
  }
  expect(asked).toEqual(['collector.lan', 'localhost']);
});
