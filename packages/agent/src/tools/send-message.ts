// Sends a message to a member of the team.
import * as v from 'valibot';
import { pathField, textField } from './fields.ts';
import { failed, ok } from './result.ts';
import description from './send-message.md';
import { defineTool, type Tool } from './tool.ts';

export interface MessagePort {
  /** Resolves when the message cannot be lost any more; never rejects. */
  readonly send: (mail: {
    readonly to: string;
    readonly text: string;
  }) => Promise<
    | { readonly kind: 'done'; readonly value: readonly string[] }
    | { readonly kind: 'refused'; readonly reason: string }
  >;
}

export function createSendMessage({ send }: MessagePort): Tool {
  return defineTool({
    name: 'send_message',
    description,
    input: v.strictObject({
      to: pathField('Name of a member or of one who leads, or * for all others.'),
      text: v.pipe(textField('The message.'), v.regex(/\S/, 'must not be empty')),
    }),
    access: 'free',
    subject: () => ({ kind: 'none' }),
    async run(mail) {
      const sent = await send(mail);
      return sent.kind === 'done'
        ? ok(`Sent to ${sent.value.join(', ')}.`)
        : failed(`Nothing was sent: ${sent.reason}.`);
    },
  });
}
