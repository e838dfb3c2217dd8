// Kept approvals on disk: a small file of the user's, outside every project and every settings file.
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describeProcess, failureReason, replaceFile, waitForLock, promptFiles } from '@codey/hooks';
import type { ApprovalStore } from './remembered.ts';

const { readFile } = promptFiles;

/** `file` is `approvals.json` in the project's folder under the user's home; it is made when the first rule is kept. */
export function approvalsFile(file: string): ApprovalStore {
  return {
    load: () => read(file),
    async keep(rule) {
      const reason = await add(file, rule).catch(failureReason);
      return reason === undefined ? {} : { problem: `the approval was not kept: ${reason}` };
    },
  };
}

/** Why the rule was not added. Two sessions of a project may be told of a rule at the same moment, and both stay. */
async function add(file: string, rule: string): Promise<string | undefined> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const lock = await waitForLock(`${file}.lock`, describeProcess(process.pid));
  if (!lock.held) return `another process is writing ${file}; remove ${file}.lock if no codey runs`;
  try {
    const { rules, problem } = await read(file);
    if (problem !== undefined || rules.includes(rule)) return problem;
    // Nobody else may read what the user allows.
    const text = `${JSON.stringify({ rules: [...rules, rule] }, null, 2)}\n`;
    await replaceFile({ file, text, mode: 0o600 });
    return undefined;
  } finally {
    await lock.release();
  }
}

async function read(file: string): Promise<{ readonly rules: readonly string[]; readonly problem?: string }> {
  try {
    const { rules } = JSON.parse(await readFile(file, 'utf8')) as { rules?: unknown };
    if (!Array.isArray(rules) || !rules.every((rule) => typeof rule === 'string'))
      throw new Error('it holds no list of rules');
    return { rules };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { rules: [] };
    return { rules: [], problem: `${file} is not used: ${failureReason(error)}; correct it or delete it` };
  }
}
