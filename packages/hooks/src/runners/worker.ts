// Runs worker hooks: one process for all events of a hook, asked line by line, with the outcomes of a command.
import { monotonicMs } from '../monotonic.ts';
import { bounded, type Interruption } from './bounded.ts';
import { missingProgram } from './missing.ts';
import type { RunEnd, Runner, RunRequest } from './runner.ts';
import type { FailedEnd } from './spawn-failure.ts';
import { createWorkerPost, type WorkerPost, type WorkerPostOptions } from './worker-post.ts';
import type { Asked } from './worker-process.ts';

/** One worker for each hook and workspace. Deadline and cancel are those of a request: the worker stays for the others. */
export function createWorkerRunner(options: WorkerPostOptions): Runner & { close(): Promise<void> } {
  const posts = new Map<string, WorkerPost>();

  function postOf(request: RunRequest): WorkerPost {
    const key = `${request.hook.identity}\0${request.workspace}`;
    const known = posts.get(key);
    if (known !== undefined) return known;
    const post = createWorkerPost(options);
    posts.set(key, post);
    return post;
  }

  return {
    async run(request) {
      const begun = monotonicMs();
      const post = postOf(request);
      const asked = await bounded(request, (stop) => post.ask(request, stop));
      return {
        end: endOf(asked, request),
        stdout: asked.kind === 'answer' ? asked.stdout : '',
        stderr: asked.kind === 'answer' ? asked.stderr : '',
        stdoutTruncated: false,
        durationMs: monotonicMs() - begun,
      };
    },
    async close() {
      await Promise.all([...posts.values()].map((post) => post.close()));
    },
  };
}

function endOf(asked: Asked | FailedEnd | Interruption, request: RunRequest): RunEnd {
  switch (asked.kind) {
    case 'answer':
      return { kind: 'exited', code: asked.code };
    case 'malformed':
      return { kind: 'failed', cause: 'worker', message: `its worker answered, but ${asked.why}` };
    case 'ended':
      return explainEnd(asked, request);
    case 'failed':
    case 'timed-out':
    case 'cancelled':
      return asked;
  }
}

function explainEnd(asked: Extract<Asked, { kind: 'ended' }>, request: RunRequest): FailedEnd {
  const { hook, workspace: cwd, environment } = request;
  const missing =
    hook.handler.type === 'worker' ? missingProgram({ ...hook.handler, cwd, environment }) : undefined;
  if (missing !== undefined) return { kind: 'failed', cause: 'missing', message: missing };
  const { end } = asked;
  const how =
    end.kind === 'exited'
      ? ` with exit code ${end.code}`
      : end.kind === 'signalled'
        ? ` by ${end.signal}`
        : '';
  const said = asked.stderr.trim().split('\n').at(-1)?.slice(0, 300);
  const launch = end.kind === 'exited' ? failedLaunches[end.code] : undefined;
  if (launch !== undefined) {
    return { ...launch, message: `${launch.message}${said ? `: ${said}` : ''}` };
  }
  const message = `its worker ended${how} before it answered${said ? `: ${said}` : ''}`;
  return { kind: 'failed', cause: 'worker', message };
}

/** What a shell ends with when it could not start what its line names. */
const failedLaunches: Readonly<Record<number, FailedEnd>> = {
  126: {
    kind: 'failed',
    cause: 'not-executable',
    message: 'a program its worker names may not be executed (chmod +x helps)',
  },
  127: { kind: 'failed', cause: 'missing', message: 'a program its worker names was not found' },
};
