// `/usage`: the tokens this session took.
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
        ['tokens in', grouped(input)],
        ['tokens out', grouped(output)],
        ['tool calls', String(calls)],
      ]),
    );
  },
};

/** `12,345`: this is where the exact number is read. */
function grouped(count: number): string {
  return count.toLocaleString('en-US');
}
