// Hooks as people write them into settings files.

export interface CommandEntry {
  readonly type: 'command';
  readonly command: string;
  readonly [field: string]: unknown;
}

export function command(line: string, more: Readonly<Record<string, unknown>> = {}): CommandEntry {
  return { type: 'command', command: line, ...more };
}

/** A group with one command hook; without a matcher it is for every value. */
export function group(line: string, matcher?: string, more: Readonly<Record<string, unknown>> = {}) {
  return { ...(matcher !== undefined && { matcher }), hooks: [command(line, more)] };
}
