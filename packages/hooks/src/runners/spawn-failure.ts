// Turns a failed start into the sentence somebody can act on.
import { accessSync, constants, statSync } from 'node:fs';
import { findProgram } from './find-program.ts';
import type { RunEnd } from './runner.ts';

export type FailedEnd = Extract<RunEnd, { kind: 'failed' }>;

export interface Attempt {
  readonly program: string;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** The directory is looked at first: the system reports a missing one as if the program were missing. */
export function explainSpawnFailure(error: NodeJS.ErrnoException, attempt: Attempt): FailedEnd {
  const { program, cwd } = attempt;
  const directory = whatIsWrongWith(cwd);
  if (directory !== null) {
    return fail('cwd', `the directory to run in, ${cwd}, ${directory}; nothing was started`);
  }
  switch (error.code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return fail('missing', missing(attempt));
    case 'EACCES':
    case 'EPERM':
      return fail(
        'not-executable',
        `${program} may not be executed; make it executable (chmod +x) or name its interpreter`,
      );
    case 'ENOEXEC':
      return fail(
        'not-executable',
        `${program} is not a program of this system; give it a first line with its interpreter (#!)`,
      );
    case 'E2BIG':
      return fail(
        'spawn',
        `${program} was not started: arguments and environment are larger than the system allows (E2BIG); unset large variables`,
      );
    case 'EAGAIN':
      return fail(
        'spawn',
        `${program} was not started: this user may not start more processes (EAGAIN); end some or raise the limit (ulimit -u)`,
      );
    case 'ENOMEM':
      return fail(
        'spawn',
        `${program} was not started: the system has no memory left (ENOMEM); end other programs`,
      );
    case 'EMFILE':
    case 'ENFILE':
      return fail(
        'spawn',
        `${program} was not started: too many files are open (${error.code}); raise the limit (ulimit -n)`,
      );
    case 'ERR_INVALID_ARG_VALUE':
      // The error's own text would quote the value, and an environment's values are nobody else's business.
      return fail(
        'spawn',
        'it was not started: there is a NUL byte in its command, directory or environment',
      );
    default:
      return fail('spawn', `${program} was not started: ${error.message}`);
  }
}

function missing(attempt: Attempt): string {
  const { program, cwd, environment } = attempt;
  const path = environment.PATH ?? '';
  const found = findProgram(program, { cwd, path });
  if (found !== null)
    return `${found} exists, but the interpreter in its first line (#!) does not; install it or correct the line`;
  return program.includes('/')
    ? `${program} does not exist (looked from ${cwd}); correct the path or restore the file`
    : `${program} is not on PATH (${path || 'which is empty'}); install it or write its full path`;
}

function whatIsWrongWith(directory: string): string | null {
  try {
    if (!statSync(directory).isDirectory()) return 'is not a directory';
    accessSync(directory, constants.X_OK);
    return null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES' ? 'may not be entered' : 'does not exist';
  }
}

function fail(cause: FailedEnd['cause'], message: string): FailedEnd {
  return { kind: 'failed', cause, message };
}
