// `/usage`: the tokens this session took.
import { sayCount } from '../widgets/duration.ts';
import type { Command } from './command.ts';
import { table } from './table.ts';

export const usage: Command = {
  name: 'usage',
  summary: 'the tokens this session took',
  run({ session, tab, reply, say }) {
    if (session === undefined) return say('plain', 'The session is not open.');
    const { input, output } = session.tokens();
    const calls = (tab()?.transcript.blocks ?? []).filter(({ kind }) => kind === 'call').length;
    reply(
      'Usage',
      table([
        ['tokens in', `${sayCount(input)} (${input})`],
        ['tokens out', `${sayCount(output)} (${output})`],
        ['tool calls', String(calls)],
      ]),
    );
  },
};
