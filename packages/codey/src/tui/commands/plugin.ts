// `/plugin`: the plugins of this session and what each brings.
import { describePlugin } from '../../commands/describe-plugin.ts';
import type { Command } from './command.ts';
import { codeBlock } from './table.ts';

export const plugin: Command = {
  name: 'plugin',
  summary: 'plugins that are on, with what each brings',
  run({ session, say, reply }) {
    if (session === undefined) return say('plain', 'The session is not open.');
    if (session.plugins.length === 0)
      return say('plain', 'No plugin is on here. codey plugin list shows those that are installed.');
    reply('Plugins', codeBlock(session.plugins.map(describePlugin).join('\n\n')));
  },
};
