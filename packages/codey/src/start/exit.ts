// The exit codes that scripts rely on.

export const exitCodes = {
  done: 0,
  /** The run failed or was blocked. */
  failed: 1,
  /** Usage or configuration. */
  usage: 2,
  SIGINT: 130,
  SIGTERM: 143,
  SIGHUP: 129,
  SIGQUIT: 131,
} as const;

/** Why the program stops before a session opens: for stderr, with its exit code. */
export class StartError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number = exitCodes.usage) {
    super(message);
    this.name = 'StartError';
    this.exitCode = exitCode;
  }
}
