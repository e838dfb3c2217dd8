// One running fork server: what it is asked, what it answers, and what becomes of both when it is gone.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { getSystemErrorName } from 'node:util';
import type { Forked, ForkRequest } from './fork-server.ts';
import { forkServerProgram } from './fork-server-program.ts';
import { readLines } from './lines.ts';

export interface ForkServerProcess {
  fork(request: ForkRequest): Promise<Forked>;
  /** Undefined when it is gone. */
  makePipes(count: number): Promise<readonly number[] | undefined>;
  /** Not when it is gone, nor when its processes cannot open what ours hold. */
  usable(): boolean;
  close(): void;
}

/** Gets the words of the answer's line behind the id; null when the server is gone. */
type Hear = (kind: string, words: readonly string[] | null) => void;

/** One number on every machine; Linux 5.3 or newer. */
const pidfdOpen = 434;
/** A server that is silent for so long is given up. */
const answerMs = 5_000;
const lineCap = 65_536;

/** Throws where the system has nothing left to start it with. */
export function startForkServer(perl: string, setsid: number): ForkServerProcess {
  const child = spawn(perl, ['-f', '-e', forkServerProgram, `${setsid}`, `${pidfdOpen}`], {
    stdio: ['pipe', 'pipe', 'ignore'],
    // Interrupting the program from its terminal must not end it; nor does it hold a directory or read the environment.
    detached: true,
    cwd: '/',
    env: {},
  });
  const asked = new Map<string, Hear>();
  const running = new Map<string, (status: number | null) => void>();
  let lastId = 0;
  let proven = false;
  let gone = false;
  let blind = false;
  let patience: NodeJS.Timeout | undefined;
  let silentLooks = 0;

  child.once('error', lose);
  child.once('exit', lose);
  child.stdin.on('error', lose);
  child.stdout.on('error', lose);
  readLines(child.stdout, lineCap, { onLine: hear, onOverlong: lose });
  setAlive(false);

  return {
    usable: () => !gone && !blind,
    close: () => child.stdin.end(),
    fork: (request) =>
      new Promise((resolve) => {
        const id = nextId();
        question(id, startFields(id, request), (kind, words) => {
          // One that never answered has started nothing.
          if (words === null) resolve({ kind: proven ? 'lost' : 'no-server' });
          else if (kind === 'u') {
            blind = true;
            resolve({ kind: 'no-server' });
          } else if (kind === 'f') {
            resolve({ kind: 'not-forked', code: getSystemErrorName(-Number(words[0])) });
          } else {
            const [pid, startTime = ''] = words;
            resolve({
              kind: 'forked',
              pid: Number(pid),
              startTime: startTime === '' ? null : Number(startTime),
              ended: new Promise((end) => running.set(id, end)),
            });
          }
        });
      }),
    makePipes: (count) =>
      new Promise((resolve, reject) => {
        const id = nextId();
        question(id, ['pipes', id, `${count}`], (_kind, words) => {
          if (words === null) return resolve(undefined);
          try {
            resolve(openByName(child, words.map(Number)));
          } catch (error) {
            reject(error);
          }
          send(['drop', id]);
        });
      }),
  };

  function nextId(): string {
    lastId += 1;
    return `${lastId}`;
  }

  function question(id: string, fields: readonly string[], answer: Hear): void {
    if (gone) {
      answer('', null);
      return;
    }
    asked.set(id, answer);
    if (asked.size === 1) silentLooks = 0;
    setAlive(true);
    patience ??= setInterval(look, answerMs / 10);
    send(fields);
  }

  function send(fields: readonly string[]): void {
    const text = Buffer.from(fields.join('\0'));
    const length = Buffer.alloc(4);
    length.writeUInt32BE(text.length);
    child.stdin.write(Buffer.concat([length, text]));
  }

  function hear(line: string): void {
    proven = true;
    silentLooks = 0;
    const [kind = '', id = '', ...words] = line.split(' ');
    if (kind === 'e') {
      running.get(id)?.(Number(words[0]));
      running.delete(id);
      return;
    }
    const answer = asked.get(id);
    asked.delete(id);
    if (asked.size === 0) rest();
    answer?.(kind, words);
  }

  /** Ten looks rather than one long wait: a machine that slept finds all its clocks expired at once. */
  function look(): void {
    silentLooks += 1;
    if (silentLooks < 10) return;
    child.kill('SIGKILL');
    lose();
  }

  function rest(): void {
    clearInterval(patience);
    patience = undefined;
    setAlive(false);
  }

  function lose(): void {
    if (gone) return;
    gone = true;
    rest();
    for (const answer of asked.values()) answer('', null);
    for (const end of running.values()) end(null);
    asked.clear();
    running.clear();
  }

  function setAlive(alive: boolean): void {
    for (const handle of [child, child.stdin as Socket, child.stdout as Socket]) {
      if (alive) handle.ref();
      else handle.unref();
    }
  }
}

function startFields(id: string, request: ForkRequest): readonly string[] {
  const { argv, cwd, environment, stdin, stdout, stderr } = request;
  return [
    'start',
    id,
    cwd,
    stdin,
    stdout,
    stderr,
    `${argv.length}`,
    ...argv,
    ...Object.entries(environment).map(([name, value]) => `${name}=${value}`),
  ];
}

/** All of them or none. */
function openByName(
  child: ChildProcessByStdio<Writable, Readable, null>,
  descriptors: readonly number[],
): readonly number[] {
  const opened: number[] = [];
  try {
    for (const descriptor of descriptors) {
      const name = `/proc/${child.pid}/fd/${descriptor}`;
      opened.push(openSync(name, constants.O_RDWR | constants.O_NONBLOCK));
    }
    return opened;
  } catch (error) {
    for (const descriptor of opened) closeSync(descriptor);
    throw error;
  }
}
