// Finds the AGENTS.md files that apply, from the workspace root down to the working directory, with what they import.
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { diskFiles, failureReason, isInside, openForRead, promptFiles } from '@codey/hooks';
import { importsOf } from './imports.ts';

const { realpath } = promptFiles;

export interface InstructionsFile {
  /** Absolute. */
  readonly file: string;
  readonly text: string;
  /** The file that imports it; absent for one that applies by its place. */
  readonly importedBy?: string;
}

export interface FoundInstructions {
  /** In reading order: the general before the particular, a file before what it imports. Each file once. */
  readonly files: readonly InstructionsFile[];
  /** What was meant to be read and is not, as sentences. */
  readonly problems: readonly string[];
}

/** Longer than this and a file would crowd out the conversation it is meant to guide. */
const sizeCap = 100_000;
/** How far imports of imports are followed. */
const depthCap = 5;
/** Together with what they import. */
const mostFiles = 50;

/** Files that are missing or empty are left out. Nothing outside the workspace is read, whatever links and imports say. */
export async function findInstructions(workspace: string, cwd: string): Promise<FoundInstructions> {
  const files: InstructionsFile[] = [];
  const problems: string[] = [];
  const seen = new Set<string>();
  const root = await realpath(workspace).catch(() => workspace);

  async function load(file: string, depth: number, importedBy?: string): Promise<void> {
    const what = importedBy === undefined ? file : `${file}, which ${importedBy} imports,`;
    const read = await readText(file, root);
    if (read.kind === 'problem') problems.push(`${what} is not read: ${read.why}`);
    if (read.kind === 'missing' && importedBy !== undefined) problems.push(`${what} does not exist`);
    if (read.kind !== 'text' || seen.has(read.real)) return;
    if (files.length >= mostFiles) {
      problems.push(`${what} is not read: there are more than ${mostFiles} files of instructions`);
      return;
    }
    seen.add(read.real);
    if (read.text.trim() === '') return;
    const text = read.text.slice(0, sizeCap);
    if (text.length < read.text.length)
      problems.push(`only the first ${sizeCap.toLocaleString('en-US')} characters of ${what} are read`);
    files.push({ file, text, ...(importedBy !== undefined && { importedBy }) });
    for (const imported of importsOf(text)) {
      const target = resolve(dirname(file), imported);
      if (depth < depthCap) await load(target, depth + 1, file);
      else
        problems.push(
          `${target}, which ${file} imports, is not read: imports are followed ${depthCap} files deep`,
        );
    }
  }

  for (const directory of downFrom(workspace, cwd)) await load(join(directory, 'AGENTS.md'), 0);
  return { files, problems };
}

function downFrom(workspace: string, cwd: string): readonly string[] {
  const way = relative(workspace, cwd);
  if (way.startsWith('..') || isAbsolute(way)) return [workspace];
  const steps = way === '' ? [] : way.split(sep);
  return [workspace, ...steps.map((_, index) => join(workspace, ...steps.slice(0, index + 1)))];
}

type Read =
  | { readonly kind: 'text'; readonly text: string; readonly real: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'problem'; readonly why: string };

/** Regular files only: a fifo under the name would keep the session from opening. */
async function readText(file: string, root: string): Promise<Read> {
  const missing = ['ENOENT', 'ENOTDIR'];
  try {
    const real = await realpath(file);
    if (!isInside(real, [root])) return { kind: 'problem', why: 'it lies outside the workspace' };
    const handle = await openForRead(diskFiles, real);
    if (handle === undefined) return { kind: 'missing' };
    try {
      const bytes = Buffer.alloc(sizeCap * 4 + 1);
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
      return { kind: 'text', text: bytes.subarray(0, bytesRead).toString('utf8'), real };
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (missing.includes((error as NodeJS.ErrnoException).code ?? '')) return { kind: 'missing' };
    return { kind: 'problem', why: failureReason(error) };
  }
}
