// A start as a host does it: marked, entered in the ledger, with everything that is needed to end it again.
import type { Family } from './ending.ts';
import type { Group } from './group.ts';
import type { OutputPipes } from './output-pipes.ts';
import type { ProcessWorld } from './process.ts';
import type { FailedEnd } from './spawn-failure.ts';
import { startForked } from './start-forked.ts';
import { type StartedProcess, startProcess, type StartRequest } from './start.ts';
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
  readonly family: Family & { readonly group: Group };
}

export interface NotLaunched {
  readonly kind: 'not-launched';
  /** Why one failed takes a moment to be told. */
  readonly why: Promise<FailedEnd>;
}

/** Never rejects. */
export async function launch(
  request: LaunchRequest,
  stdin: 'ignore' | 'pipe' | number,
  world: ProcessWorld,
  outputs?: OutputPipes,
): Promise<Launched | NotLaunched> {
  const { argv, cwd, marker } = request;
  const start: StartRequest = {
    argv,
    cwd,
    environment: carryMarker(request.environment, marker),
    stdin,
    spawn: world.spawn,
    ...(outputs !== undefined && { outputs }),
  };
  const started = (await throughServer(start, world)) ?? startProcess(start);
  if (started.kind === 'not-started') {
    if (started.perhaps) void world.end({ group: null, marker });
    return { kind: 'not-launched', why: started.why };
  }
  const startTime = started.startTime ?? world.proc.startTime(started.pid);
  const group = { pid: started.pid, startTime };
  world.ledger.started({ ...group, marker, what: request.what ?? argv[0] });
  return { kind: 'launched', process: started, family: { group, marker } };
}

/** Only what needs no pipe of Node's own. */
function throughServer(
  start: StartRequest,
  { forks }: ProcessWorld,
): ReturnType<typeof startForked> | undefined {
  const { stdin, outputs } = start;
  if (forks === undefined || stdin === 'pipe' || outputs === undefined) return undefined;
  return startForked({ ...start, stdin, outputs }, forks);
}
