// Stands in front of what starts hooks, and keeps what each one was given and what it said.
import type { ProcessHost, Runner, RunRequest, RunResult } from '@codey/hooks';
import type { HookRun } from './tested.ts';

export interface Recorder {
  /** A runner that records; on a dry run it starts nothing and answers as a hook that says nothing. */
  watch(runner: Runner): Runner;
  /** The same for commands of lifecycle events, which run one after another. */
  watchProcesses(processes: ProcessHost): ProcessHost;
  /** By place and id of the hook. */
  runsOf(hook: RunRequest['hook']): readonly HookRun[];
  /** Of lifecycle commands, in the order they ran. */
  readonly commands: readonly HookRun[];
}

export interface RecorderOptions {
  readonly dryRun: boolean;
  /** What the program itself was started with. */
  readonly inherited: Readonly<Record<string, string>>;
}

export function createRecorder({ dryRun, inherited }: RecorderOptions): Recorder {
  const byHook = new Map<string, HookRun[]>();
  const commands: HookRun[] = [];

  function record(
    request: { readonly input: string; readonly directory: string; readonly environment: Environment },
    result: Pick<RunResult, 'end' | 'stdout' | 'stderr' | 'durationMs'>,
  ): HookRun {
    const { environment } = request;
    return {
      input: JSON.parse(request.input) as HookRun['input'],
      directory: request.directory,
      given: Object.keys(environment)
        .filter((name) => environment[name] !== inherited[name])
        .sort(),
      withheld: Object.keys(inherited)
        .filter((name) => environment[name] === undefined)
        .sort(),
      stdout: result.stdout,
      stderr: result.stderr,
      ...(result.end.kind === 'exited' && { exit: result.end.code }),
      ms: Math.round(result.durationMs),
    };
  }

  return {
    watch: (runner) => ({
      ...runner,
      async run(request) {
        const result = dryRun ? silence : await runner.run(request);
        const key = keyOf(request.hook);
        const run = record({ ...request, directory: request.workspace }, result);
        byHook.set(key, [...(byHook.get(key) ?? []), run]);
        return result;
      },
    }),
    watchProcesses: (processes) => ({
      ...processes,
      async run(request) {
        const result = dryRun
          ? { ...silence, stderrTruncated: false, leftRunning: 0 }
          : await processes.run(request);
        commands.push(
          record({ input: request.input, directory: request.cwd, environment: request.environment }, result),
        );
        return result;
      },
    }),
    runsOf: (hook) => byHook.get(keyOf(hook)) ?? [],
    commands,
  };
}

type Environment = Readonly<Record<string, string>>;

const silence: RunResult = {
  end: { kind: 'exited', code: 0 },
  stdout: '',
  stderr: '',
  stdoutTruncated: false,
  durationMs: 0,
};

/** Copies of one hook in several files have one id. */
function keyOf({ id, source: { file, line, column } }: RunRequest['hook']): string {
  return `${file}:${line}:${column} ${id}`;
}
