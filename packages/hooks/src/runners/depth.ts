// What a process can know about where it runs: how deep in hooks, inside which session, on whose pane.
import { depthName, paneMarkerName, sessionMarkerName } from './environment.ts';
import { createProc, type Proc, type StartedWith } from './proc.ts';

/** What a process knows about those that started it. */
export interface Ancestry {
  /** 0 where a person started the program; 1 inside a hook. */
  readonly depth: number;
  /** The program was started by an agent's tool or hook, so it may not act as the user. */
  readonly insideSession: boolean;
  /** The pane that the nearest session above reports to. */
  readonly herdrPane?: string;
}

export interface AncestryWorld {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly parentPid: number;
  readonly proc: Proc;
  /**
   * Whether a command line is one of the host program's own. A child that replaced its shell and cleared its variables
   * (`env -i`) has no other trace of the session it came from than the process above it.
   */
  readonly isHost?: (commandLine: readonly string[]) => boolean;
}

/**
 * Reads the own environment and, on Linux, what each parent was started with: a child that cleared its variables is
 * still the child of a process that had them. A process that also left its parents (a daemon) is not recognised.
 */
export function ancestry(
  world: AncestryWorld = { environment: process.env, parentPid: process.ppid, proc: createProc() },
): Ancestry {
  const above = ancestors(world.parentPid, world.proc);
  const own: StartedWith = (name) => world.environment[name];
  const generations = [own, ...environmentsOf(above, world.proc)];
  const herdrPane = generations.map((variable) => variable(paneMarkerName)).find(Boolean);
  return {
    depth: Math.max(...generations.map((variable) => parseDepth(variable(depthName)))),
    // Few ask, and command lines are a look at the disk each.
    get insideSession() {
      return (
        generations.some((variable) => Boolean(variable(sessionMarkerName))) || hasHostAmong(above, world)
      );
    },
    ...(herdrPane !== undefined && { herdrPane }),
  };
}

function hasHostAmong(pids: readonly number[], { proc, isHost }: AncestryWorld): boolean {
  return isHost !== undefined && pids.some((pid) => isHost(proc.commandLine(pid) ?? []));
}

/** A parent that may not be looked at, such as `sudo`, hides only itself. */
function environmentsOf(pids: readonly number[], proc: Proc): readonly StartedWith[] {
  return pids.map((pid) => proc.environment(pid)).filter((environment) => environment !== null);
}

function ancestors(parentPid: number, proc: Proc): readonly number[] {
  const seen = new Set<number>();
  for (
    let pid: number | null = parentPid;
    pid !== null && pid > 0 && !seen.has(pid);
    pid = proc.parent(pid)
  ) {
    seen.add(pid);
  }
  return [...seen];
}

/** Anything but a plain number says nothing; it neither raises the depth nor hides another generation's. */
function parseDepth(text: string | undefined): number {
  return text !== undefined && /^\d{1,3}$/.test(text) ? Number(text) : 0;
}
