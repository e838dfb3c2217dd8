// Lets a shell evaluate an env file once and reads the variables it ends with.
import { randomUUID } from 'node:crypto';
import { unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProcessHost, ProcessResult } from '../runners/process.ts';
import { runMarkerName } from '../runners/environment.ts';
import { carryMarker } from '../runners/strays.ts';
import { evaluateScript, isExportLine, tryLines } from './env-file-scripts.ts';

export interface EvaluationPlace {
  /** Where a copy can be made that nobody else writes. */
  readonly folder: string;
  readonly cwd: string;
  readonly processes: Pick<ProcessHost, 'run'>;
  readonly environment: Readonly<Record<string, string>>;
  /** Names the hook in the ledger of processes. */
  readonly what: string;
}

type Variables = Readonly<Record<string, string>>;

/** `complaints` end a sentence about the file. */
export type Evaluated =
  | {
      readonly kind: 'variables';
      readonly before: Variables;
      readonly after: Variables;
      readonly complaints: readonly string[];
    }
  | { readonly kind: 'nothing'; readonly complaints: readonly string[] };

const limitMs = 2_000;
/** More than an environment can hold. */
const outputCap = 4 * 1024 * 1024;

/**
 * Never runs longer than two seconds a try. A file that does not parse is tried line by line, as far as its lines are
 * exports; whatever else it holds then does not count.
 */
export async function evaluateText(text: string, place: EvaluationPlace): Promise<Evaluated> {
  const whole = await runShell(text, place);
  if (whole.said.unparsed === undefined) return conclude(whole, earlyEnd(whole.said));
  const lines = text
    .split('\n')
    .flatMap((line, index) => (isExportLine(line) ? [{ line, number: index + 1 }] : []));
  const intro = `it is not a script that sh can read${whole.said.unparsed}; only its export lines were tried`;
  if (lines.length === 0) return { kind: 'nothing', complaints: [intro] };
  const single = await runShell(tryLines(lines), place);
  return conclude(single, [intro, ...single.said.badLines.map((number) => `line ${number} does not count`)]);
}

interface Shell {
  readonly result: ProcessResult;
  readonly before: Variables;
  readonly said: Said;
}

async function runShell(text: string, place: EvaluationPlace): Promise<Shell> {
  const marker = { name: runMarkerName, value: randomUUID() };
  const before = carryMarker(place.environment, marker);
  // The file itself can change until the shell reads it, so the shell gets what was read.
  const copy = join(place.folder, `env-${randomUUID()}.sh`);
  await writeFile(copy, text, { flag: 'wx', mode: 0o600 });
  try {
    const result = await place.processes.run({
      argv: ['/bin/sh', '-c', evaluateScript, copy],
      cwd: place.cwd,
      environment: before,
      input: '',
      deadlineMs: limitMs,
      marker,
      outputCap,
      what: place.what,
    });
    return { result, before, said: readMessages(result.stderr) };
  } finally {
    await unlink(copy).catch(() => {});
  }
}

/** What the script said beside the variables; see `env-file-scripts.ts`. */
interface Said {
  /** Present for a file that does not parse: where, as the end of a clause, or nothing. */
  readonly unparsed?: string;
  /** Exit code of a file that ended the shell itself. */
  readonly ended?: number;
  readonly badLines: readonly number[];
}

function readMessages(stderr: string): Said {
  const unparsed = /^unparsed (.*)$/m.exec(stderr)?.[1];
  const line =
    unparsed === undefined ? undefined : /(?:^|\D)(\d+):/.exec(unparsed.replace(/^.*?\.sh:/, ''))?.[1];
  const ended = /^ended (\d+)$/m.exec(stderr)?.[1];
  return {
    ...(unparsed !== undefined && { unparsed: line === undefined ? '' : ` (line ${line})` }),
    ...(ended !== undefined && { ended: Number(ended) }),
    badLines: [...stderr.matchAll(/^bad (\d+)$/gm)].map((match) => Number(match[1])),
  };
}

/** `exit 0` is a way to end a script; any other end in the middle is worth a word. */
function earlyEnd({ ended }: Said): readonly string[] {
  return ended === undefined || ended === 0
    ? []
    : [`it ended early with exit code ${ended}; what it had set by then counts`];
}

function conclude({ result, before }: Shell, complaints: readonly string[]): Evaluated {
  const why = whyUnusable(result);
  if (why !== undefined) return { kind: 'nothing', complaints: [...complaints, why] };
  return { kind: 'variables', before, after: parseVariables(result.stdout), complaints };
}

function whyUnusable({ end, stdout, stdoutTruncated }: ProcessResult): string | undefined {
  if (end.kind === 'timed-out') return `it did not end within ${limitMs / 1000} s, so nothing of it counts`;
  if (end.kind === 'failed') return `/bin/sh could not be started: ${end.message}`;
  if (stdoutTruncated) return 'what it set is larger than 4 MiB, so nothing of it counts';
  return stdout.endsWith('\0')
    ? undefined
    : 'it ended the shell before its variables could be read, so nothing of it counts';
}

/** Entries end with a NUL, so that a value may hold newlines. */
function parseVariables(stdout: string): Variables {
  const entries = stdout.split('\0').flatMap((entry): [string, string][] => {
    const split = entry.indexOf('=');
    return split > 0 ? [[entry.slice(0, split), entry.slice(split + 1)]] : [];
  });
  return Object.fromEntries(entries);
}
