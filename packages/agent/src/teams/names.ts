// Who is called what in a team: leads take the first free of their names, everybody else brings one.
import { isAgentName, reservedNames } from '../subagents/names.ts';

/** The first who leads is `main`, whoever joins meanwhile `main-2`, `main-3` … */
export function leadName(number: number): string {
  return number === 1 ? 'main' : `main-${number}`;
}

export function isLeadName(name: string): boolean {
  return /^main(-\d+)?$/.test(name);
}

/** Safe as the name of a file, and nobody's who leads. */
export function isMemberName(name: string): boolean {
  return isAgentName(name) && !reservedNames.has(name) && !isLeadName(name);
}
