// `/brief`: whether answers are kept short, saved for you.
import { describeRefusal } from '@codey/agent';
import type { Command } from './command.ts';

export const brief: Command = {
  name: 'brief',
  summary: 'have answers kept short, or not any more',
  argument: '[on|off]',
  complete: () => ['on', 'off'].map((value) => ({ value, label: value })),
  async run({ session, say }, argument) {
    if (session === undefined) return say('plain', 'The session is not open.');
    const { surroundings } = session;
    if (argument === '') return say('plain', `Brief answers are ${surroundings.brief ? 'on' : 'off'}.`);
    if (argument !== 'on' && argument !== 'off') return say('error', 'Write /brief on or /brief off.');
    const problem = describeRefusal(await surroundings.useBrief(argument === 'on'));
    if (problem === undefined) say('plain', `Brief answers are ${argument}, from the next one on.`);
    else say('error', problem);
  },
};
