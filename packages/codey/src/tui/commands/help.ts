// `/help`: commands, keys, and the two characters that mean something at the start of a line.
import type { Command } from './command.ts';
import { table } from './table.ts';

export const help: Command = {
  name: 'help',
  summary: 'commands and keys',
  run({ commands, keys, reply }) {
    const all = commands.map(
      ({ name, argument = '', summary }) => [`/${name} ${argument}`.trim(), summary] as const,
    );
    const parts = [
      table(all),
      table([
        ['!line', 'runs a line of your own shell and lets the agent see it'],
        ['@file', 'names a file of the project'],
      ]),
      ...(keys.length === 0 ? [] : [table(keys)]),
    ];
    reply('Help', parts.join('\n\n'));
  },
};
