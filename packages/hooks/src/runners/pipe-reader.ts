// Reads what a process prints into a pipe. Most hooks are over before the event loop could be of use: what they printed
// is then taken in one piece, and the two streams of Node's that would have carried it are never made.
import { EventEmitter } from 'node:events';
import { closeSync, readSync } from 'node:fs';
import { Socket } from 'node:net';

/** Who takes longer is listened to as it prints. */
const quickMs = 20;
/** What a pipe holds, and so the most that is there when its process has ended. */
const pipeBytes = 65_536;

/** Told apart from a stream by `catchUp` alone. */
export class PipeReader extends EventEmitter<{ data: [Buffer]; error: [Error]; close: [] }> {
  readonly #descriptor: number;
  readonly #late: NodeJS.Timeout;
  #socket: Socket | undefined;
  #closed = false;
  #alive = true;

  /** Takes the descriptor over: the end of a pipe to read from, which does not block. */
  constructor(descriptor: number) {
    super();
    this.#descriptor = descriptor;
    // Whoever waits for the process has a timer of his own.
    this.#late = setTimeout(() => this.#listenIfHeard(), quickMs).unref();
  }

  /** Hands over what is there. Closes if nobody can print any more, else listens. */
  catchUp(): void {
    if (this.#socket !== undefined || this.#closed) return;
    const memory = Buffer.allocUnsafe(pipeBytes);
    let length = 0;
    let isOver = false;
    try {
      while (length < pipeBytes && !isOver) {
        const more = readSync(this.#descriptor, memory, length, pipeBytes - length, null);
        length += more;
        isOver = more === 0;
      }
    } catch {
      // Nothing more now (EAGAIN), or something the socket will tell.
    }
    if (length > 0) this.emit('data', memory.subarray(0, length));
    if (isOver) this.destroy();
    else this.#listen();
  }

  unref(): void {
    this.#alive = false;
    this.#socket?.unref();
  }

  destroy(): void {
    clearTimeout(this.#late);
    if (this.#socket !== undefined) this.#socket.destroy();
    else if (!this.#closed) {
      closeSync(this.#descriptor);
      this.#end();
    }
  }

  /** Its process may take a while to start, and what nobody collects would be lost. */
  #listenIfHeard(): void {
    if (this.listenerCount('data') === 0) this.#late.refresh();
    else this.#listen();
  }

  #listen(): void {
    if (this.#closed) return;
    clearTimeout(this.#late);
    const socket = new Socket({ fd: this.#descriptor, readable: true, writable: false });
    this.#socket = socket;
    if (!this.#alive) socket.unref();
    socket.on('data', (piece: Buffer) => this.emit('data', piece));
    socket.on('error', (error) => this.emit('error', error));
    socket.once('close', () => this.#end());
  }

  #end(): void {
    this.#closed = true;
    this.emit('close');
  }
}
