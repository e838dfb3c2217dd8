// One run on a scripted model, read back as its stream-json events.
import type { Run, RunOptions, ScriptEntry, Stage } from './stage.ts';

export interface Played extends Run {
  readonly lines: readonly Record<string, unknown>[];
  /** Outputs of the calls that ran, as the model got them. */
  readonly results: readonly string[];
  /** Reasons of the calls that did not run, as the model got them. */
  readonly denied: readonly string[];
  /** The last line; empty when the program did not come so far. */
  readonly result: Readonly<Record<string, unknown>>;
}

export const bypass = ['--permission-mode', 'bypassPermissions'] as const;

export async function play(
  stage: Stage,
  script: readonly ScriptEntry[],
  args: readonly string[] = bypass,
  options: RunOptions = {},
): Promise<Played> {
  const run = await stage.prompt(script, { ...options, args: ['--output-format', 'stream-json', ...args] });
  const lines = readLines(run.stdout);
  const of = (type: string) => lines.filter((line) => line.type === type);
  return {
    ...run,
    lines,
    results: of('tool_result').map((line) => String(line.output)),
    denied: of('tool_denied').map((line) => String(line.reason)),
    result: of('result').at(-1) ?? {},
  };
}

/** JSON, one object a line. */
export function readLines(text: string): readonly Record<string, unknown>[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** One call of one tool, then a final answer. */
export function callScript(tool: string, input: Readonly<Record<string, unknown>>): readonly ScriptEntry[] {
  return [{ calls: [{ tool, input }] }, { text: 'done' }];
}
