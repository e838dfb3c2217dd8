// The command: write everything, or check everything and name what differs.
import { findDrift, type GeneratedFile, removeStale, writeFiles } from './disk.ts';
import { generatedFiles } from './files.ts';

export interface Surroundings {
  /** Where the files are written, or compared. */
  readonly root: string;
  /** Root of the repository whose sources are read; `root` if not given. */
  readonly sources?: string;
  readonly print: (line: string) => void;
}

/** Gives back the exit code: 0 done or current, 1 out of date, 2 not understood. */
export async function generate(
  args: readonly string[],
  { root, sources = root, print }: Surroundings,
): Promise<0 | 1 | 2> {
  const unknown = args.find((arg) => arg !== '--check');
  if (unknown !== undefined) {
    print(`generate: ${unknown} is not known; it takes --check or nothing`);
    return 2;
  }
  const files = generatedFilesOr(print, sources);
  if (files === undefined) return 1;
  if (!args.includes('--check')) {
    await writeFiles(root, files);
    await removeStale(root, files);
    return 0;
  }
  const drift = await findDrift(root, files);
  for (const { path, what } of drift) print(`${path}: ${what}`);
  if (drift.length === 0) return 0;
  print('Run `npm run generate` and commit what it changes.');
  return 1;
}

/** Sources that lack something are the usual fault; this module runs from memory, where a stack says nothing. */
function generatedFilesOr(
  print: (line: string) => void,
  sources: string,
): readonly GeneratedFile[] | undefined {
  try {
    return generatedFiles(sources);
  } catch (error) {
    print(`generate: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}
