// `/compact`: what was said so far becomes a summary, now.
import { sayCount } from '../widgets/duration.ts';
import type { Command } from './command.ts';

export const compact: Command = {
  name: 'compact',
  summary: 'replace what was said so far by a summary of it',
  argument: '[what to keep]',
  async run({ session, tab, say }, argument) {
    if (session === undefined) return say('plain', 'The session is not open.');
    if (tab()?.run === undefined) say('plain', 'Compacting…');
    const result = await session.surroundings.compact(argument);
    switch (result.kind) {
      case 'compacted': {
        const { before, after } = result;
        return say(
          'plain',
          `Compacted: about ${sayCount(before.tokens)} tokens are now ${sayCount(after.tokens)}.`,
        );
      }
      case 'blocked':
        return say('error', `Not compacted: ${result.reason}`);
      case 'unchanged':
        return say('plain', result.why);
    }
  },
};
