// A small process that forks for us. Node's own fork copies the page tables of all that this program holds and stops its
// event loop meanwhile: ten starts take twice as long as here, and fifteen times as long beside hundreds of megabytes.
import { readFileSync, readlinkSync } from 'node:fs';
import { getPriority } from 'node:os';
import { isAbsolute } from 'node:path';
import { type ForkServerProcess, startForkServer } from './fork-server-process.ts';

/** A program to start; paths are opened by the process itself. */
export interface ForkRequest {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly stdin: string;
  readonly stdout: string;
  readonly stderr: string;
}

/** What came of asking for a process. */
export type Forked =
  | {
      readonly kind: 'forked';
      readonly pid: number;
      /** Clock ticks since boot. */
      readonly startTime: number | null;
      /** As wait(2) tells it; null when the server is gone and nobody will know. */
      readonly ended: Promise<number | null>;
    }
  /** Nothing runs, because of an error of the system such as `ENOENT`. */
  | { readonly kind: 'not-forked'; readonly code: string }
  /** The server ended while it was asked. */
  | { readonly kind: 'lost' }
  /** Nothing was asked of it: the process must be started by other means. */
  | { readonly kind: 'no-server' };

/** Starts processes, each as leader of a session of its own, and tells when they end. It ends none. */
export interface ForkServer {
  /** Not once it is known that there is none. */
  available(): boolean;
  /** Never rejects. */
  fork(request: ForkRequest): Promise<Forked>;
  /** Descriptors of so many new pipes, each open to read and to write. Rejects where there is no server. */
  makePipes(count: number): Promise<readonly number[]>;
  /** What it started goes on, unwatched. */
  close(): void;
}

/** The machine it is to run on; this one if left out. */
export interface ForkServerOptions {
  readonly platform?: NodeJS.Platform;
  readonly arch?: string;
  /** Its interpreter; where there is none, there is no server. */
  readonly perl?: string;
  /** Where processes and their descriptors have names. */
  readonly proc?: string;
}

/** The numbers of `setsid`, which Perl has no word for; Linux alone keeps such numbers for good. */
const setsid: Readonly<Record<string, number>> = { x64: 112, arm64: 157, riscv64: 157, loong64: 157 };

/** Starts with the first thing that is asked of it, and never keeps the program alive but for an answer. */
export function createForkServer({
  platform = process.platform,
  arch = process.arch,
  perl = '/usr/bin/perl',
  proc = '/proc',
}: ForkServerOptions = {}): ForkServer {
  const number = platform === 'linux' && namesUs(proc) ? setsid[arch] : undefined;
  let server: ForkServerProcess | undefined;
  let heritage = '';
  let seen: string | undefined;
  let closed = number === undefined;

  const forget = (): void => {
    seen = undefined;
  };
  const available = (): boolean => !closed && server?.usable() !== false;
  const ask = (): ForkServerProcess | undefined => {
    if (number === undefined || !available()) return undefined;
    try {
      seen ??= readHeritage(proc);
      const now = seen;
      // Ten hooks of one event take one look.
      setImmediate(forget);
      if (server === undefined) {
        heritage = now;
        server = startForkServer(perl, number);
      }
      // Hooks must not keep rights that the program gave up. Those that run are still watched.
      closed = heritage !== now;
    } catch {
      // No process, no descriptor or no memory was left for it; Node tells whoever needs the next one.
      closed = true;
    }
    return closed ? undefined : server;
  };
  return {
    available,
    fork: async (request) =>
      speakable(request) ? ((await ask()?.fork(request)) ?? { kind: 'no-server' }) : { kind: 'no-server' },
    async makePipes(count) {
      const pipes = await ask()?.makePipes(count);
      if (pipes === undefined) throw new Error('there is no fork server');
      return pipes;
    },
    close() {
      closed = true;
      server?.close();
    },
  };
}

/** Not in a namespace of processes that sees the names of another one: there our numbers are somebody else's. */
function namesUs(proc: string): boolean {
  try {
    return readlinkSync(`${proc}/self`) === `${process.pid}`;
  } catch {
    return false;
  }
}

/** What a process takes over from whoever starts it, and what a program may change while it runs. */
function readHeritage(proc: string): string {
  const status = readFileSync(`${proc}/self/status`, 'latin1');
  return [...(status.match(inherited) ?? []), `Priority: ${getPriority()}`].join('\n');
}

const inherited = /^(Uid|Gid|Groups|Umask|Cap\w+|NoNewPrivs|Seccomp):.*$/gm;

/** What Node refuses to start is left to Node, which says why; so is a directory that depends on ours. */
function speakable({ argv, cwd, environment }: ForkRequest): boolean {
  const texts = [...argv, cwd, ...Object.entries(environment).flat()];
  return argv[0] !== '' && isAbsolute(cwd) && texts.every((text) => !text.includes('\0'));
}
