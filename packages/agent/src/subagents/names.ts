// Names of agents: short enough for a sidebar, plain enough for a branch or a folder, given once in a session.

export function isAgentName(text: string): boolean {
  return /^[A-Za-z][A-Za-z0-9_-]{0,39}$/.test(text);
}

/** Mean something else to events, scripts and commands. */
export const reservedNames: ReadonlySet<string> = new Set(['main', 'hook', 'fork', 'user']);

export interface Names {
  /** `wanted`, or `wanted-2`, `wanted-3` … : the first that no agent of the session ever had. */
  give(wanted: string): string;
  /** That very name, whether it was given before or not. */
  keep(name: string): string;
  /** The agent was not started after all. */
  takeBack(name: string): void;
  /** How many were given so far. */
  count(): number;
}

/** @param taken names of an earlier part of the session: their conversations are in its log */
export function createNames(taken: Iterable<string>): Names {
  const own = ['main', 'hook', 'user'];
  const given = new Set([...own, ...taken]);
  return {
    give(wanted) {
      let name = wanted;
      for (let number = 2; given.has(name); number++) name = `${wanted}-${number}`;
      given.add(name);
      return name;
    },
    keep(name) {
      given.add(name);
      return name;
    },
    takeBack: (name) => void given.delete(name),
    count: () => given.size - own.length,
  };
}
