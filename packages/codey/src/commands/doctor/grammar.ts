// Command lines: whether rules and hooks see them as a shell does. An installation that lost its grammar still runs.
import { parseCommandLine } from '@codey/hooks';
import type { Check } from './finding.ts';

export const checkGrammar: Check = async () => {
  const { doubts } = await parseCommandLine('true && true');
  if (doubts.length === 0)
    return [{ about: 'commands', state: 'ok', what: 'hooks and rules see command lines as a shell does' }];
  return [
    {
      about: 'commands',
      state: 'problem',
      what: `only plain command lines are read, for the rest every \`if\` counts as met: ${doubts.join(', ')}`,
      todo: 'install codey again',
    },
  ];
};
