// `/rename`: what the session is called, on its tab and in lists.
import type { Command } from './command.ts';

const longestName = 60;

export const rename: Command = {
  name: 'rename',
  summary: 'give this session a name',
  argument: '<name>',
  run({ session, say, refresh }, argument) {
    const name = argument.replace(/\s+/g, ' ').trim().slice(0, longestName);
    if (session === undefined) return say('plain', 'The session is not open.');
    if (name === '') return say('error', 'Write the name behind it: /rename billing');
    session.rename(name);
    refresh();
  },
};
