// `/resume`: an earlier session of this project in the place of this one.
import type { SessionSummary } from '@codey/agent';
import type { PickItem } from '../panels/pick.ts';
import type { Command } from './command.ts';

export const resume: Command = {
  name: 'resume',
  onScreen: true,
  summary: 'go on with an earlier session of this project',
  argument: '[id]',
  async run(context, argument) {
    const id = argument !== '' ? argument : await pickSession(context);
    if (id === undefined || id === context.session?.facts().id) return;
    context.resumeSession(id);
  },
};

async function pickSession({
  host,
  choose,
  session,
}: Parameters<Command['run']>[0]): Promise<string | undefined> {
  const all = await host.sessions();
  return choose('Sessions of this project', sessionItems(all, session?.facts().id), noSessions);
}

export const noSessions = 'this project has no session yet';

/** Those that have begun, newest first; one that is open cannot be opened again. */
export function sessionItems(all: readonly SessionSummary[], current?: string): readonly PickItem[] {
  return all
    .filter(({ begun, id }) => begun && id !== current)
    .map(({ id, name, firstPrompt = '(no prompt)', time, live }) => ({
      value: id,
      label: name ?? firstPrompt,
      detail: `${time.slice(0, 16).replace('T', ' ')}${live ? ' · open' : ''}`,
    }));
}
