// `/context`: what fills the model's window, and how full it is.
import type { Message } from '@codey/agent';
import { sayCount } from '../widgets/duration.ts';
import type { Command } from './command.ts';
import { table } from './table.ts';

export const context: Command = {
  name: 'context',
  summary: "what fills the model's window",
  run({ session, tab, reply, say }) {
    if (session === undefined) return say('plain', 'The session is not open.');
    const lastInput = tab()?.tokens.lastInput ?? 0;
    const window = session.facts().contextWindow;
    const share =
      window === undefined || lastInput === 0
        ? ''
        : `, ${Math.round((lastInput / window) * 100)}% of ${sayCount(window)}`;
    const messages = session.messages();
    const whole = messages.reduce((sum, message) => sum + sizeOf(message), 0);
    reply(
      'Context',
      table([
        ['last call', lastInput === 0 ? 'none yet' : `${lastInput} tokens${share}`],
        ...roles.map(([role, words]) => {
          const own = messages.filter((message) => message.role === role);
          const size = own.reduce((sum, message) => sum + sizeOf(message), 0);
          return [
            words,
            `${own.length}, ${whole === 0 ? 0 : Math.round((size / whole) * 100)}% of the text`,
          ] as const;
        }),
      ]),
    );
  },
};

const roles: readonly (readonly [Message['role'], string])[] = [
  ['user', 'your prompts'],
  ['assistant', 'answers'],
  ['tool', 'tool results'],
  ['context', 'from hooks and codey'],
];

function sizeOf(message: Message): number {
  switch (message.role) {
    case 'tool':
      return message.output.length;
    case 'assistant':
      return message.text.length + JSON.stringify(message.calls).length;
    case 'user':
    case 'context':
      return message.text.length;
  }
}
