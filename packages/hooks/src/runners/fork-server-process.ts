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

interface Question {
  /** What it may be answered with. */
  readonly kinds: string;
  /** Gets the words of the answer's line behind the id; null when the server is gone. */
  readonly hear: (kind: string, words: readonly string[] | null) => void;
}

/** Whoever says something else is not our server. */
const answerForm = /^(s \d+ [1-9]\d* \d*|f \d+ [1-9]\d*|u \d+|e \d+ \d+|p \d+( \d+)*|a \d+)$/;

/** One number on every machine; Linux 5.3 or newer. */
const pidfdOpen = 434;
/** A server that is silent for so long is given up. */
const answerMs = 5_000;
/** Ten looks rather than one long wait: a machine that slept finds all its clocks expired at once. */
const looks = 10;
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
  if (child.pid === undefined) {
    child.once('error', () => {});
    for (const stream of child.stdio ?? []) stream?.destroy();
    throw new Error('the fork server could not be started');
  }
  const asked = new Map<string, Question>();
  const running = new Map<string, (status: number | null) => void>();
  const unnoted: string[] = [];
  let lastId = 0;
  let proven = false;
  let gone = false;
  let alive = true;
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
    close() {
      sayNoted();
      child.stdin.end();
      wake();
    },
    fork: (request) =>
      new Promise((resolve) => {
        const id = nextId();
        question(id, startFields(id, request), 'sfu', (kind, words) => {
          // One that never answered has started nothing.
          if (words === null) resolve({ kind: proven ? 'lost' : 'no-server' });
          else if (kind === 'u') {
            blind = true;
            resolve({ kind: 'no-server' });
          } else if (kind === 'f') {
            resolve({ kind: 'not-forked', code: getSystemErrorName(-Number(words[0])) });
          } else {
            const [pid, startTime = ''] = words;
            // In this turn whoever asked enters it in the ledger.
            if (unnoted.push(id) === 1) setImmediate(sayNoted);
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
        question(id, ['pipes', id, `${count}`], 'p', (_kind, words) => {
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

  function question(
    id: string,
    fields: readonly string[],
    kinds: Question['kinds'],
    answer: Question['hear'],
  ): void {
    if (gone) {
      answer('', null);
      return;
    }
    asked.set(id, { kinds, hear: answer });
    if (asked.size === 1) silentLooks = 0;
    attend();
    send(fields);
  }

  function sayNoted(): void {
    if (unnoted.length > 0) send(['noted', ...unnoted.splice(0)]);
  }

  function send(fields: readonly string[]): void {
    if (!child.stdin.writable) return;
    const text = Buffer.from(fields.join('\0'));
    const length = Buffer.alloc(4);
    length.writeUInt32BE(text.length);
    child.stdin.write(Buffer.concat([length, text]));
  }

  function hear(line: string): void {
    if (gone) return;
    const [kind = '', id = '', ...words] = line.split(' ');
    const question = asked.get(id);
    const end = running.get(id);
    const isExpected =
      kind === 'a' || (kind === 'e' ? end !== undefined : question?.kinds.includes(kind) === true);
    if (!isExpected || !answerForm.test(line)) {
      lose();
      return;
    }
    proven = true;
    silentLooks = 0;
    if (kind === 'e') {
      running.delete(id);
      end?.(Number(words[0]));
    } else if (kind !== 'a') {
      asked.delete(id);
      question?.hear(kind, words);
    }
    attend();
  }

  function look(): void {
    // A hook that stops its parent would have every other one wait for its deadline.
    wake();
    if (asked.size === 0) return;
    silentLooks += 1;
    // What keeps it from answering may be one program that takes long to start, from a slow file system say.
    if (silentLooks === looks / 2) send(['ping', nextId()]);
    if (silentLooks === looks) lose();
  }

  /** One that a hook has stopped would never see the end of its input. */
  function wake(): void {
    child.kill('SIGCONT');
  }

  /** Looks after it while it owes anything, and keeps the program alive for an answer alone. */
  function attend(): void {
    if (asked.size === 0 && running.size === 0) {
      clearInterval(patience);
      patience = undefined;
    } else {
      patience ??= setInterval(look, answerMs / looks).unref();
    }
    setAlive(asked.size > 0);
  }

  function lose(): void {
    if (gone) return;
    gone = true;
    // Before any descriptor is given up whose number it still knows.
    child.kill('SIGKILL');
    child.stdin.destroy();
    child.stdout.destroy();
    for (const question of asked.values()) question.hear('', null);
    for (const end of running.values()) end(null);
    asked.clear();
    running.clear();
    attend();
  }

  function setAlive(wanted: boolean): void {
    if (wanted === alive) return;
    alive = wanted;
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
