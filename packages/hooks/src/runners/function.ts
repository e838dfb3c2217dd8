// Runs in-process hooks: same deadline, same cancelling, a throw is a failed hook.
import { bounded } from './bounded.ts';
import type { RunEnd, Runner, RunRequest, RunResult } from './runner.ts';

/** `now` gives milliseconds that only grow. */
export function createFunctionRunner(ports: { readonly now: () => number }): Runner {
  return {
    async run(request) {
      const started = ports.now();
      const end = await callWithin(request);
      return {
        end,
        stdout: '',
        stderr: '',
        stdoutTruncated: false,
        durationMs: ports.now() - started,
      } satisfies RunResult;
    },
  };
}

/** The function cannot be killed; at the deadline it is told by its signal and what it says later is dropped. */
function callWithin(request: RunRequest): Promise<RunEnd> {
  const { handler } = request.hook;
  if (handler.type !== 'function') throw new TypeError(`a function runner was given a ${handler.type} hook`);
  return bounded(request, async (stop): Promise<RunEnd> => {
    request.onStart?.();
    try {
      return { kind: 'answered', value: await handler.call(JSON.parse(request.input), { signal: stop }) };
    } catch (error) {
      return { kind: 'failed', cause: 'threw', message: `it threw ${sayError(error)}` };
    }
  });
}

function sayError(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
