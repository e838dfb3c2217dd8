// What is known of a command that starts another one.
import type { ReadOptions } from './options.ts';

/** What a command starts, as far as its words tell. */
export interface Wrapped {
  /** Commands given as words. */
  readonly commands: readonly (readonly string[])[];
  /** Command lines given as one string, which a shell will read again. */
  readonly lines: readonly string[];
  /** Variables it sets for what it starts. */
  readonly assigned: readonly string[];
  /** True where it does nothing of its own, so that whoever allows what it starts has allowed it too. */
  readonly transparent: boolean;
  /** Why the commands it starts are not all known; empty where they are. */
  readonly doubts: readonly string[];
}

/** Nothing but what is given, and transparent. */
export function wrapped(found: Partial<Wrapped>): Wrapped {
  return { commands: [], lines: [], assigned: [], transparent: true, doubts: [], ...found };
}

/** Whether one of the options was given, shortened or not. */
export function hasOption(given: ReadOptions['options'], names: readonly string[]): boolean {
  return given.some(({ name }) =>
    names.some((wanted) => wanted === name || (wanted.length > 1 && wanted.startsWith(name))),
  );
}

export function unreadOptions(name: string): string {
  return `the options of ${name} could not all be read`;
}
