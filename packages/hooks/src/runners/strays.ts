// Finds processes that left their group: whatever a run started carries its marker in the environment.
import type { Proc } from './proc.ts';

export interface Marker {
  readonly name: string;
  readonly value: string;
}

/**
 * The environment with the marker in it. Markers add up, separated by spaces: a hook of a session that itself runs
 * inside a hook belongs to both runs, and ending the outer one must find it.
 */
export function carryMarker(
  environment: Readonly<Record<string, string>>,
  marker: Marker,
): Readonly<Record<string, string>> {
  const inherited = environment[marker.name];
  if (carries(inherited, marker)) return environment;
  return { ...environment, [marker.name]: inherited ? `${inherited} ${marker.value}` : marker.value };
}

/** Empty where the system does not tell. Looks at a few processes a time, so that the event loop is never held long. */
export async function findStrays(marker: Marker, proc: Proc): Promise<readonly number[]> {
  const found: number[] = [];
  const pids = proc.all() ?? [];
  for (const [index, pid] of pids.entries()) {
    if (index % 32 === 31) await new Promise(setImmediate);
    if (pid === process.pid) continue;
    const environment = proc.environment(pid);
    if (environment !== null && carries(environment(marker.name), marker)) found.push(pid);
  }
  return found;
}

/** Whether the variable of that name, as a process was given it, names the run. */
export function carries(inherited: string | undefined, marker: Marker): boolean {
  return inherited?.split(' ').includes(marker.value) ?? false;
}
