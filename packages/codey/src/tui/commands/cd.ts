// `/cd`: where the session stands from now on.
import type { Command } from './command.ts';

export const cd: Command = {
  name: 'cd',
  summary: 'go on in another directory',
  argument: '<dir>',
  async run({ session, say, refresh }, argument) {
    if (session === undefined) return say('plain', 'The session is not open.');
    if (argument === '')
      return say(
        'plain',
        `The session stands in ${session.facts().cwd}. Write a directory behind it: /cd packages`,
      );
    const moved = await session.surroundings.changeDirectory(argument);
    if (moved.kind === 'refused') return say('error', moved.message);
    refresh();
    say('plain', `The session stands in ${moved.cwd} now.`);
  },
};
