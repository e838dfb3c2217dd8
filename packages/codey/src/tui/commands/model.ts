// `/model`: which model answers from the next call on.
import type { Command } from './command.ts';

export const model: Command = {
  name: 'model',
  onScreen: true,
  summary: 'choose the model that answers from now on',
  argument: '[provider/name]',
  complete: ({ session }) => (session?.models() ?? []).map((id) => ({ value: id, label: id })),
  async run(context, argument) {
    const { session } = context;
    if (session === undefined) return context.say('plain', 'The session is not open.');
    const id = argument !== '' ? argument : await pickModel(context);
    if (id === undefined || id === session.facts().model) return;
    const problem = await session.useModel(id);
    context.refresh();
    if (problem === undefined) context.say('plain', `From now on ${id} answers.`);
    else context.say('error', problem);
  },
};

function pickModel({ session, choose }: Parameters<Command['run']>[0]): Promise<string | undefined> {
  const current = session?.facts().model;
  return choose(
    'Model · others by name: /model <provider>/<name>',
    (session?.models() ?? []).map((id) => ({
      value: id,
      label: id,
      ...(id === current && { detail: 'answers now' }),
    })),
    'no model is known',
  );
}
