// A start as a host does it: marked, entered in the ledger, with everything that is needed to end it again.
import type { Family } from './ending.ts';
import type { OutputPipes } from './output-pipes.ts';
import type { ProcessWorld } from './process.ts';
import type { FailedEnd } from './spawn-failure.ts';
import { type StartedProcess, startProcess } from './start.ts';
import { carryMarker, type Marker } from './strays.ts';

export interface LaunchRequest {
  /** Program and arguments; no shell is added. */
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  /** Complete but for the marker, which the host adds. */
  readonly environment: Readonly<Record<string, string>>;
  /** An environment entry that only this run's processes carry, so that strays can be found on Linux. */
  readonly marker: Marker;
  /** What the ledger calls it; a label without content. The program's name if not given. */
  readonly what?: string;
}

export interface Launched {
  readonly kind: 'launched';
  readonly process: StartedProcess;
  readonly family: Family;
}

/** A start that worked is known at once; why one failed takes a moment to be told. */
export function launch(
  request: LaunchRequest,
  stdin: 'ignore' | 'pipe' | number,
  world: ProcessWorld,
  outputs?: OutputPipes,
): Launched | { readonly kind: 'not-launched'; readonly why: Promise<FailedEnd> } {
  const { argv, cwd, marker } = request;
  const started = startProcess({
    argv,
    cwd,
    environment: carryMarker(request.environment, marker),
    stdin,
    spawn: world.spawn,
    ...(outputs !== undefined && { outputs }),
  });
  if (started.kind === 'not-started') return { kind: 'not-launched', why: started.why };
  const group = { pid: started.pid, startTime: world.proc.startTime(started.pid) };
  world.ledger.started({ ...group, marker, what: request.what ?? argv[0] });
  return { kind: 'launched', process: started, family: { group, marker } };
}
