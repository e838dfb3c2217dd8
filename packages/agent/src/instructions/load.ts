// Finds the AGENTS.md files that apply: from the workspace root down to the working directory.
import { readFile } from 'node:fs/promises';
import path from 'node:path';

export interface InstructionsFile {
  /** Absolute. */
  readonly file: string;
  readonly text: string;
}

/** Longer than this and a file would crowd out the conversation it is meant to guide. */
const sizeCap = 100_000;

/** In reading order, the general before the particular. Files that are missing or empty are left out. */
export async function findInstructions(workspace: string, cwd: string): Promise<readonly InstructionsFile[]> {
  const found: InstructionsFile[] = [];
  for (const directory of downFrom(workspace, cwd)) {
    const file = path.join(directory, 'AGENTS.md');
    const text = await readText(file);
    if (text !== undefined && text.trim() !== '') found.push({ file, text: text.slice(0, sizeCap) });
  }
  return found;
}

function downFrom(workspace: string, cwd: string): readonly string[] {
  const relative = path.relative(workspace, cwd);
  if (relative.startsWith('..') || path.isAbsolute(relative)) return [workspace];
  const steps = relative === '' ? [] : relative.split(path.sep);
  return [workspace, ...steps.map((_, index) => path.join(workspace, ...steps.slice(0, index + 1)))];
}

async function readText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    return undefined;
  }
}
