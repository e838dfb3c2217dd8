// The PATH that hooks see, and what on it makes a hook start another program than its author meant.
import { stat } from 'node:fs/promises';
import { delimiter, isAbsolute } from 'node:path';
import type { Check, Finding } from './finding.ts';

export const checkSearchPath: Check = async ({ world }) => {
  const written = world.environment.PATH;
  if (written === undefined || written === '')
    return [
      {
        about: 'PATH',
        state: 'problem',
        what: 'it is not set, so hooks find no programs',
        todo: 'set it before codey starts',
      },
    ];
  const entries = written.split(delimiter);
  const findings = await Promise.all([...new Set(entries)].map(whatIsOdd));
  return [{ about: 'PATH', state: 'ok', what: `hooks see ${written}` }, ...findings.flat()];
};

async function whatIsOdd(entry: string): Promise<readonly Finding[]> {
  if (!isAbsolute(entry)) {
    const what = `${entry === '' ? 'an empty entry' : entry} means whatever directory a hook runs in`;
    return [
      {
        about: 'PATH',
        state: 'warning',
        what,
        todo: 'a file of a repository could pass for a program; take it out',
      },
    ];
  }
  const facts = await stat(entry).catch(() => undefined);
  // Many a PATH names directories that some machines do not have.
  if (facts === undefined) return [];
  const sticky = (facts.mode & 0o1000) !== 0;
  return (facts.mode & 0o002) !== 0 && !sticky
    ? [{ about: 'PATH', state: 'warning', what: `everybody may write ${entry}`, todo: `chmod o-w ${entry}` }]
    : [];
}
