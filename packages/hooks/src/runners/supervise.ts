// One process from its start to the moment its result is decided.
import { monotonicMs } from '../monotonic.ts';
import { bounded } from './bounded.ts';
import { drain } from './drain.ts';
import { type Launched, launch, type NotLaunched } from './launch.ts';
import { type Collected, collect } from './output.ts';
import { discardPipes, type OutputPipes } from './output-pipes.ts';
import type { ProcessRequest, ProcessResult, ProcessWorld } from './process.ts';
import type { RunEnd } from './runner.ts';
import { openInput } from './stdin.ts';

/**
 * The first of exit, deadline and cancel decides. An exit is followed by a short drain, which the other two cut short
 * but do not overrule. `leave` is called when nothing of the run is left to end.
 */
export async function supervise(
  request: ProcessRequest,
  world: ProcessWorld,
  outputs: ReadyPipes | Promise<ReadyPipes>,
  leave: () => void,
): Promise<ProcessResult> {
  const begun = monotonicMs();
  const seen: { starting?: Promise<Run | NotLaunched>; run?: Run; exit?: RunEnd } = {};
  const waited = await bounded(request, async (stop): Promise<RunEnd> => {
    const ready = outputs instanceof Promise ? await outputs : outputs;
    if (stop.aborted) return { kind: 'cancelled' };
    seen.starting = begin(request, world, ready);
    const run = await seen.starting;
    if (run.kind === 'not-launched') return run.why;
    seen.run = run;
    seen.exit = await run.process.ended;
    run.process.catchUp();
    await drain(run.process.closed, () => run.stdout.bytes() + run.stderr.bytes());
    return seen.exit;
  });

  const { starting, run, exit } = seen;
  if (run === undefined) {
    if (starting === undefined) {
      void Promise.resolve(outputs).then(discardPipes).finally(leave);
    } else {
      world.owe(endOnceStarted(starting, world).finally(leave));
    }
    return withoutProcess(waited, monotonicMs() - begun);
  }
  const printed = {
    stdout: run.stdout.finish(),
    stderr: run.stderr.finish(),
    stdoutTruncated: run.stdout.truncated(),
    stderrTruncated: run.stderr.truncated(),
    durationMs: monotonicMs() - begun,
  };
  if (exit !== undefined && exit.kind !== 'failed') {
    run.process.abandon();
    world.ledger.ended(run.process.pid);
    leave();
    return { ...printed, end: exit, leftRunning: world.countRunning(run.family.group) };
  }
  void endBehind(run, world).then(leave);
  return { ...printed, end: exit ?? waited, leftRunning: 0 };
}

/** Its pipes stay open meanwhile: a process that prints while it cleans up would otherwise die of that (SIGPIPE). */
async function endBehind(run: Run, world: ProcessWorld): Promise<boolean> {
  run.process.release();
  const gone = await world.end(run.family);
  run.process.abandon();
  return gone;
}

/** For a run that was given up while its process was being started. */
async function endOnceStarted(starting: Promise<Run | NotLaunched>, world: ProcessWorld): Promise<boolean> {
  const late = await starting;
  return late.kind === 'not-launched' || endBehind(late, world);
}

/** The result of a run that came to no process: cancelled in time, or not startable. */
export function withoutProcess(end: RunEnd, durationMs: number): ProcessResult {
  return {
    end,
    stdout: '',
    stderr: '',
    stdoutTruncated: false,
    stderrTruncated: false,
    leftRunning: 0,
    durationMs,
  };
}

/** Undefined where there are none: then Node's own must do. */
type ReadyPipes = OutputPipes | undefined;

interface Run extends Launched {
  readonly stdout: Collected;
  readonly stderr: Collected;
}

async function begin(
  request: ProcessRequest,
  world: ProcessWorld,
  outputs: OutputPipes | undefined,
): Promise<Run | NotLaunched> {
  const { onOutput, outputCap } = request;
  const input = openInput(request.input, world.inputDirectories);
  const launched = await launch(request, input.stdio, world, outputs);
  input.release();
  if (launched.kind === 'not-launched') return launched;
  const { stdin, stdout, stderr, pid } = launched.process;
  const run: Run = {
    ...launched,
    stdout: collect(stdout, outputCap, onOutput && ((text) => onOutput('stdout', text))),
    stderr: collect(stderr, outputCap, onOutput && ((text) => onOutput('stderr', text))),
  };
  input.deliver(stdin);
  request.onStart?.(pid);
  return run;
}
