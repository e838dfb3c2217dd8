// A server whose paths misbehave: the part of an http hook that is not ours.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FaultName } from './table.ts';

export interface FaultyServer {
  readonly origin: string;
  close(): Promise<void>;
}

export async function startFaultyServer(): Promise<FaultyServer> {
  const server = createServer((request, response) => {
    const fault = decodeURIComponent((request.url ?? '/').slice(1)) as FaultName;
    request.on('error', () => {});
    response.on('error', () => {});
    (answers[fault] ?? (() => response.writeHead(404).end()))(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const say = (body: string | Buffer) => (request: IncomingMessage, response: ServerResponse) => {
  request.resume().on('end', () => response.end(body));
};

const answers: Readonly<Partial<Record<FaultName, (q: IncomingMessage, r: ServerResponse) => void>>> = {
  passes: say(''),
  'has no directory to run in': say('{}'),
  blocks: say('{"decision":"block","reason":"no"}'),
  'says something that is no answer': say('hello'),
  'fails in its own way': (_, response) => void response.writeHead(500).end('why'),
  'fails and says no': (_, response) =>
    void response.writeHead(500).end('{"decision":"block","reason":"no"}'),
  'is killed': (request) => void request.socket.destroy(),
  hangs: () => {},
  'ends and leaves a daemon with its pipes': (_, response) => void response.write('{}'),
  // Answers before it has read what it was sent.
  'closes stdin': (_, response) => void response.end('{}'),
  'floods stdout': say('x'.repeat(3_000_000)),
  'prints half an object': say('{"decision":"blo'),
  'prints wrong types': say('{"decision":{"x":1},"continue":"no","hookSpecificOutput":[]}'),
  'prints a block beside wrong types': say('{"decision":"block","reason":"no","systemMessage":7}'),
  'prints invalid UTF-8 as text': say(Buffer.from([0xff, 0xfe, 0x20, 0x74])),
  'blocks in invalid UTF-8': say(Buffer.from('{"decision":"block","reason":"\xffno"}', 'latin1')),
};
