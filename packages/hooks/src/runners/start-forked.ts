// Starts one program through the fork server, with the same outcome as a start of Node's own.
import { constants } from 'node:os';
import type { Forked, ForkServer } from './fork-server.ts';
import { discardPipes, handOver, type OutputPipes } from './output-pipes.ts';
import type { PipeReader } from './pipe-reader.ts';
import type { RunEnd } from './runner.ts';
import { explainSpawnFailure, type FailedEnd } from './spawn-failure.ts';
import type { NotStarted, StartedProcess, StartRequest } from './start.ts';

export interface ForkedStart extends StartRequest {
  /** A descriptor of ours, which stays open until the start is over; what is handed over there needs none. */
  readonly stdin: 'ignore' | number;
  readonly outputs: OutputPipes;
}

/** Null where there is no server, with nothing taken over: Node must start it. Never rejects. */
export async function startForked(
  request: ForkedStart,
  server: ForkServer,
): Promise<StartedProcess | NotStarted | null> {
  const { argv, cwd, environment, stdin, outputs } = request;
  const [stdout, stderr] = outputs;
  const forked = await server.fork({
    argv,
    cwd,
    environment,
    stdin: stdin === 'ignore' ? '/dev/null' : nameOf(stdin),
    stdout: nameOf(stdout.held),
    stderr: nameOf(stderr.held),
  });
  switch (forked.kind) {
    case 'no-server':
      return null;
    case 'lost':
      return { ...failed(lost('whether it was started'), outputs), perhaps: true };
    case 'not-forked': {
      const error = Object.assign(new Error(forked.code), { code: forked.code });
      return failed(explainSpawnFailure(error, { program: argv[0], cwd, environment }), outputs);
    }
    case 'forked':
      handOver(outputs);
      return started(forked, outputs);
  }
}

function failed(why: FailedEnd, outputs: OutputPipes): NotStarted {
  discardPipes(outputs);
  return { kind: 'not-started', why: Promise.resolve(why) };
}

function lost(unknown: string): FailedEnd {
  const message = `${unknown} is not known: the process that starts hooks was ended from outside meanwhile`;
  return { kind: 'failed', cause: 'spawn', message };
}

/** Under which another process of this user opens a descriptor of ours. */
function nameOf(descriptor: number): string {
  return `/proc/${process.pid}/fd/${descriptor}`;
}

function started(forked: Extract<Forked, { kind: 'forked' }>, outputs: OutputPipes): StartedProcess {
  const [{ reader: stdout }, { reader: stderr }] = outputs;
  const ended = forked.ended.then(readStatus);
  return {
    kind: 'started',
    pid: forked.pid,
    startTime: forked.startTime,
    stdin: null,
    stdout,
    stderr,
    ended,
    closed: Promise.all([ended, closed(stdout), closed(stderr)]).then(() => {}),
    catchUp() {
      for (const reader of [stdout, stderr]) reader.catchUp();
    },
    release() {
      for (const reader of [stdout, stderr]) reader.unref();
    },
    abandon() {
      for (const reader of [stdout, stderr]) reader.destroy();
    },
  };
}

function readStatus(status: number | null): RunEnd {
  if (status === null) return lost('how it ended');
  const signal = status & 0x7f;
  return signal === 0
    ? { kind: 'exited', code: status >> 8 }
    : { kind: 'signalled', signal: signalName(signal) };
}

function signalName(number: number): string {
  const names = Object.entries(constants.signals);
  return names.find(([, each]) => each === number)?.[0] ?? `signal ${number}`;
}

function closed(reader: PipeReader): Promise<void> {
  return new Promise((resolve) => {
    reader.once('close', resolve);
  });
}
