// Everything of the machine that the program uses, in one value that tests can replace.
import type { Writable } from 'node:stream';
import type { Notices } from '../terminal/notices.ts';

export interface World {
  readonly environment: Readonly<Record<string, string>>;
  /** Where the program was started. */
  readonly cwd: string;
  /** Undefined where HOME is not set: nothing personal is read or written then. */
  readonly home: string | undefined;
  readonly pid: number;
  readonly stdin: NodeJS.ReadStream & { readonly fd: number };
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stdoutDescriptor: number;
  readonly notices: Notices;
}

/** The machine-wide policy file. A constant: no variable may move it. */
export const systemManagedFile = '/etc/codey/managed-settings.json';
