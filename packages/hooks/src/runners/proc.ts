// The one reader of `/proc`. Where there is none every answer is null: the system does not tell.
import { readdirSync, readFileSync } from 'node:fs';

/** What can be learnt about other processes; a system without `/proc` knows none of them. */
export interface Proc {
  /** When the process started, in clock ticks since boot: a pid and this together name one process for good. */
  startTime(pid: number): number | null;
  parent(pid: number): number | null;
  /** The environment the process was started with; null if it is gone, a zombie or another user's. */
  environment(pid: number): StartedWith | null;
  /** Program and arguments; null if it is gone or a zombie. */
  commandLine(pid: number): readonly string[] | null;
  /** Processes of a group that still run; zombies are not among them. */
  members(group: number): readonly number[] | null;
  /** Every process there is. */
  all(): readonly number[] | null;
}

/** Gives the value of a variable. */
export type StartedWith = (name: string) => string | undefined;

/** Reads `/proc` on Linux; elsewhere every answer is null. `root` is where it is mounted. */
export function createProc(platform: NodeJS.Platform = process.platform, root = '/proc'): Proc {
  return platform === 'linux' ? linuxProc(root) : silentProc;
}

const silentProc: Proc = {
  startTime: () => null,
  parent: () => null,
  environment: () => null,
  commandLine: () => null,
  members: () => null,
  all: () => null,
};

function linuxProc(root: string): Proc {
  const all = () => pids(root);
  const stat = (pid: number) => readStat(root, pid);
  return {
    startTime: (pid) => stat(pid)?.startTime ?? null,
    parent: (pid) => stat(pid)?.parent ?? null,
    environment: (pid) => readEnvironment(root, pid),
    commandLine: (pid) => read(`${root}/${pid}/cmdline`)?.split('\0').slice(0, -1) ?? null,
    members: (group) =>
      all()?.filter((pid) => {
        const found = stat(pid);
        return found !== null && found.group === group && found.state !== 'Z' && found.state !== 'X';
      }) ?? null,
    all,
  };
}

interface Stat {
  readonly state: string;
  readonly parent: number;
  readonly group: number;
  readonly startTime: number;
}

function readStat(root: string, pid: number): Stat | null {
  const text = read(`${root}/${pid}/stat`);
  if (text === null) return null;
  // The program's name stands in parentheses and may itself hold spaces and parentheses, so count from the last one.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, parent, group] = fields;
  const startTime = fields[19];
  if (state === undefined || parent === undefined || group === undefined || startTime === undefined)
    return null;
  return { state, parent: Number(parent), group: Number(group), startTime: Number(startTime) };
}

/** Searched, not taken apart: every parent is asked for three variables, and every process for one when strays are looked for. */
function readEnvironment(root: string, pid: number): StartedWith | null {
  const text = read(`${root}/${pid}/environ`);
  if (text === null || text === '') return null;
  const entries = `\0${text}`;
  return (name) => {
    const found = entries.indexOf(`\0${name}=`);
    if (found === -1) return undefined;
    const start = found + name.length + 2;
    const end = entries.indexOf('\0', start);
    return entries.slice(start, end === -1 ? undefined : end);
  };
}

function pids(root: string): readonly number[] | null {
  try {
    return readdirSync(root)
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return null;
  }
}

/** Null for a process that ended meanwhile or that this user may not look at: both are ordinary. */
function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
