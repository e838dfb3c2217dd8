// Kept approvals on disk: a small file of the user's, outside every project and every settings file.
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ApprovalStore } from './remembered.ts';

/** `file` is `approvals.json` in the project's folder under the user's home; it is made when the first rule is kept. */
export function approvalsFile(file: string): ApprovalStore {
  return {
    load: () => read(file),
    async keep(rule) {
      // Read again: another session of this project may have kept a rule since.
      const { rules, problem } = await read(file);
      if (problem !== undefined) return { problem: `the approval was not kept: ${problem}` };
      if (rules.includes(rule)) return {};
      try {
        await replace(file, `${JSON.stringify({ rules: [...rules, rule] }, null, 2)}\n`);
        return {};
      } catch (error) {
        return { problem: `the approval was not kept: ${reasonOf(error)}` };
      }
    },
  };
}

async function read(file: string): Promise<{ readonly rules: readonly string[]; readonly problem?: string }> {
  try {
    const { rules } = JSON.parse(await readFile(file, 'utf8')) as { rules?: unknown };
    if (!Array.isArray(rules) || !rules.every((rule) => typeof rule === 'string'))
      throw new Error('it holds no list of rules');
    return { rules };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { rules: [] };
    return { rules: [], problem: `${file} is not used: ${reasonOf(error)}; correct it or delete it` };
  }
}

/** Nobody else may read what the user allows, and a reader never sees half a file. */
async function replace(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await writeFile(temporary, text, { mode: 0o600, flag: 'wx' });
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
